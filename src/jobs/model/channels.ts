import type { Config } from '#src/system/config/config.ts';

/** Redis pub/sub channel of one job's events. */
export function jobChannel(config: Config, id: string): string {
  return `${config.REDIS_PREFIX}:job:${id}`;
}

/** Redis pub/sub channel on which every worker hears what to stop. */
export function controlChannel(config: Config): string {
  return `${config.REDIS_PREFIX}:control`;
}

/** One thing that happened to a job. `n` is dense per job, from 1. */
export interface JobEvent {
  readonly n: number;
  readonly type: string;
  readonly at: string;
  readonly data: unknown;
}

/** What travels on a job's channel: an event of the ledger, or transient progress (newest per key wins). */
export type JobMessage =
  | ({ readonly epoch: string } & JobEvent)
  | { readonly type: 'progress'; readonly key: string; readonly data: unknown };
