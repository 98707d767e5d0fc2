import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gaugeRefusedGroups } from '#src/access/limits/refused-groups.ts';
import { admitWork } from '#src/access/quota.ts';
import { startLiveFeed } from '#src/analytics/feed/live-feed.ts';
import { alertSource } from '#src/analytics/live/alert-source.ts';
import { gaugeFeeds } from '#src/analytics/live/feed-freshness.ts';
import { startClosingCalls } from '#src/governance/budgets/close-calls.ts';
import { startEndingUnknownCalls } from '#src/governance/calls/end-unknown-calls.ts';
import { startGoverningJobs } from '#src/governance/jobs/govern-jobs.ts';
import { gaugeNotifications } from '#src/governance/notifications/notification-gauges.ts';
import { startNotifications } from '#src/governance/notifications/start-notifications.ts';
import { gaugeWork } from '#src/governance/work-gauges.ts';
import { openChanges } from '#src/http/jobs/publish-changes.ts';
import { startOperations } from '#src/http/operations/publish-operations.ts';
import { presetCounters } from '#src/jobs/figures/preset-counters.ts';
import { gaugeQueues } from '#src/jobs/figures/queue-gauges.ts';
import { startFlows } from '#src/jobs/flows/start-flows.ts';
import { startHistory } from '#src/jobs/history/fill-history.ts';
import { gaugeRelay, startRelay } from '#src/jobs/ledger/relay.ts';
import { registryOf } from '#src/jobs/registry/registry.ts';
import { startSchedules } from '#src/jobs/schedules/start-schedules.ts';
import { gaugeRetention } from '#src/jobs/sweep/retention-gauge.ts';
import { startSweep } from '#src/jobs/sweep/sweep.ts';
import { gaugeWakes, startWaker } from '#src/jobs/wake/waker.ts';
import { sharedAnswer } from '#src/lib/async/shared-answer.ts';
import { AppError } from '#src/lib/errors.ts';
import { startConductor } from '#src/missions/run/conductor.ts';
import { gaugeBatches } from '#src/platform/batches/batch-gauges.ts';
import { startPlatform } from '#src/platform/start-platform.ts';
import { startWebhooks } from '#src/platform/webhooks/start-webhooks.ts';
import { startAssetRetention } from '#src/providers/assets/asset-retention.ts';
import { gaugeAnchors } from '#src/receipts/anchor/anchor-gauges.ts';
import { startAnchors } from '#src/receipts/anchor/start-anchors.ts';
import { startSealingJobs } from '#src/receipts/jobs/start-sealing-jobs.ts';
import { startManifestAnchors } from '#src/receipts/manifest-anchors.ts';
import { startStudio } from '#src/studio/live/start-studio.ts';
import type { Config } from '#src/system/config/config-type.ts';
import type { Context } from '#src/system/context.ts';
import { whyUnready } from '#src/system/health/readiness.ts';
import { gaugeSchema, untilMigrated } from '#src/system/health/schema-state.ts';
import { serveMetrics } from '#src/system/metrics-server.ts';
import { removeLeftFolders } from '#src/system/temporary-folders.ts';
import { buildApp } from './app.ts';

/**
 * An API process that listens. Disposing turns it unready, ends streams, lets requests finish, within
 * DRAIN_DEADLINE_MS.
 */
export interface Served extends AsyncDisposable {
  /** `http://host:port` as it listens here. */
  readonly url: string;
  readonly metricsPort: number;
}

type Surface = Config['SURFACES'][number];

interface Loop {
  readonly start: (context: Context) => AsyncDisposable;
  /** Surfaces whose work it does; without them every process does it. */
  readonly of?: readonly Surface[];
}

const sealing: readonly Surface[] = ['studio', 'missions', 'platform'];

