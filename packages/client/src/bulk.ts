import { ProoflineError } from './proofline-error.ts';
import type { PayloadOf } from './queues.ts';
import { type Connection, request } from './request.ts';
import { type SubmitOptions, submissionOf } from './submission.ts';

/** Most jobs of one request. */
const mostJobs = 10_000;
/** A slice is sent when it has so many bytes, though it may take more jobs. */
const sliceBytes = 8 << 20;

/** A job of a bulk: its queue by name, its payload, and the same options as a single submit. */
export interface BulkJob<Name extends string = string> extends Omit<SubmitOptions, 'signal'> {
  readonly queue: Name;
  readonly payload: PayloadOf<Name>;
}

/** Answer to one job of a bulk; `index` counts from 0 over the whole bulk. */
export type BulkAnswer =
  | { readonly index: number; readonly id: string; readonly created: boolean }
  | {
      readonly index: number;
      readonly error: { readonly code: string; readonly message: string; readonly details?: unknown };
    };

export interface BulkOptions {
  /** All or nothing: needs all jobs in one request, at most 10,000. */
  readonly atomic?: boolean;
  /** Most jobs of one request, 10,000 by default. */
  readonly slice?: number;
  readonly signal?: AbortSignal;
}

/**
 * Submits many jobs, a slice a request, and answers in their order. A job without an idempotency key gets one, so a
 * slice whose answer is lost is sent again and makes no job twice; `created` is then false where the first one made it.
 *
 * @throws ProoflineError where a whole slice is refused; answers of the slices before it have been given.
 */
export async function* bulk<Name extends string>(
  connection: Connection,
  jobs: Iterable<BulkJob<Name>> | AsyncIterable<BulkJob<Name>>,
  { atomic = false, slice = mostJobs, signal }: BulkOptions = {},
): AsyncGenerator<BulkAnswer, void, undefined> {
  if (!Number.isInteger(slice) || slice < 1 || slice > mostJobs)
    throw new RangeError(`expected a slice of 1 to ${mostJobs} jobs, got ${slice}.`);
  let done = 0;
  for await (const lines of slices(jobs, atomic ? mostJobs : slice, atomic)) {
    for await (const answers of send(connection, lines, atomic, signal)) {
      for (const answer of answers) yield { ...answer, index: done + answer.index };
      done += answers.length;
    }
  }
}

async function* slices<Name extends string>(
  jobs: Iterable<BulkJob<Name>> | AsyncIterable<BulkJob<Name>>,
  most: number,
  isWhole: boolean,
): AsyncGenerator<readonly string[], void, undefined> {
  let lines: string[] = [];
  let size = 0;
  for await (const job of jobs) {
    if (lines.length === most && isWhole)
      throw new RangeError(`expected at most ${most} jobs in a bulk that is all or nothing, got more.`);
    const line = lineOf(job);
    if (lines.length > 0 && !isWhole && (lines.length === most || size + line.length > sliceBytes)) {
      yield lines;
      lines = [];
      size = 0;
    }
    lines.push(line);
    size += line.length;
  }
  if (lines.length > 0) yield lines;
}

function lineOf<Name extends string>({ queue, payload, idempotencyKey, ...options }: BulkJob<Name>): string {
  const key = idempotencyKey ?? crypto.randomUUID();
  return JSON.stringify({ queue, idempotency_key: key, ...submissionOf(payload, options) });
}

/** Sends a slice, in halves where it is too large for the server; gives the answers of each part, counted from 0. */
async function* send(
  connection: Connection,
  lines: readonly string[],
  atomic: boolean,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly BulkAnswer[], void, undefined> {
  try {
    yield await sendOnce(connection, lines, atomic, signal);
  } catch (error) {
    if (!(error instanceof ProoflineError) || error.status !== 413 || lines.length === 1 || atomic) throw error;
    const half = lines.length >> 1;
    yield* send(connection, lines.slice(0, half), atomic, signal);
    yield* send(connection, lines.slice(half), atomic, signal);
  }
}

async function sendOnce(
  connection: Connection,
  lines: readonly string[],
  atomic: boolean,
  signal: AbortSignal | undefined,
): Promise<readonly BulkAnswer[]> {
  const { text } = await request(connection, {
    method: 'POST',
    path: `/v1/jobs/bulk${atomic ? '?atomic=true' : ''}`,
    text: `${lines.join('\n')}\n`,
    headers: { 'content-type': 'application/x-ndjson', accept: 'application/x-ndjson' },
    signal,
  });
  const answers = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as BulkAnswer);
  if (answers.length === lines.length) return answers;
  throw new ProoflineError(`expected ${lines.length} answers to a bulk, got ${answers.length}.`, {
    code: 'unreadable_answer',
  });
}
