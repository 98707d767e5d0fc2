import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { type Helper, type Memory, startHelper } from '#bench/lib/calls.ts';
import { type BenchOptions, type Claim, interleaved } from '#bench/lib/claim.ts';
import { atMost, figure, spreadText, table } from '#bench/lib/markdown.ts';
import type { Servers } from '#bench/lib/servers.ts';
import { spread } from '#bench/lib/statistics.ts';
import { publishTicks } from '#bench/load/tick-stream.ts';

interface Case {
  readonly name: string;
  readonly kind: 'hub, SSE' | 'hub, WebSocket' | 'bare SSE';
  readonly clients: number;
}

interface Result {
  readonly share: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly kbEach: number;
  readonly cpuShare: number;
}

const PER_SECOND = 100;
/** Wait after the last message was published: messages under way then may still arrive. */
const settleMs = 250;

const MANY = 5_000;
const MOST_MS = 60;
const MOST_KB = 20;

const cases: readonly Case[] = [100, 1_000, MANY].flatMap((clients) =>
  (['hub, SSE', 'hub, WebSocket', 'bare SSE'] as const).map((kind) => ({ name: `${clients} ${kind}`, kind, clients })),
);

/** One stream of 100 messages a second of 300 bytes, to many clients of one process. */
export const fanOut: Claim = async (servers, options) => {
  const { quick, say } = options;
  const wanted = quick ? cases.filter(({ clients }) => clients <= 1_000) : cases;
  const results = await interleaved(wanted, quick ? 1 : 3, say, (one) => measure(servers, one, options));
  const text = (list: readonly Result[], pick: (result: Result) => number) => spreadText(spread(list.map(pick)));
  return {
    title: 'Fan-out: 100 messages/s of 300 bytes to every client of one process',
    body: [
      'Clients live in one other process, which shares the cores and its own delay counts; latency is from publication, at 50 of the clients. The bare writer does nothing but coalesce per turn of the event loop: no replay, no bounds, no keys. Memory is of the process (RSS after a collection), without the kernel.',
      table(
        ['clients', 'delivered share', 'messages/s', 'p50 ms', 'p99 ms', 'kB each', 'CPU of the server'],
        [...results].map(([{ name }, list]) => [
          name,
          text(list, ({ share }) => share),
          figure(spread(list.map(({ perSecond }) => perSecond)).median),
          text(list, ({ p50 }) => p50),
          text(list, ({ p99 }) => p99),
          figure(spread(list.map(({ kbEach }) => kbEach)).median),
          `${figure(spread(list.map(({ cpuShare }) => cpuShare * 100)).median)} %`,
        ]),
      ),
    ].join('\n\n'),
    compared: [...results]
      .filter(([{ kind }]) => kind === 'hub, SSE')
      .map(([{ clients }, list]) => ({
        what: `${figure(clients)} subscribers of 100 messages/s, p99`,
        unit: 'ms',
        ours: spread(list.map(({ p99 }) => p99)).median,
        peers: {
          'bare SSE': spread(
            [...results]
              .filter(([one]) => one.kind === 'bare SSE' && one.clients === clients)
              .flatMap(([, bare]) => bare.map(({ p99 }) => p99)),
          ).median,
        },
      })),
    verdicts: [...results]
      .filter(([{ kind }]) => kind !== 'bare SSE')
      .flatMap(([{ name, clients }, list]) => {
        const of = (pick: (result: Result) => number) => spread(list.map(pick)).median;
        const delivered = of(({ share }) => share);
        const all = {
          promise: `${name}: everything is delivered`,
          measured: `${figure(delivered * 100)} %`,
          held: delivered > 0.99,
        };
        if (clients < MANY) return [all];
        return [
          all,
          atMost(
            `${name}: p99`,
            MOST_MS,
            of(({ p99 }) => p99),
            'ms',
          ),
          atMost(
            `${name}: memory of a client`,
            MOST_KB,
            of(({ kbEach }) => kbEach),
            'kB',
          ),
        ];
      }),
  };
};

async function measure(servers: Servers, { kind, clients }: Case, { quick }: BenchOptions): Promise<Result> {
  const env = await servers.fresh('ours');
  const file = kind === 'bare SSE' ? '../children/bare-sse.ts' : '../children/api.ts';
  await using server = await startHelper(new URL(file, import.meta.url), env);
  await using load = await startHelper(new URL('../children/clients.ts', import.meta.url), env);
  using redis = publisher(env['REDIS_URL'] ?? '');
  const { port } = await server.call<{ port: number }>('address');
  // the first clients pay for what is loaded once
  const target = {
    port,
    path: { 'hub, SSE': '/bench/ticks', 'hub, WebSocket': '/ws/bench/ticks', 'bare SSE': '/' }[kind],
    websocket: kind === 'hub, WebSocket',
  };
  await load.call('connect', { ...target, count: 50 });
  await publishTicks(redis, PER_SECOND, 1);
  await load.call('close');
  await until(server, 0);
  const before = await server.call<Memory>('memory');
  await load.call('connect', { ...target, count: clients });
  await until(server, clients);
  const after = await server.call<Memory>('memory');

  await load.call('take');
  const cpuBefore = await server.call<number>('cpu');
  const from = performance.now();
  const sent = await publishTicks(redis, PER_SECOND, quick ? 2 : 4);
  const seconds = (performance.now() - from) / 1_000;
  // a server that has fallen behind by more has not delivered
  await sleep(settleMs);
  const { received, p50, p99 } = await load.call<{ received: number; p50: number; p99: number }>('take');
  const cpu = (await server.call<number>('cpu')) - cpuBefore;
  return {
    share: received / (sent * clients),
    perSecond: received / (seconds + settleMs / 1_000),
    p50,
    p99,
    kbEach: ((after.rssMb - before.rssMb) * 1_024) / clients,
    cpuShare: cpu / 1_000 / (seconds + settleMs / 1_000),
  };
}

function publisher(url: string): Redis & Disposable {
  const redis = new Redis(url);
  return Object.assign(redis, { [Symbol.dispose]: () => redis.disconnect() });
}

async function until(server: Helper, followers: number): Promise<void> {
  for (
    const deadline = performance.now() + 30_000;
    (await server.call<number>('followers')) !== followers;
    await sleep(10)
  )
    if (performance.now() > deadline) throw new Error(`expected ${followers} followers within 30 s`);
}
