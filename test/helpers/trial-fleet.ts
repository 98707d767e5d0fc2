import { loadConfig } from '#src/system/config.ts';
import { openContext } from '#src/system/context.ts';
import { startFleet } from '#workers/fleet.ts';
import { works } from './trial.ts';

/** A fleet for trial jobs in a process of its own, to be killed. */
const context = await openContext(loadConfig(), 'worker');
const fleet = await startFleet(context, {
  name: 'trial',
  works,
  module: new URL('./trial.ts', import.meta.url),
  concurrency: 20,
});
const stop = async () => {
  await fleet.drain();
  await context[Symbol.asyncDispose]();
  process.exit(0);
};
process.once('SIGTERM', () => void stop());
process.once('disconnect', () => void stop());
process.send?.('ready');
