import type { Config } from '#src/system/config/config-type.ts';
import { isTerminal } from './states.ts';

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

/** Message on a job's channel: an event of the ledger, or transient progress (newest per key wins). */
export type JobMessage =
  | ({ readonly epoch: string } & JobEvent)
  | { readonly type: 'progress'; readonly key: string; readonly data: unknown };

/** The message of a channel's text; null for anything else, since every client of Redis can publish there. */
export function readJobMessage(text: string): JobMessage | null {
  try {
    const message: unknown = JSON.parse(text);
    const isMessage = typeof message === 'object' && message !== null && 'type' in message;
    return isMessage && typeof message.type === 'string' ? (message as JobMessage) : null;
  } catch {
    return null;
  }
}

/** Checks whether a text of a job's channel is the event that ends it: a terminal state and its event have one name. */
export function endsJob(text: string): boolean {
  const message = readJobMessage(text);
  return message !== null && isTerminal(message.type);
}
