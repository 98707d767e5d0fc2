import { createHash } from 'node:crypto';
import type { batch } from '#queues/platform.ts';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { unlessEnded } from '#src/jobs/change/unless-ended.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { isTerminal } from '#src/jobs/model/states.ts';
import { awaitJobs } from '#src/jobs/read/await-jobs.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { findByKey } from '#src/jobs/submit/find-by-key.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { assertStorable } from '#src/lib/assert-storable.ts';
import { AppError, describeError, isRetryable } from '#src/lib/errors.ts';
import type { Principal } from '#src/lib/principal.ts';
import { systemOwner } from '#src/lib/system-owner.ts';
import { type EndedLine, recordLine } from '#src/platform/batches/line-store.ts';
import { isOwnFault } from '#src/platform/batches/own-fault.ts';
import { customIdOf, parseLine, type Request } from '#src/platform/batches/parse-line.ts';
import type { BatchLine } from '#src/platform/batches/read-lines.ts';
import type { Intake } from '#src/platform/edge/intake.ts';
import { openIntake } from '#src/platform/media/open-intake.ts';
import type { Webhook } from '#src/platform/webhooks/webhook-body.ts';
import { assertWebhook, keepWebhook } from '#src/platform/webhooks/webhook-store.ts';
import type { Context } from '#src/system/context.ts';
import type { Run } from '#workers/run/processor.ts';
import type { BatchStop } from './watch-batch.ts';

/** The lines of a batch, as they are run. */
export interface LineRun extends Omit<Run<typeof batch>, 'emit' | 'threads'> {
  /** Aborted with a {@link BatchStop} when no line begins any more. */
  readonly stop: AbortSignal;
  /** Digests of the ids of the lines before. */
  readonly seen: Set<string>;
}

type Outcome = Omit<EndedLine, 'line' | 'customId'>;

const stopMessages: Readonly<Record<BatchStop, string>> = {
  cancelled: 'The batch was cancelled before this line was done.',
  expired: 'The time of the batch was over before this line was done.',
  revoked: 'The key that the batch was made with was revoked before this line was done.',
};

/**
 * Has a line done by a job of its own and records how it ended; of one that is over, only that its id is taken. An
 * unexpected error is the end of this line alone: the others have done nothing to be held up by it.
 *
 * @throws the signal's reason; what our own servers say, after which the batch goes on from here.
 */
export async function runLine(run: LineRun, line: BatchLine, isOver: boolean): Promise<void> {
  const { context, job, payload, seen } = run;
  const parsed = isOver ? null : parseLine(line, payload.endpoint, context.config.TEXT_BODY_LIMIT_BYTES);
  const customId = parsed ? parsed.customId : customIdOf(line);
  const isRepeated = customId !== null && isTaken(seen, customId);
  if (!parsed) return;
  const record = async (outcome: Outcome) =>
    await recordLine(context)({ batch: job.id, line: line.number, customId, ...outcome });
  if (isRepeated) {
    const message = `custom_id: expected one that no line before has, got ${JSON.stringify(customId)} again.`;
    return await record({ job: null, code: 'duplicate_custom_id', message, answered: false });
  }
  if ('code' in parsed) {
    const { code, message, answered } = parsed;
    return await record({ job: null, code, message, answered });
  }
  await record(await runRequest(run, line, parsed).catch((error: unknown) => unexpected(run, line, error)));
}

/** @throws the error, where it is none of the line's own */
function unexpected({ context, job, signal }: LineRun, { number }: BatchLine, error: unknown): Outcome {
  if (signal.aborted || error instanceof AppError || !isOwnFault(error)) throw error;
  context.log.error({ err: error, batch: job.id, line: number }, 'a line of a batch failed on our side');
  const { code, message } = describeError(error);
  return failed(null, code, message);
}

/** Checks whether an id was seen before, and records it. Digests, so that ten thousand long ids take no room. */
function isTaken(seen: Set<string>, id: string): boolean {
  const digest = createHash('sha256').update(id).digest('base64url').slice(0, 22);
  if (seen.has(digest)) return true;
  seen.add(digest);
  return false;
}

