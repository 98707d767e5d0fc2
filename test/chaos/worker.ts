import { loadConfig } from '#src/system/config.ts';
import { openContext } from '#src/system/context.ts';
import { startFleet } from '#workers/fleet.ts';
import { works } from './queue.ts';
import { seeded } from './random.ts';
import { withholdAdds } from './withhold.ts';

/** A worker process of the chaos test. */
const [seed = '1'] = process.argv.slice(2);
const context = await openContext(loadConfig(), 'worker');
withholdAdds(context, seeded(Number(seed)), 0.02);
const fleet = await startFleet(context, {
  name: 'chaos',
  works,
  module: new URL('./queue.ts', import.meta.url),
  concurrency: 20,
});
const stop = async () => {
  await fleet.drain();
  await context[Symbol.asyncDispose]();
  process.exit(0);
};
process.once('SIGTERM', () => void stop());
process.once('disconnect', () => process.exit(0));
process.send?.('ready');
