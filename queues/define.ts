import type { Static, TSchema } from 'typebox';
import type { ApprovalTerms, BudgetTerms } from './terms.ts';
import type { UniqueTerms } from './unique.ts';

/** The contract of one kind of job. Data, not code: importing a queue opens nothing. */
export interface QueueContract<P extends TSchema = TSchema, R extends TSchema = TSchema, E extends TSchema = TSchema> {
  /** Surface and deed, such as `studio.render`. Never renamed once deployed: stored jobs and dashboards carry it. */
  readonly name: string;
  /** Rises where payloads of before no longer fit; a job keeps the one it was accepted under. */
  readonly version: number;
  /** Purpose of a job of this queue, in one line. */
  readonly title: string;
  readonly payload: P;
  readonly result: R;
  /** Transient progress that a processor may emit while it runs. */
  readonly progress: E;
  /** Number of failures after which a job is given up, at least 1. Drains and lost workers do not count. */
  readonly attempts: number;
  /** First backoff; doubles with every failure up to `backoffCapMs`, with full jitter. */
  readonly backoffMs: number;
  readonly backoffCapMs: number;
  /** Longest run of one attempt, after which its signal is aborted. */
  readonly timeoutMs: number;
  /** Priority of jobs submitted without one: 0 runs first, 1000 last. */
  readonly priority: number;
  /**
   * Retention of its finished jobs: an age in ms, and at most so many of the newest; null for `JOB_RETENTION_DAYS`.
   * `JOB_RETENTION_BY_QUEUE` has the last word.
   */
  readonly retention: { readonly ms?: number; readonly count?: number } | null;
  /**
   * True where a newer job of this queue does what an older one was to do, as with the ticks of a market: a job whose
   * process died is then cancelled instead of being run again, and its idempotency key is free for the next.
   */
  readonly replaceable: boolean;
  /** True where each of its jobs leaves a sealed receipt at its end. */
  readonly receipt: boolean;
  /** Decision that each of its jobs waits for; null for none. */
  readonly approval: ApprovalTerms | null;
  /** Money that is reserved before each of its jobs runs; null for none. */
  readonly budget: BudgetTerms | null;
  /** Makes each of its jobs the only one of its key; null where any number may be alike. */
  readonly unique: UniqueTerms | null;
  /** JSON pointer into the payload, to the group of jobs submitted without one; null for their owner's. */
  readonly group: string | null;
  /** Bytes of JSON that a payload, a result and one progress message may have. */
  readonly maxPayloadBytes: number;
  readonly maxResultBytes: number;
  readonly maxProgressBytes: number;
}

export type Payload<Q extends QueueContract> = Static<Q['payload']>;
export type Result<Q extends QueueContract> = Static<Q['result']>;
export type Progress<Q extends QueueContract> = Static<Q['progress']>;

/** Milliseconds for which a job may be delayed: ten years. */
export const LONGEST_DELAY_MS = 315_360_000_000;

/** Bytes of JSON that the storage beside a row takes of a payload or a result. */
export const MOST_CONTENT_BYTES = 16_777_216;

/** Sizes of a contract that names none: what the storage takes, and what is passed on to every subscriber. */
export const sizeDefaults = {
  maxPayloadBytes: MOST_CONTENT_BYTES,
  maxResultBytes: MOST_CONTENT_BYTES,
  maxProgressBytes: 65_536,
} as const satisfies Partial<Record<keyof QueueContract, number>>;

const defaults: Pick<
  QueueContract,
  | 'version'
  | 'attempts'
  | 'backoffMs'
  | 'backoffCapMs'
  | 'timeoutMs'
  | 'priority'
  | 'retention'
  | 'replaceable'
  | 'receipt'
  | 'approval'
  | 'budget'
  | 'unique'
  | 'group'
  | keyof typeof sizeDefaults
> = {
  version: 1,
  attempts: 3,
  backoffMs: 500,
  backoffCapMs: 60_000,
  timeoutMs: 60_000,
  priority: 0,
  retention: null,
  replaceable: false,
  receipt: false,
  approval: null,
  budget: null,
  unique: null,
  group: null,
  ...sizeDefaults,
};

/** A queue contract with the usual limits filled in. */
export function defineQueue<P extends TSchema, R extends TSchema, E extends TSchema>(
  contract: Omit<QueueContract<P, R, E>, keyof typeof defaults> & Partial<typeof defaults>,
): QueueContract<P, R, E> {
  return { ...defaults, ...contract };
}
