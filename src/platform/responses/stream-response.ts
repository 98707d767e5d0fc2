import { AppError, describeError } from '#src/lib/errors.ts';
import type { Ending } from '#src/platform/responses/model/ending.ts';
import type { ResponseEvent } from '#src/platform/responses/model/event-types.ts';
import type { NewItem } from '#src/platform/responses/model/items.ts';
import type { ResponseObject } from '#src/platform/responses/model/response-object.ts';
import type { RunningText } from '#src/platform/text/run-text.ts';
import type { Context } from '#src/system/context.ts';
import { endResponse, insertResponse } from './response-store.ts';
import { openTurn } from './turn.ts';

/** Input of a turn that a client waits for. */
export interface StreamedTurn {
  readonly running: RunningText;
  readonly owner: string;
  readonly begun: ResponseObject;
  readonly previous: string | null;
  readonly input: readonly NewItem[];
}

/** End of a turn. */
export interface TurnOutcome {
  readonly response: ResponseObject;
  /** Error that broke it off; null where nothing did. */
  readonly failure: AppError | null;
}

/**
 * Streams a turn as it comes. What has to be stored is stored before the last event, so that the next request may
 * continue from it; the write runs beside the first words, which do not wait for it. A reader that stops cancels the
 * turn.
 *
 * @param signal aborted when the client has gone, its key is revoked, or this process stops
 */
export async function* streamResponse(
  context: Context,
  streamed: StreamedTurn,
  signal: AbortSignal,
): AsyncGenerator<ResponseEvent, TurnOutcome> {
  const { begun, running } = streamed;
  const turn = openTurn(begun);
  const stored = begun.store ? keepBegun(context, streamed) : null;
  let over = false;
  const end = async (ending?: Ending) => {
    over = true;
    const events = turn.end(new Date(), ending);
    if (await stored) await keepEnded(context, running.job, turn.response());
    return events;
  };
  try {
    yield* turn.begin();
    let failure: AppError | null = null;
    try {
      for await (const deltas of running.pieces) for (const delta of deltas) yield* turn.take(delta);
    } catch (error) {
      failure = failureOf(error, signal);
    }
    yield* await end(failure ? endingOf(failure) : undefined);
    return { response: turn.response(), failure };
  } finally {
    if (!over) await end({ status: 'cancelled' });
  }
}

function failureOf(error: unknown, signal: AbortSignal): AppError {
  const cause: unknown = signal.aborted ? signal.reason : error;
  if (cause instanceof AppError) return cause;
  if (signal.aborted) return new AppError('unavailable', 'This process stops; ask again.', {}, cause);
  const { code, message, details } = describeError(cause);
  return new AppError(code, message, details, cause);
}

function endingOf({ code, message }: AppError): Ending {
  return code === 'cancelled' ? { status: 'cancelled' } : { status: 'failed', error: { code, message } };
}

/** Stores the beginning, and returns whether it is stored. The answer is on its way already, and goes on without. */
async function keepBegun(context: Context, { running, owner, begun, previous, input }: StreamedTurn): Promise<boolean> {
  try {
    const row = { id: running.job, owner, background: false, previous, begun, input, work: null, events: [] };
    await insertResponse(context, row);
    return true;
  } catch (error) {
    context.log.error({ err: error, job: running.job }, 'a response could not be stored');
    return false;
  }
}

async function keepEnded(context: Context, job: string, ended: ResponseObject): Promise<void> {
  await endResponse(context, job, ended).catch((error: unknown) =>
    context.log.error({ err: error, job }, 'the end of a response could not be stored'),
  );
}
