import type { Payload, Progress, QueueContract, Result } from '#queues/define.ts';
import type { EffectOwner } from '#src/jobs/effects/intents.ts';
import type { JobLog } from '#src/jobs/log/job-log.ts';
import type { Attempt } from '#src/jobs/run/run-attempt.ts';
import type { Context } from '#src/system/context.ts';
import type { Threads } from '#src/system/threads.ts';

export interface Run<Q extends QueueContract> {
  readonly payload: Payload<Q>;
  /** Tells followers how far it is; not kept, newest per key wins. */
  readonly emit: (progress: Progress<Q>, key?: string) => void;
  /** Writes to the job's log, for readers of the job: kept for some days, in order, and lost with Redis. */
  readonly log: JobLog;
  /** Aborted on cancel, timeout, a lost lease, or when a drain's deadline has passed. */
  readonly signal: AbortSignal;
  readonly attempt: number;
  readonly job: EffectOwner & { readonly owner: string };
  readonly context: Context;
  readonly threads: Threads;
}

/**
 * Does one kind of job. It may run again from the start at any time, so what it does outside goes through `runEffect`.
 */
export type Processor<Q extends QueueContract = QueueContract> = (run: Run<Q>) => Promise<Result<Q>>;

/** A processor that settles a part of its attempt by itself, which it gets as the runner has it. */
export type AttemptProcessor = (run: Run<QueueContract>, attempt: Attempt) => Promise<unknown>;

export interface Handler {
  /** Contract by which its jobs are run: read at every delivery, since one that is registered may change meanwhile. */
  readonly queue: QueueContract;
  readonly processor: Processor | AttemptProcessor;
}

/** A queue with the processor that does its jobs. */
export function handler<Q extends QueueContract>(queue: Q, processor: Processor<Q>): Handler {
  return { queue, processor };
}
