import type { Context } from '#src/system/context.ts';
import { handlers } from '#workers/handlers.ts';
import { type Fleet, startFleet } from '#workers/run/fleet.ts';

/** Starts a fleet that acts on many jobs, and takes nothing else. */
export async function startActingFleet(context: Context, concurrency = 1): Promise<Fleet> {
  return await startFleet(context, {
    name: 'platform',
    handlers: handlers.filter(({ queue }) => queue.name === 'jobs.act'),
    module: new URL(import.meta.resolve('#workers/handlers.ts')),
    concurrency,
  });
}
