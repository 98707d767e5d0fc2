import { setTimeout as sleep } from 'node:timers/promises';
import { startConsumer, startProducer } from '#bench/children/start-peers.ts';
import { type Helper, startHelper } from '#bench/lib/calls.ts';
import { type Claim, interleaved } from '#bench/lib/claim.ts';
import { now } from '#bench/lib/clock.ts';
import { compareRates } from '#bench/lib/comparison.ts';
import { bestOf, type Cost, costOf, costRows } from '#bench/lib/cost.ts';
import { figure, table } from '#bench/lib/markdown.ts';
import type { Servers } from '#bench/lib/servers.ts';
import type { PeerName } from '#bench/peers/peers.ts';
import { startOpenApi, startRemote } from './open-api.ts';

interface Case {
  readonly name: string;
  readonly peer: PeerName | 'sdk' | 'raw';
  readonly concurrency: number;
  readonly workers: number;
}

const cases: readonly Case[] = [
  { name: 'proofline over HTTP, @proofline/worker, capacity 100', peer: 'sdk', concurrency: 100, workers: 1 },
  { name: 'proofline over HTTP, @proofline/worker, capacity 100 x 2', peer: 'sdk', concurrency: 100, workers: 2 },
  { name: 'proofline over HTTP, bare requests, capacity 100 x 2', peer: 'raw', concurrency: 100, workers: 2 },
  { name: 'own fleet, concurrency 200', peer: 'proofline', concurrency: 200, workers: 1 },
  { name: 'bullmq, concurrency 50', peer: 'bullmq', concurrency: 50, workers: 1 },
  { name: 'graphile-worker, local queue 500', peer: 'graphile-worker, local queue', concurrency: 10, workers: 1 },
  { name: 'pg-boss, batch 100 x 2', peer: 'pg-boss', concurrency: 2, workers: 1 },
];

const LEAST = 2_000;

/** Trivial jobs that wait already, taken by workers with nothing but a key and an address. */
export const remoteWorkers: Claim = async (servers, { quick, say }) => {
  const results = await interleaved(cases, quick ? 1 : 3, say, (one) => measure(servers, one, quick ? 5 : 1));
  const ours = bestOf(results, 'proofline over HTTP, @proofline/worker');
  return {
    title: 'Workers elsewhere, trivial jobs',
    body: [
      'Jobs that wait are claimed, run, and settled; measured from the 3,000th to the 13,000th that has ended. Ours over HTTP pass a whole API process, which also relays and sweeps; the others talk to their store themselves. Processor time is in microseconds a job.',
      table(
        ['case', 'jobs/s min / median / max', 'to bullmq', 'API', 'workers', 'Postgres', 'Redis', 'all'],
        costRows(results, bestOf(results, 'bullmq'), ['API', 'workers', 'postgres', 'redis']),
      ),
    ].join('\n\n'),
    compared: [
      compareRates(
        'run by workers elsewhere (theirs: beside their store)',
        results,
        'proofline over HTTP, @proofline/worker',
      ),
    ],
    verdicts: [
      {
        promise: `workers elsewhere at least ${figure(LEAST)} jobs/s over HTTP`,
        measured: `${figure(ours)} jobs/s`,
        held: ours >= LEAST,
      },
    ],
  };
};

async function measure(servers: Servers, one: Case, share: number): Promise<Cost> {
  const [warm, count] = [3_000 / share, 10_000 / share];
  await using stack = new AsyncDisposableStack();
  const { API, start } =
    one.peer === 'sdk' || one.peer === 'raw'
      ? await fillRemote(servers, stack, one.peer, one.concurrency, warm + count)
      : await fillPeer(servers, stack, one.peer, one.concurrency, warm + count);
  const workers = await Promise.all(Array.from({ length: one.workers }, async () => stack.use(await start())));
  const from = await untilDone(workers, warm);
  return await costOf(servers, { API, workers }, count, async () => ({
    from,
    to: await untilDone(workers, warm + count),
  }));
}

interface Filled {
  readonly API: readonly Helper[];
  readonly start: () => Promise<Helper>;
}

async function fillRemote(
  servers: Servers,
  stack: AsyncDisposableStack,
  kind: 'sdk' | 'raw',
  concurrency: number,
  count: number,
): Promise<Filled> {
  const { api, address } = await startOpenApi(servers);
  stack.use(api);
  await using caller = await startHelper(new URL('../../children/bulk-load.ts', import.meta.url), {});
  await caller.call('bulk', { ...address, queue: 'bench.do-nothing', together: 5_000, width: 1, count });
  return { API: [api], start: () => startRemote(kind, concurrency, address) };
}

async function fillPeer(
  servers: Servers,
  stack: AsyncDisposableStack,
  peer: PeerName,
  concurrency: number,
  count: number,
): Promise<Filled> {
  const env = await servers.fresh(peer === 'proofline' ? 'ours' : 'empty');
  const producer = await startProducer(env, peer);
  await producer.call('add', { count, width: 200 });
  const start = () => startConsumer(env, peer, concurrency);
  // that of our own fleet relays and sweeps, as an API process does
  if (peer === 'proofline') return { API: [stack.use(producer)], start };
  await producer[Symbol.asyncDispose]();
  return { API: [], start };
}

/** Time at which so many jobs have ended at all workers together. @throws after two minutes. */
async function untilDone(workers: readonly Helper[], wanted: number): Promise<number> {
  for (const deadline = now() + 120_000; ; await sleep(3)) {
    const each = await Promise.all(workers.map((worker) => worker.call<number>('done')));
    const done = each.reduce((sum, count) => sum + count, 0);
    if (done >= wanted) return now();
    if (now() > deadline) throw new Error(`expected ${wanted} jobs within two minutes, got ${done}`);
  }
}
