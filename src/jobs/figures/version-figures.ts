import { fleetsOf } from '#queues/fleets.ts';
import { queues as builtIn } from '#queues/index.ts';
import { registryOf } from '#src/jobs/registry/registry.ts';
import { counted } from '#src/lib/text/counted.ts';
import type { Context } from '#src/system/context.ts';
import type { QueueFigures } from './queue-figures.ts';

/** Status of one version of a queue's contract. */
export interface VersionStatus {
  readonly version: number;
  /** Live workers that take it; null where that is not known. */
  readonly workers: number | null;
  /** Due, and waiting for a worker. */
  readonly queued: number;
  readonly delayed: number;
  /** Age in seconds of the longest waiting job that is due, 0 when none. */
  readonly oldest: number;
  /** Says that no worker takes it; null where one does, that is not known, or none is meant to. */
  readonly warning: string | null;
}

/**
 * The versions of a queue that matter now, the newest first: the newest, which new jobs get, those that a worker takes,
 * and those in which jobs wait.
 *
 * @param workersOf answers as `queueWorkers` does
 */
export function versionStatuses(
  context: Context,
  { queue, versions: waiting }: Pick<QueueFigures, 'queue' | 'versions'>,
  workersOf: (queue: string, version: number) => number | null,
): readonly VersionStatus[] {
  const known = registryOf(context).versions(queue);
  const figures = new Map(waiting.map((one) => [one.version, one]));
  const all = [...new Set([...known, ...figures.keys()])].toSorted((a, b) => b - a);
  return all.flatMap((version) => {
    const { queued, delayed, oldest } = figures.get(version) ?? { queued: 0, delayed: 0, oldest: 0 };
    const workers = workersOf(queue, version);
    if (version !== known[0] && queued + delayed === 0 && (workers ?? 0) === 0) return [];
    const warning = workers === 0 && isForWorkers(queue) ? untaken(`${queue}@${version}`, queued + delayed) : null;
    return [{ version, workers, queued, delayed, oldest, warning }];
  });
}

/** Checks whether workers take a queue: jobs of a built-in one that no fleet consumes are moved by the leader. */
function isForWorkers(queue: string): boolean {
  return !builtIn.has(queue) || fleetsOf(queue).length > 0;
}

function untaken(name: string, waiting: number): string {
  const said = `no worker takes ${name}`;
  return waiting === 0 ? said : `${said}: ${counted(waiting, 'job waits', 'jobs wait')}`;
}
