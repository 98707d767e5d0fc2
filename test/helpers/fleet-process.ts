import { loadConfig } from '#src/system/config/config.ts';
import { type Context, openContext } from '#src/system/context.ts';
import { type FleetOptions, startFleet } from '#workers/run/fleet.ts';
import { cannotStart } from './servers/cannot-start.ts';

/**
 * Runs a fleet in this process, to be killed: says when it is ready, drains when it is asked to end or its parent is gone.
 */
export async function runFleetProcess(
  options: Pick<FleetOptions, 'name' | 'handlers' | 'module' | 'concurrency'>,
  prepare: (context: Context) => void = () => {},
): Promise<void> {
  const { context, fleet } = await start(options, prepare).catch(cannotStart(`the fleet ${options.name}`));
  const stop = async () => {
    await fleet.drain();
    await context[Symbol.asyncDispose]();
    process.exit(0);
  };
  process.once('SIGTERM', () => void stop());
  process.once('disconnect', () => void stop());
  process.send?.('ready');
}

async function start(options: Parameters<typeof runFleetProcess>[0], prepare: (context: Context) => void) {
  const context = await openContext(loadConfig(), 'worker');
  prepare(context);
  return { context, fleet: await startFleet(context, { concurrency: 20, ...options }) };
}
