import type { QueueContract } from '#queues/define.ts';
import { queues } from '#queues/index.ts';

/** Promises of a queue, and the bounds from which on an operator is alerted. */
export interface QueueTarget {
  readonly queue: string;
  /** A job starts within so many seconds of being due: a bound of the histogram's buckets. */
  readonly waitSeconds: number;
  /** Age of the oldest due job above which an operator is alerted. */
  readonly oldestSeconds: number;
  /** Estimate of the time until the queue is empty above which an operator is alerted. */
  readonly drainSeconds: number;
  /** Share of jobs that succeed. */
  readonly success: number;
}

/** Queues whose jobs need servers that are not ours: those may fail more often than we do. */
const leanOnOthers: ReadonlySet<string> = new Set([
  'studio.render',
  'studio.publish',
  'providers.generate',
  'platform.respond',
  'platform.notify',
  'platform.deliver',
  'missions.execute',
  'missions.anchor',
  'analytics.take',
]);

/** Callers wait for short jobs; they do not wait for a queue of the lowest priority. */
function waitSeconds({ timeoutMs, priority }: QueueContract): number {
  if (priority >= 1_000) return 300;
  if (timeoutMs <= 120_000) return 5;
  return timeoutMs <= 900_000 ? 30 : 60;
}

function targetOf(contract: QueueContract): QueueTarget {
  const wait = waitSeconds(contract);
  return {
    queue: contract.name,
    waitSeconds: wait,
    oldestSeconds: wait * 12,
    drainSeconds: Math.max(900, wait * 60),
    success: leanOnOthers.has(contract.name) ? 0.95 : 0.99,
  };
}

/** Every queue with what is promised of it, by its own contract. */
export const queueTargets: readonly QueueTarget[] = [...queues.values()].map(targetOf);
