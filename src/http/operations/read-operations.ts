import { type FleetView, fleetView, type QueueView, queueView } from '#src/http/views/operations-view.ts';
import { readPauses } from '#src/jobs/broker/queue-pauses.ts';
import { readFleets } from '#src/jobs/figures/fleet-figures.ts';
import { readQueueFigures } from '#src/jobs/figures/queue-figures.ts';
import { queueWorkers } from '#src/jobs/figures/queue-workers.ts';
import type { Context } from '#src/system/context.ts';

/** How every queue stands, of one owner's jobs, or of everybody's (null). */
export async function readQueues(context: Context, owner: string | null): Promise<QueueView[]> {
  const [figures, pauses, workersOf] = await Promise.all([
    readQueueFigures(context, owner),
    readPauses(context),
    queueWorkers(context)(),
  ]);
  return figures.map((one) => queueView(one, pauses.get(one.queue), workersOf(one.queue)));
}

export async function readFleetViews(context: Context): Promise<FleetView[]> {
  return (await readFleets(context)).map(fleetView);
}
