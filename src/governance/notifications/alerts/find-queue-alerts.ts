import { readPauses } from '#src/jobs/broker/queue-pauses.ts';
import { MOST_SHOWN, readGroupFigures } from '#src/jobs/figures/group-figures.ts';
import { type QueueFigures, readQueueFigures } from '#src/jobs/figures/queue-figures.ts';
import { queueWorkers } from '#src/jobs/figures/queue-workers.ts';
import { versionStatuses } from '#src/jobs/figures/version-figures.ts';
import { registryOf } from '#src/jobs/registry/registry.ts';
import type { Context } from '#src/system/context.ts';
import { type Alert, OPERATORS, STARVES_S, UNTAKEN_S } from './alert.ts';
import { goneAlerts, pausedAlerts } from './find-stopped-alerts.ts';

/**
 * Finds paused queues in which jobs wait, fleets that are gone, groups that starve and versions that no worker takes, from the
 * figures that the gauges show. A paused queue has none of the last two: a person stopped it.
 */
export async function findQueueAlerts(context: Context, now: number): Promise<readonly Alert[]> {
  const [pauses, figures, workersOf] = await Promise.all([
    readPauses(context),
    readQueueFigures(context, null),
    queueWorkers(context)(),
  ]);
  const stopped = [...pausedAlerts(context, pauses, figures, now), ...goneAlerts(pauses, figures, workersOf)];
  const late = figures.filter(({ queue, queued, oldest }) => queued > 0 && oldest > UNTAKEN_S && !pauses.has(queue));
  const found = await Promise.all(
    late.map(async (one) => [...untaken(context, one, workersOf), ...(await starving(context, one))]),
  );
  return [...stopped, ...found.flat()];
}

/** Owner of a queue; operators alone for one of the product. */
function ownerOf(context: Context, queue: string): string {
  return registryOf(context).ownerOf(queue) ?? OPERATORS;
}

function untaken(
  context: Context,
  figures: QueueFigures,
  workersOf: (queue: string, version: number) => number | null,
): readonly Alert[] {
  const { queue } = figures;
  const owner = ownerOf(context, queue);
  // workers of the product's queues are its operators' own, and have alerts by fleet
  if (owner === OPERATORS) return [];
  return versionStatuses(context, figures, workersOf)
    .filter(({ workers, queued, oldest }) => workers === 0 && queued > 0 && oldest > UNTAKEN_S)
    .map(({ version, queued, oldest }) => ({
      kind: 'version_not_taken',
      owner,
      subject: [queue, version],
      data: { queue, version, waiting: queued, oldest_s: Math.round(oldest) },
      begins: true,
    }));
}

async function starving(context: Context, figures: QueueFigures): Promise<readonly Alert[]> {
  const { queue, oldest, succeeded, failed, cancelled } = figures;
  if (oldest <= STARVES_S) return [];
  const { groups } = await readGroupFigures(context, queue);
  // where no job ends it is the queue that stands still, and not a group that is passed by
  const isMoving = succeeded + failed + cancelled > 0;
  return groups
    .filter((one) => one.oldest > STARVES_S)
    .toSorted((one, other) => other.oldest - one.oldest)
    .map(({ group, waiting, running, oldest: age }, place) => ({
      kind: 'group_starves',
      owner: ownerOf(context, queue),
      subject: [queue, group],
      data: { queue, group, waiting, running, oldest_s: Math.round(age) },
      // one that has begun goes on while it waits, however many wait longer
      begins: isMoving && place < MOST_SHOWN,
    }));
}