async function runRequest(run: LineRun, line: BatchLine, request: Request): Promise<Outcome> {
  const { context, signal, stop } = run;
  const child = await childOf(run, line, request);
  if ('code' in child) return child;
  try {
    const ended = await awaitJobs(context, [child.id], AbortSignal.any([signal, stop]));
    return outcomeOf(ended.get(child.id) ?? null, child.id);
  } catch (error) {
    signal.throwIfAborted();
    if (!stop.aborted) throw error;
    return await stopChild(run, child.id);
  }
}

/** The job of a line: one that an earlier attempt has begun, or a new one unless the batch has stopped. */
async function childOf(run: LineRun, line: BatchLine, request: Request): Promise<{ readonly id: string } | Outcome> {
  const { context, job, stop, payload } = run;
  const { work, body } = request;
  const idempotencyKey = `${job.id}.${line.number}`;
  const webhook = body['webhook'] as Webhook | undefined;
  // again where an earlier attempt has begun the job: it may have ended before it kept what belongs to it
  const keep = async (child: { readonly id: string }) => {
    await work.accepted?.(context, { id: child.id, owner: job.owner }, body);
    if (webhook) await keepWebhook(context, job, child, webhook);
    return child;
  };
  // no attempt before the first has begun any
  const known = job.attempt === 1 ? null : await findByKey(context, job.owner, work.queue.name, idempotencyKey);
  if (known) return await keep(known);
  if (stop.aborted) return stopped(run, null);
  const principal = principalOf(job.owner, payload.keyId);
  const intake = openIntake(context, job.owner);
  const built = await payloadOf(context, principal, request, intake).then((value) => ({ value }), refused);
  if ('refused' in built) {
    await intake.abandon();
    return built.refused;
  }
  // the payload may be another each time, the line is not
  const submission = { principal, parentId: job.id, idempotencyKey, request: line.text ?? '', payload: built.value };
  const submitted = await submit(context, work.queue, submission).catch(async (error: unknown) => {
    await intake.abandon();
    if (error instanceof AppError && !isRetryable(error)) return refused(error);
    throw error;
  });
  return 'refused' in submitted ? submitted.refused : await keep(submitted.job);
}

/** Builds the payload of a line's job. @throws the error that a request of its own would be answered with */
async function payloadOf(
  context: Context,
  principal: Principal,
  { work, body }: Request,
  intake: Intake,
): Promise<unknown> {
  assertStorable(body);
  if (body['webhook']) assertWebhook(context.config, body['webhook'] as Webhook);
  return await work.payload(context, principal, body, intake);
}

/** Builds the answer that a request would have got. @throws an error that is not an AppError */
function refused(error: unknown): { readonly refused: Outcome } {
  if (error instanceof AppError) return { refused: failed(null, error.code, error.message) };
  throw error;
}

/** Principal of the line: the key that made the batch, which may do no more than that. */
function principalOf(owner: string, keyId: string | null): Principal {
  return { owner, keyId, scopes: ['platform.mcp.execute'], operator: false, human: null, session: null, tier: 'batch' };
}

/** Cancels the job of a line that the batch no longer waits for; it may have been done at that very moment. */
async function stopChild(run: LineRun, id: string): Promise<Outcome> {
  const { context, job } = run;
  await cancelJob(context, id, systemOwner, `its batch ${job.id} no longer waits for it`).catch(unlessEnded);
  const last = await readJob(context, id);
  return last && isTerminal(last.state) && last.state !== 'cancelled' ? outcomeOf(last, id) : stopped(run, id);
}

function outcomeOf(job: Job | null, id: string): Outcome {
  if (job?.state === 'succeeded') return { job: id, code: null, message: null, answered: true };
  if (job?.state === 'cancelled') return failed(id, 'cancelled', 'The job was cancelled before it had a result.');
  return failed(id, job?.error?.code ?? 'internal', job?.error?.message ?? 'The job is gone.');
}

function stopped({ stop }: LineRun, job: string | null): Outcome {
  const why = stop.reason as BatchStop;
  return { job, code: `batch_${why}`, message: stopMessages[why], answered: false };
}

const failed = (job: string | null, code: string, message: string): Outcome => ({ job, code, message, answered: true });
