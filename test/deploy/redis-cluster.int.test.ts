import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Cluster } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { queues } from '#queues/index.ts';
import { openLimits } from '#src/access/limits/request-limits.ts';
import { endSession, readSession, writeSession } from '#src/access/sessions/session-store.ts';
import { liveKeys, publishLive, readAnswer } from '#src/analytics/live/publish-live.ts';
import { openChanges } from '#src/http/jobs/publish-changes.ts';
import { startOperations } from '#src/http/operations/publish-operations.ts';
import { readPausedInBroker } from '#src/jobs/broker/broker.ts';
import { brokerPrefix } from '#src/jobs/broker/broker-names.ts';
import { pauseQueue, resumeQueue } from '#src/jobs/broker/queue-pauses.ts';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { startRelay } from '#src/jobs/ledger/relay.ts';
import { readLines } from '#src/jobs/log/log-store.ts';
import { type Submission, submit } from '#src/jobs/submit/submit.ts';
import { startSweep } from '#src/jobs/sweep/sweep.ts';
import { circuitRules } from '#src/lib/async/circuit.ts';
import { admit, report } from '#src/providers/calls/admission.ts';
import { takeSlot, takeTurn } from '#src/providers/calls/concurrency.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { type Context, openContext } from '#src/system/context.ts';
import { openBus } from '#src/system/redis/bus.ts';
import { openSubscriber } from '#src/system/redis/redis.ts';
import { openChannels, publisherOf, subscribedChannels } from '#src/system/redis/redis-cluster.ts';
import { until } from '#test/helpers/processes.ts';
import { type RedisCluster, startRedisCluster } from '#test/helpers/servers/redis-cluster.ts';
import { handlers, trial } from '#test/helpers/trial.ts';
import { type TestApi, testApi } from '#test/http/api.ts';
import { openSse } from '#test/http/streams.ts';
import { provider } from '#test/providers/offers.ts';
import { startFleet } from '#workers/run/fleet.ts';

let cluster: RedisCluster;
let api: TestApi;
/** Another process of the same system, as far as Redis can tell. */
let other: Context;
let redis: Cluster;
const stack = new AsyncDisposableStack();

beforeAll(async () => {
  cluster = stack.use(await startRedisCluster());
  api = stack.use(await testApi({ ...cluster.settings, SWEEP_MS: '100', AUDIT_MS: '200', DRAIN_DEADLINE_MS: '300' }));
  other = stack.use(await openContext(loadConfig(api.env), 'worker'));
  if (other.redis.status !== 'ready') await once(other.redis, 'ready');
  if (!(api.context.redis instanceof Cluster)) throw new Error('expected a cluster, got a single Redis');
  redis = api.context.redis;
  startRelay(api.context, openChanges);
  startOperations(api.context);
  startSweep(api.context, [trial.name]);
  const options = { name: 'trial', handlers, module: new URL('../helpers/trial.ts', import.meta.url), concurrency: 20 };
  const fleet = await startFleet(other, options);
  stack.defer(async () => await fleet.drain());
  await api.app.listen({ port: 0, host: '127.0.0.1' });
}, 180_000);

afterAll(async () => await stack.disposeAsync());

const send = async (payload: Submission<typeof trial>['payload'], runAt = new Date()) =>
  (await submit(api.context, trial, { principal: { owner: 'owner-1' }, payload, runAt })).job;

/** Types of the events of a job's stream, from first to last, as a subscriber sees them; `saw` gets each. */
async function follow(id: string, headers: Record<string, string>, saw: (type: string) => void = () => {}) {
  const { port } = api.app.server.address() as { port: number };
  const stream = await openSse(`http://127.0.0.1:${port}/v1/jobs/${id}/events`, headers);
  const types: string[] = [];
  for await (const { event = '' } of stream.events) {
    types.push(event);
    saw(event);
  }
  return types;
}

test('jobs run and end on their streams, each event once', async () => {
  const { headers } = await api.key();
  const jobs = await Promise.all(
    Array.from({ length: 30 }, (_, n) => send(n % 3 === 0 ? { do: 'fail', until: 1 } : { do: 'succeed' })),
  );
  const seen = await Promise.all(jobs.map(({ id }) => follow(id, headers)));
  for (const [n, types] of seen.entries())
    expect(types).toEqual(
      n % 3 === 0 ? ['queued', 'started', 'retrying', 'started', 'succeeded'] : ['queued', 'started', 'succeeded'],
    );
});

test('a running job hears of its end from another node, and its follower too', async () => {
  const { headers } = await api.key();
  const job = await send({ do: 'wait' });
  const types = await follow(job.id, headers, (type) => {
    if (type === 'started') void cancelJob(api.context, job.id, 'owner-1');
  });
  expect(types.filter((type) => type !== 'progress')).toEqual(['queued', 'started', 'cancelled']);
});

