import { generate } from '#queues/providers.ts';
import { catalogueOf } from '#src/providers/catalogue/catalogue-load.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { openContext } from '#src/system/context.ts';
import { endInTime } from '#src/system/end-in-time.ts';
import { whyUnready } from '#src/system/health/readiness.ts';
import { gaugeSchema, untilMigrated } from '#src/system/health/schema-state.ts';
import { openLog } from '#src/system/logging/log.ts';
import { takeOutput } from '#src/system/logging/process-output.ts';
import { serveMetrics } from '#src/system/metrics-server.ts';
import { assertServersAnswer } from '#src/system/servers-answer.ts';
import { removeLeftFolders } from '#src/system/temporary-folders.ts';
import { startFleet } from '#workers/run/fleet.ts';
import { handlersOf } from './fleets.ts';

/** One worker process: `main.ts <fleet...>`. Ends on SIGTERM or SIGINT, or when the process that started it is gone. */
const names = process.argv.slice(2);
// before anything is opened: a fleet that cannot run must not look alive
const handlers = handlersOf(names);
const config = loadConfig();
const end = endInTime(config.DRAIN_DEADLINE_MS, () => openLog(config, 'worker'));

// a fleet would say that it is ready, and run nothing
await assertServersAnswer(config, end.signal).catch((error: unknown) => {
  if (end.signal.aborted) process.exit(0);
  throw error;
});
const context = await openContext(config, 'worker');
takeOutput(context.log);
// a wrong file of providers is reported now, and not by the first job that needs one
if (handlers.some(({ queue }) => queue.name === generate.name)) catalogueOf(context);
let draining = false;
const metrics = await serveMetrics(context, async () => (draining ? 'draining' : await whyUnready(context)));
gaugeSchema(context);
const left = removeLeftFolders();
if (left.length > 0) context.log.info({ folders: left }, 'folders of processes that had died were removed');
if (await isMigrated()) await work();
end.stage('the metrics server');
await metrics[Symbol.asyncDispose]();
end.stage('the closing of connections');
await context[Symbol.asyncDispose]();
process.exit(0);

/** Waits for the migrations of this release; false when the process is to stop before. */
async function isMigrated(): Promise<boolean> {
  await untilMigrated(context, end.signal).catch((error: unknown) => {
    if (!end.signal.aborted) throw error;
  });
  return !end.signal.aborted;
}

/** Runs the fleet until the process gets a signal to stop. */
async function work(): Promise<void> {
  const fleet = await startFleet(context, {
    name: names.join('+'),
    handlers,
    module: new URL('./handlers.ts', import.meta.url),
  });
  process.send?.({ ready: { role: 'worker', metricsPort: metrics.port } });
  await end.requested;
  draining = true;
  end.stage('the fleet');
  await fleet.drain();
}