/** Background work of API processes beside their answers; most of it in one of them at a time. */
const loops: Readonly<Record<string, Loop>> = {
  sweep: { start: startSweep },
  waker: { start: startWaker },
  flows: { start: startFlows },
  schedules: { start: (context) => startSchedules(context, admitWork(context)) },
  relay: { start: (context) => startRelay(context, openChanges) },
  operations: { start: startOperations },
  history: { start: startHistory },
  liveFeed: { start: startLiveFeed, of: ['analytics'] },
  conductor: { start: startConductor, of: ['missions'] },
  anchors: { start: startAnchors, of: sealing },
  manifestAnchors: { start: startManifestAnchors, of: sealing },
  studio: { start: startStudio, of: ['studio'] },
  webhooks: { start: startWebhooks, of: ['platform'] },
  notifications: { start: (context) => startNotifications(context, [alertSource]) },
  platform: { start: startPlatform, of: ['platform'] },
  assetRetention: { start: startAssetRetention, of: sealing },
  sealingJobs: { start: startSealingJobs },
  governingJobs: { start: startGoverningJobs },
  closingCalls: { start: startClosingCalls, of: sealing },
  endingUnknownCalls: { start: startEndingUnknownCalls, of: sealing },
};

/** Names of the loops that a process runs which serves these surfaces, in the order in which they start. */
export function loopsOf(surfaces: readonly Surface[]): readonly string[] {
  return Object.entries(loops).flatMap(([name, { of }]) =>
    of === undefined || of.some((one) => surfaces.includes(one)) ? [name] : [],
  );
}

/**
 * Serves the API, the metrics, and takes part in the elections for the loops of its surfaces. Until the database has
 * the migrations of this release it serves the metrics and probes alone.
 *
 * @throws the signal's reason when that aborts before it listens.
 */
export async function serve(context: Context, stopping: AbortSignal = new AbortController().signal): Promise<Served> {
  const { config, log } = context;
  let draining = false;
  let isListening = false;
  // Without Redis jobs are accepted and wait (one that may lose them is another matter); unready, every API process at
  // once would be taken from its callers. Probes of the public port are anonymous: many of them must not cost many
  // queries.
  const whyNot = sharedAnswer(1_000, () => whyUnready(context, ['Postgres', 'schema', 'eviction']));
  const ready = async () => (draining ? 'draining' : ((await whyNot()) ?? (isListening ? null : 'starting')));

  await using starting = new AsyncDisposableStack();
  const metrics = starting.use(await serveMetrics(context, ready));
  gaugeSchema(context);
  const left = removeLeftFolders();
  if (left.length > 0) log.info({ folders: left }, 'folders of processes that had died were removed');
  await untilMigrated(context, stopping);
  // before and longer than the API: requests that finish may wait for an event
  const running = loopsOf(config.SURFACES);
  for (const name of running) starting.use(loops[name]!.start(context));
  gaugeQueues(context);
  gaugeRefusedGroups(context);
  presetCounters(context.metrics, registryOf(context).names());
  gaugeRelay(context);
  gaugeRetention(context);
  gaugeWakes(context);
  gaugeAnchors(context);
  gaugeWork(context);
  gaugeNotifications(context);
  gaugeBatches(context);
  gaugeFeeds(context);
  const app = await buildApp(context, { whyUnready: ready });
  starting.defer(() => closeInTime(app, config.DRAIN_DEADLINE_MS));
  await app.listen({ port: config.PORT, host: config.HOST }).catch((error: unknown) => {
    throw cannotListen(config, error);
  });
  isListening = true;
  const started = starting.move();
  const { address, family, port } = app.server.address() as AddressInfo;
  const url = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  log.info({ url, metrics: metrics.port, loops: running }, 'listening');

  return {
    url,
    metricsPort: metrics.port,
    [Symbol.asyncDispose]: async () => {
      draining = true;
      log.info('draining');
      // still serving, so that a load balancer sends no request to a closed port
      if (config.UNREADY_MS > 0) await sleep(config.UNREADY_MS);
      await started.disposeAsync();
    },
  };
}

function cannotListen({ HOST, PORT }: Config, error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) return error;
  const message = `PORT: expected a free port of ${HOST}, got ${PORT}, which is in use: stop who uses it, or set another.`;
  return new AppError('invalid_configuration', message, { variable: 'PORT' }, error);
}

/** Stops accepting and lets requests finish; what is left at the deadline is cut off. */
async function closeInTime(app: Awaited<ReturnType<typeof buildApp>>, deadlineMs: number): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), deadlineMs);
  await app.close();
  clearTimeout(timer);
}