test('circuits, places, turns, limits and sessions are shared by processes, and lie on every node', async () => {
  const left = api.context;
  const ids = Array.from({ length: 12 }, (_, n) => `vendor-${n}`);
  for (const id of ids) {
    const one = provider({ id, concurrency: 1, perMinute: 1 });
    const held = await takeSlot(left, one, AbortSignal.timeout(30_000));
    await expect(takeSlot(other, one, AbortSignal.timeout(30_000), 0)).rejects.toThrow(/takes at most 1 call at once/);
    await held[Symbol.asyncDispose]();
    expect(await takeTurn(other, one)).toBeGreaterThan(0);
    for (let n = 0; n < circuitRules.failures; n++) {
      const admission = await admit(left, one, 'image.generate');
      if (admission.admitted) await report(left, admission, 'failed');
    }
    expect((await admit(other, one, 'image.generate')).admitted).toBe(false);

    const session = randomUUID();
    await writeSession(left, session, { person: null });
    expect(await readSession(other, session)).toEqual({ person: null });
    await endSession(left, session);
    expect(await readSession(other, session)).toBeNull();

    await openLimits(left).ofCaller(id, { owner: 'alice', tier: 'standard' });
    const [minute] = await openLimits(other).ofCaller(id, { owner: 'alice', tier: 'standard' });
    expect((minute?.quota ?? 0) - (minute?.remaining ?? 0)).toBe(2);
  }
  const sizes = await Promise.all(redis.nodes('master').map((node) => node.dbsize()));
  expect(sizes).toHaveLength(3);
  expect(Math.min(...sizes)).toBeGreaterThan(0);
});

test('live streams are numbered, kept and heard, whichever node has them', async () => {
  const { config } = other;
  expect(publisherOf(other.redis)).toBe(publisherOf(other.redis));
  for (const name of ['market-SPX', 'market-NDX', 'market-SPY', 'alerts']) {
    const subscriber = openSubscriber(config, () => {});
    const bus = openBus(subscriber);
    const heard = Promise.withResolvers<string>();
    const { channel } = liveKeys(config, name);
    const subscription = bus.subscribe(channel, {
      message: heard.resolve,
      resubscribed: () => {},
    });
    await subscription.ready;
    // each connection listens at another node, and every node is queried
    expect(await subscribedChannels(other.redis, [channel, 'nobody'])).toEqual(new Set([channel]));
    const telling = { id: 'a', order: 1, events: [['tick', { spot: 1 }]], answers: new Map([['gex', '{}']]) } as const;
    expect(await publishLive(api.context, name, telling)).toBe(true);
    expect(await publishLive(other, name, telling)).toBe(false);
    expect(JSON.parse(await heard.promise)).toMatchObject({ n: 1, type: 'tick', data: { spot: 1 } });
    expect(await readAnswer(other, name, 'gex')).toBe('{}');
    subscription.close();
    subscriber.disconnect();
  }
});

test('a queue is paused on its node; changes of jobs, their logs and the figures of operations are published', async () => {
  const { context } = api;
  const { port } = api.app.server.address() as { port: number };
  const names = [...queues.keys(), trial.name];
  const inBroker = async () => [...(await readPausedInBroker(context, names))].filter(([, state]) => state !== 'no');
  await pauseQueue(context, trial.name, { by: 'op', reason: 'a test' });
  await until(async () => (await inBroker()).length === 1);
  expect(await inBroker()).toEqual([[trial.name, 'yes']]);

  const { headers } = await api.key({ operator: true });
  const open = async (path: string) => {
    const stream = await openSse(`http://127.0.0.1:${port}${path}`, headers);
    const saw = async (type: string, ...texts: readonly string[]) => {
      for (;;) {
        const { value, done } = await stream.events.next();
        if (done) throw new Error(`expected ${type} on ${path}, got the end of the stream`);
        if (value.event === type && texts.every((text) => value.data.includes(text))) return;
      }
    };
    return { saw, close: stream.close };
  };
  const changes = await open('/v1/jobs/events');
  const figures = await open('/v1/operations/events');
  await changes.saw('snapshot');
  const job = await send({ do: 'fail', until: 1 });
  await resumeQueue(context, trial.name, { by: 'op' });
  await changes.saw('job', job.id, 'succeeded');
  await figures.saw('operations', 'analytics.fit');
  expect(await openChannels(other.redis, `${other.config.REDIS_PREFIX}:*`)).not.toEqual([]);
  await until(async () => (await readLines(other, job.id, 0, 10)).length > 0);
  changes.close();
  figures.close();
});

test('a node is killed and comes back empty: what waited there runs, and its followers miss nothing', async () => {
  const { headers } = await api.key();
  const jobs = await Promise.all(
    Array.from({ length: 20 }, () => send({ do: 'succeed' }, new Date(Date.now() + 4_000))),
  );
  const following = jobs.map(({ id }) => follow(id, headers));
  const slot = await redis.cluster('KEYSLOT', `${brokerPrefix(api.context.config, trial.name)}:x`);
  const port = Number(redis.slots[slot]?.[0]?.split(':')[1]);
  const node = cluster.nodes.find((one) => one.port === port);
  if (!node) throw new Error(`expected the node of slot ${slot}, got port ${port}`);
  // it writes nothing to disk: only Postgres still knows these jobs
  await node.restart();
  for (const types of await Promise.all(following)) expect(types).toEqual(['queued', 'started', 'succeeded']);
});
