import type { QueueView } from '#src/http/views/operations-view.ts';

/** Why jobs of a queue are not started: no worker of its fleets runs, or none takes a version; empty where they are. */
export function idleNote({ workers, fleets, versions }: QueueView): string {
  if (fleets.length > 0) return workers === 0 ? 'no worker' : '';
  return versions.flatMap(({ warning }) => warning ?? []).join('; ');
}
