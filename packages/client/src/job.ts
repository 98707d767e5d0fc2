export type JobState = 'awaiting_approval' | 'queued' | 'running' | 'waiting' | 'succeeded' | 'failed' | 'cancelled';

/** Reason why a job failed, or failed last. */
export interface JobFailure {
  readonly code: string;
  readonly message: string;
  readonly details?: unknown;
}

/** A job as its owner sees it. Times are RFC 3339. */
export interface Job<Result = unknown> {
  readonly id: string;
  readonly owner: string;
  readonly queue: string;
  readonly state: JobState;
  /** 0 runs first, 1000 last. */
  readonly priority: number;
  /** Number of starts so far. */
  readonly attempt: number;
  /** Number of attempts that failed; drains and lost workers do not count. */
  readonly failures: number;
  /** Number of its newest event. */
  readonly events: number;
  readonly error: JobFailure | null;
  readonly payload: unknown;
  /** Its result once it has succeeded; else null. */
  readonly result: Result | null;
  readonly idempotency_key: string | null;
  /** Decision that it waits or waited for; null for none. */
  readonly approval_id: string | null;
  readonly parent_id: string | null;
  readonly created_at: string;
  readonly run_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly links: { readonly self: string; readonly events: string; readonly websocket: string };
  /** The wait that it is in: while its state is `waiting`, and in the answer for one job alone. */
  readonly waits_for?: {
    readonly kind: 'sleep' | 'signal' | 'result' | 'jobs' | 'flow';
    readonly name: string;
    /** Id of the child that it waits for. */
    readonly child?: string;
    /** Time at which the wait is over whatever comes. */
    readonly until?: string;
  };
  /** Reason why it is not started, such as that no worker takes its queue. */
  readonly warning?: string;
}

/** One message of a stream. */
export interface StreamEvent {
  /** Cursor behind it; absent where it moves none, as with progress. */
  readonly id?: string;
  /**
   * For a job `queued`, `started`, `progress`, `retrying`, `released`, `waiting`, `signalled`, and at its end
   * `succeeded`, `failed` or `cancelled`. `reset` brings a snapshot in `data.snapshot`, instead of a history that cannot
   * be replayed: read it as the new state.
   */
  readonly type: string;
  readonly at: string;
  /** Key of progress: the newest of each counts. */
  readonly key?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const final: ReadonlySet<unknown> = new Set(['succeeded', 'failed', 'cancelled']);

/** True for the states that a job ends in. */
export function isFinal(state: unknown): boolean {
  return final.has(state);
}

/** True for an event behind which nothing more comes: the end of its job, or a snapshot of an ended one. */
export function isLast({ type, data }: StreamEvent): boolean {
  return final.has(type) || (type === 'reset' && final.has(snapshotOf(data)?.state));
}

/** The job that a `reset` brings; undefined where it brings none. */
export function snapshotOf(data: StreamEvent['data']): Job | undefined {
  const { snapshot } = data;
  return typeof snapshot === 'object' && snapshot !== null ? (snapshot as Job) : undefined;
}
