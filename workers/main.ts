import { generate } from '#queues/providers.ts';
import { catalogueOf } from '#src/providers/catalogue-load.ts';
import { loadConfig } from '#src/system/config.ts';
import { openContext } from '#src/system/context.ts';
import { openLog } from '#src/system/log.ts';
import { serveMetrics } from '#src/system/metrics-server.ts';
import { whyUnready } from '#src/system/readiness.ts';
import { startFleet } from './fleet.ts';
import { worksOf } from './fleets.ts';

/** What a drain may take beyond `DRAIN_DEADLINE_MS`, with every server away. */
const HARD_MS = 3_500;

/** One worker process: `main.ts <fleet...>`. Ends on SIGTERM or SIGINT, or when the process that started it is gone. */
const names = process.argv.slice(2);
// before anything is opened: a fleet that cannot run must not look alive
const works = worksOf(names);
const config = loadConfig();
const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
let stage = 'the start';
const askToStop = () => {
  stop();
  // whatever hangs, at its start or its end: a process that was asked to stop must not stay
  setTimeout(() => {
    openLog(config, 'worker').fatal(
      `${stage} did not end within ${config.DRAIN_DEADLINE_MS + HARD_MS} ms after the stop`,
    );
    process.exit(1);
  }, config.DRAIN_DEADLINE_MS + HARD_MS).unref();
};
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, askToStop);
process.once('disconnect', askToStop);

const context = await openContext(config, 'worker');
// a wrong file of providers is told now, and not by the first job that needs one
if (works.some(({ queue }) => queue.name === generate.name)) catalogueOf(context);
let draining = false;
const metrics = await serveMetrics(context, async () => (draining ? 'draining' : await whyUnready(context)));
const fleet = await startFleet(context, {
  name: names.join('+'),
  works,
  module: new URL('./works.ts', import.meta.url),
});
process.send?.({ ready: { role: 'worker', metricsPort: metrics.port } });

await stopped;
draining = true;
stage = 'the fleet';
await fleet.drain();
stage = 'the metrics server';
await metrics[Symbol.asyncDispose]();
stage = 'the closing of connections';
await context[Symbol.asyncDispose]();
process.exit(0);
