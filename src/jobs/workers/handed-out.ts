import { LRUCache } from 'lru-cache';
import type { State } from '#src/jobs/model/states.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import type { Given } from './hands.ts';
import type { Report } from './report-body.ts';

/** A job as a report needs it. */
export interface Known {
  readonly id: string;
  readonly owner: string;
  readonly queue: string;
  readonly version: number;
  readonly state: State;
  readonly attempt: number;
  readonly failures: number;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly token: string | null;
  /** Worker that has it in hand; null for none. */
  readonly worker: string | null;
}

/** Jobs that are remembered; those that are forgotten are read again. */
const MOST = 20_000;

/**
 * Reports whose own statement checks the fence: what is remembered may be out of date. A failure, or what is given back,
 * may have been said before through another process: it must not be written to the log, and counted, twice.
 */
const fenced: ReadonlySet<Report['type']> = new Set(['step', 'submit', 'suspended', 'succeeded', 'effect_intended']);

const remembered = perContext(() => new LRUCache<string, Known>({ max: MOST }));

/** Remembers what this process hands out to a worker: for most reports nothing more need be read. */
export function rememberHanded(context: Context, worker: string, given: readonly Given[]): void {
  for (const job of given) {
    const { id, owner, queue, version, attempt, failures, createdAt, startedAt, token } = job;
    const known = {
      id,
      owner,
      queue,
      version,
      state: 'running',
      attempt,
      failures,
      createdAt,
      startedAt,
      token,
      worker,
    } as const;
    remembered(context).set(id, known);
  }
}

/**
 * The job as this process has handed it out; undefined where it has not, or where one of these reports of it is of
 * another attempt, or does not check by itself that the attempt is still the job's.
 */
export function recall(context: Context, id: string, reports: readonly Report[]): Known | undefined {
  const job = remembered(context).get(id);
  if (!job) return undefined;
  const isEnough = reports.every(
    ({ type, attempt, token }) => fenced.has(type) && attempt === job.attempt && token.toLowerCase() === job.token,
  );
  return isEnough ? job : undefined;
}

/** Forgets a job whose attempt is over: a repeated report reads what has become of it. */
export function forgetHanded(context: Context, id: string): void {
  remembered(context).delete(id);
}
