import { fleets } from '#queues/fleets.ts';
import type { Pause } from '#src/jobs/broker/queue-pauses.ts';
import type { QueueFigures } from '#src/jobs/figures/queue-figures.ts';
import { registryOf } from '#src/jobs/registry/registry.ts';
import type { Context } from '#src/system/context.ts';
import { type Alert, OPERATORS, PAUSED_S, UNTAKEN_S } from './alert.ts';

/** Finds paused queues in which jobs wait that could run. One goes on until the queue is resumed, or none waits any more. */
export function pausedAlerts(
  context: Context,
  pauses: ReadonlyMap<string, Pause>,
  figures: readonly QueueFigures[],
  now: number,
): readonly Alert[] {
  return figures.flatMap(({ queue, queued, oldest }) => {
    const pause = pauses.get(queue);
    if (!pause || queued === 0) return [];
    const { at, by, reason } = pause;
    return [
      {
        kind: 'queue_paused',
        owner: registryOf(context).ownerOf(queue) ?? OPERATORS,
        subject: [queue],
        data: { queue, paused_at: at.toISOString(), by, reason, waiting: queued, oldest_s: Math.round(oldest) },
        begins: now - at.getTime() > PAUSED_S * 1_000,
      },
    ];
  });
}

/**
 * Finds fleets of the product without a worker, for operators: a worker takes all queues of its fleet, so that one which
 * no worker takes says it. It begins with a job that waits for it, and goes on until a worker is there.
 */
export function goneAlerts(
  pauses: ReadonlyMap<string, Pause>,
  figures: readonly QueueFigures[],
  workersOf: (queue: string) => number | null,
): readonly Alert[] {
  const of = new Map(figures.map((one) => [one.queue, one]));
  return Object.entries(fleets).flatMap(([fleet, queues]) => {
    const idle = queues.filter((queue) => workersOf(queue) === 0);
    if (idle.length === 0) return [];
    const waits = idle
      .flatMap((queue) => (pauses.has(queue) ? [] : [of.get(queue)]))
      .filter((one) => one !== undefined);
    const oldest = Math.max(0, ...waits.map((one) => one.oldest));
    const waiting = waits.reduce((sum, { queued }) => sum + queued, 0);
    return [
      {
        kind: 'fleet_gone',
        owner: OPERATORS,
        subject: [fleet],
        data: { fleet, queues: idle, waiting, oldest_s: Math.round(oldest) },
        begins: waiting > 0 && oldest > UNTAKEN_S,
      },
    ];
  });
}
