import { type Duration, milliseconds } from './duration.ts';
import { type FollowOptions, follow } from './follow.ts';
import { isFinal, isLast, type Job, type StreamEvent } from './job.ts';
import { linkSignal } from './linked-signal.ts';
import { ProoflineError } from './proofline-error.ts';
import { type Connection, request } from './request.ts';

export interface WaitOptions {
  /** Longest wait; without it as long as the job takes. */
  readonly timeout?: Duration;
  readonly signal?: AbortSignal;
}

export interface SignalAnswer {
  readonly job: string;
  readonly name: string;
  /** False where the job already had this signal. */
  readonly accepted: boolean;
}

/** A job that was submitted, wherever that was. */
export interface JobHandle<Result = unknown> {
  readonly id: string;
  /** Reads the job as it is now. */
  readonly job: () => Promise<Job<Result>>;
  /**
   * Waits until the job has ended, in whatever state.
   *
   * @throws ProoflineError `timeout` when it takes longer; the reason of the signal.
   */
  readonly wait: (options?: WaitOptions) => Promise<Job<Result>>;
  /** Waits for the result. @throws {@link JobFailed} where the job fails or is cancelled; as {@link wait}. */
  readonly result: (options?: WaitOptions) => Promise<Result>;
  /** Cancels the job. @throws ProoflineError `state_conflict` where it has ended. */
  readonly cancel: () => Promise<Job<Result>>;
  /** The events of the job, from the first or from a cursor on, up to its end; goes on after every cut. */
  readonly events: (options?: FollowOptions) => AsyncGenerator<StreamEvent, void, undefined>;
  /** Sends a signal that the job waits for now or later, once for each key; without a key each call is another one. */
  readonly signal: (name: string, payload?: unknown, options?: { idempotencyKey?: string }) => Promise<SignalAnswer>;
}

/** A job that ended without a result; `code`, `message` and `details` are those of its failure. */
export class JobFailed extends ProoflineError {
  override readonly name = 'JobFailed';
  readonly job: Job;

  constructor(job: Job) {
    const { id, error, state } = job;
    const failure = state === 'failed' ? error : null;
    super(failure?.message ?? `The job ${id} was ${state}.`, {
      code: failure?.code ?? state,
      details: { job: id, ...(failure?.details !== undefined && { failure: failure.details }) },
    });
    this.job = job;
  }
}

/** Speaks to one job; sends nothing until it is asked. */
export function jobHandle<Result>(connection: Connection, id: string): JobHandle<Result> {
  const path = `/v1/jobs/${encodeURIComponent(id)}`;
  const read = async (method: 'GET' | 'DELETE', signal?: AbortSignal): Promise<Job<Result>> =>
    JSON.parse((await request(connection, { method, path, signal })).text) as Job<Result>;
  const events = (options: FollowOptions = {}) => follow(connection, `${path}/events`, options, isLast);

  const wait = async ({ timeout, signal }: WaitOptions = {}): Promise<Job<Result>> => {
    const ms = timeout === undefined ? undefined : milliseconds(timeout);
    const link = linkSignal(signal, ms, () => tooSlow(id, ms));
    let after: string | undefined;
    try {
      for (;;) {
        const job = await read('GET', link.signal);
        if (isFinal(job.state)) return job;
        // behind an end that was seen, because a failed job may have been put back into its queue since
        for await (const event of events({ signal: link.signal, after })) after = event.id ?? after;
      }
    } finally {
      link.release();
    }
  };

  return {
    id,
    job: async () => await read('GET'),
    wait,
    result: async (options) => {
      const job = await wait(options);
      if (job.state === 'succeeded') return job.result as Result;
      throw new JobFailed(job);
    },
    cancel: async () => await read('DELETE'),
    events,
    signal: async (name, payload, { idempotencyKey = crypto.randomUUID() } = {}) => {
      const { text } = await request(connection, {
        method: 'POST',
        path: `${path}/signals/${encodeURIComponent(name)}`,
        text: JSON.stringify(payload === undefined ? {} : { payload }),
        headers: { 'idempotency-key': idempotencyKey },
      });
      return JSON.parse(text) as SignalAnswer;
    },
  };
}

function tooSlow(id: string, ms: number | undefined): ProoflineError {
  return new ProoflineError(`expected the job ${id} to end within ${ms} ms; it has not, and goes on.`, {
    code: 'timeout',
    retryable: true,
    details: { job: id },
  });
}
