import type { Result } from '#queues/define.ts';
import type { respond } from '#queues/platform.ts';
import { AppError, isRetryable } from '#src/lib/errors.ts';
import { deltasOf } from '#src/platform/text/replay-text.ts';
import { runTextHere, type TextRun } from '#src/platform/text/run-text.ts';
import type { TextDelta } from '#src/providers/text/text.ts';
import { openEventLog } from './event-log.ts';
import { readOpenResponse } from './event-store.ts';
import { openTurn } from './turn.ts';

/** `response.created` and `response.queued`, which were stored when it was accepted, and `response.in_progress`. */
const BEFORE_WORDS = 3;

/**
 * Runs one attempt at a turn. Its output is written as events of the response where the job has one, and nowhere else;
 * the job records how an attempt failed.
 *
 * @throws AppError what {@link runTextHere} throws; `outcome_unknown` where the turn broke off with words published
 *   already.
 */
export async function runResponse(run: TextRun): Promise<Result<typeof respond>> {
  const { context, payload, job, signal } = run;
  const open = await readOpenResponse(context, job.id);
  if (!open) {
    const result = await runTextHere(run);
    // its response has ended already, and holds the words
    return payload.background && payload.work === null ? { ...result, message: null } : result;
  }
  const turn = openTurn(open.begun, open.events);
  const log = openEventLog(context, job, signal);
  if (open.events < BEFORE_WORDS) await log.add(turn.start());
  let hasPublished = open.events > BEFORE_WORDS;
  let hasOutput = false;
  const onDeltas = (deltas: readonly TextDelta[]) => {
    if (open.events > BEFORE_WORDS) throw brokenOff(job.id);
    hasPublished = true;
    hasOutput = true;
    return log.add(deltas.flatMap((delta) => turn.take(delta)));
  };
  try {
    const result = await runTextHere({ ...run, payload: { ...payload, work: open.work } }, onDeltas);
    if (open.events > BEFORE_WORDS) throw brokenOff(job.id);
    const { provider, model } = result;
    // the output of an earlier attempt is published from its result alone
    if (!hasOutput) for (const delta of deltasOf(result)) await log.add(turn.take(delta));
    const last = turn.end(new Date(), undefined, { provider, model });
    await log.close(last, turn.response());
    return { ...result, message: null };
  } catch (error) {
    signal.throwIfAborted();
    await log.close([], null);
    // another attempt would say it all again
    throw hasPublished && isRetryable(error) ? brokenOff(job.id, error) : error;
  }
}

function brokenOff(job: string, cause?: unknown): AppError {
  const why = cause instanceof AppError ? ` (${cause.message.replace(/\.$/, '')})` : '';
  return new AppError(
    'outcome_unknown',
    `The turn broke off after its first words${why}; what came of it is not known, and it is not requested again.`,
    { job },
    cause,
  );
}
