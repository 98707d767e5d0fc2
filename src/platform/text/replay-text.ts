import { sql } from 'slonik';
import Type from 'typebox';
import { respond, type TextResult } from '#queues/platform.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { awaitJobs } from '#src/jobs/read/await-jobs.ts';
import { type ErrorCode, errorCodes } from '#src/lib/error-codes.ts';
import { knownDetails } from '#src/lib/errors.ts';
import { idempotencyConflict } from '#src/lib/idempotency-conflict.ts';
import { ReplayedFailure } from '#src/platform/edge/replayed-failure.ts';
import type { TextDelta } from '#src/providers/text/text.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import type { RunningText } from './text-work.ts';

const StoredRow = row(Type.Object({ id: Type.String(), queue: Type.String(), hash: Type.String() }));

/** A request under a key of its owner's; `hash` is of what it asks for. */
export interface KeyedRequest {
  readonly owner: string;
  readonly key: string | null;
  readonly hash: string;
}

/**
 * The job of an earlier request under the same key; null where there is none.
 *
 * @throws AppError `idempotency_conflict`
 */
export async function findReplay({ db }: Context, { owner, key, hash }: KeyedRequest): Promise<string | null> {
  if (key === null) return null;
  const known = await db.maybeOne(sql.type(StoredRow)`
    select id, queue, encode(request_hash, 'hex') as hash from jobs where owner = ${owner} and idempotency_key = ${key}`);
  if (known === null) return null;
  if (known.queue === respond.name && known.hash === hash) return known.id;
  throw idempotencyConflict(key, { kind: 'job', id: known.id, of: `of ${known.queue}` });
}

/** Waits for an earlier job's end, and replays its answer. @throws the error that it failed with */
export async function replayText(context: Context, id: string, signal: AbortSignal): Promise<RunningText> {
  const job = (await awaitJobs(context, [id], signal)).get(id);
  if (job?.state !== 'succeeded') throw failureOf(id, job);
  return replayOf(id, job.result as TextResult);
}

/** An answer that is known whole, as if it came now. */
export function replayOf(job: string, result: TextResult): RunningText {
  const { provider, model } = result;
  return { job, provider, model, pieces: piecesOf(result), result: () => result, replayed: true, cache: null };
}

async function* piecesOf(result: TextResult): AsyncGenerator<readonly TextDelta[]> {
  yield [...deltasOf(result)];
}

/** The pieces of an answer that is known whole. */
export function* deltasOf({ message, finish, usage }: TextResult): Generator<TextDelta> {
  const { content = null, refusal = null, toolCalls = [] } = message ?? {};
  if (content !== null) yield { kind: 'text', text: content };
  if (refusal !== null) yield { kind: 'refusal', text: refusal };
  for (const [index, { id, name, arguments: text }] of toolCalls.entries())
    yield { kind: 'tool', index, id, name, arguments: text };
  yield { kind: 'finish', reason: finish };
  if (usage !== null) yield { kind: 'usage', usage };
}

function failureOf(id: string, job: Job | undefined): ReplayedFailure {
  if (job?.state === 'cancelled')
    return new ReplayedFailure('cancelled', 'The first request under this key was cancelled before its end.', {
      job: id,
    });
  const { code = '', message = '', details } = job?.error ?? {};
  if (!Object.hasOwn(errorCodes, code))
    return new ReplayedFailure('internal', 'The job failed on our side.', { job: id });
  return new ReplayedFailure(code as ErrorCode, message, knownDetails({ ...(details as object | undefined), job: id }));
}
