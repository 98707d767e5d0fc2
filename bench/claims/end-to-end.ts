import { startConsumer, startProducer } from '#bench/children/start-peers.ts';
import { type BenchOptions, type Claim, interleaved } from '#bench/lib/claim.ts';
import { compareRates } from '#bench/lib/comparison.ts';
import { atLeast, figure, spreadText, table } from '#bench/lib/markdown.ts';
import type { Servers } from '#bench/lib/servers.ts';
import { spread } from '#bench/lib/statistics.ts';
import type { PeerName } from '#bench/peers/peers.ts';

interface Case {
  readonly name: string;
  readonly peer: PeerName;
  /** Submissions in flight. */
  readonly width: number;
  readonly concurrency: number;
}

interface Result {
  readonly perSecond: number;
  /** Processor time per job, microseconds. */
  readonly cpu: Readonly<Record<'producer' | 'worker' | 'postgres' | 'redis', number>>;
}

const cases: readonly Case[] = [
  { name: 'proofline, 200 in flight, concurrency 200', peer: 'proofline', width: 200, concurrency: 200 },
  { name: 'proofline, 500 in flight, concurrency 500', peer: 'proofline', width: 500, concurrency: 500 },
  { name: 'bullmq, 50 in flight, concurrency 50', peer: 'bullmq', width: 50, concurrency: 50 },
  { name: 'bullmq, 200 in flight, concurrency 200', peer: 'bullmq', width: 200, concurrency: 200 },
  { name: 'bullmq, 500 in flight, concurrency 500', peer: 'bullmq', width: 500, concurrency: 500 },
  { name: 'graphile-worker, concurrency 10', peer: 'graphile-worker', width: 50, concurrency: 10 },
  { name: 'graphile-worker, local queue 500', peer: 'graphile-worker, local queue', width: 50, concurrency: 10 },
  { name: 'pg-boss, batch 100 x 2', peer: 'pg-boss', width: 50, concurrency: 2 },
];

const isFast = (peer: PeerName) => peer === 'proofline' || peer === 'bullmq';

/** A producer process and a worker process, trivial jobs: from the first submission to the last settled job. */
export const endToEnd: Claim = async (servers, options) => {
  const { quick, say, known } = options;
  const results = await interleaved(cases, quick ? 1 : 3, say, (one) => measure(servers, one, options));
  const rates = new Map([...results].map(([one, list]) => [one.name, spread(list.map(({ perSecond }) => perSecond))]));
  const medianOf = (peer: string) =>
    Math.max(...[...rates].filter(([name]) => name.startsWith(peer)).map(([, { median }]) => median));
  const ours = medianOf('proofline');
  known.endToEndPerSecond = ours;
  const cpuOf = (list: readonly Result[], who: keyof Result['cpu']) =>
    figure(spread(list.map(({ cpu }) => cpu[who])).median);
  const rows = [...results].map(([one, list]) => [
    one.name,
    spreadText(spread(list.map(({ perSecond }) => perSecond))),
    figure((rates.get(one.name)?.median ?? 0) / medianOf('bullmq')),
    ...(['producer', 'worker', 'postgres', 'redis'] as const).map((who) => cpuOf(list, who)),
  ]);
  const against = (peer: string, least: number) =>
    atLeast(`end to end, to ${peer} (best of each),`, least, ours / medianOf(peer), 'times');
  return {
    title: 'End to end, trivial jobs',
    body: [
      'One producer process (ours is a whole API process without HTTP: it submits, relays and sweeps) and one worker process. Processor time is in microseconds a job.',
      table(['case', 'jobs/s min / median / max', 'to bullmq', 'producer', 'worker', 'Postgres', 'Redis'], rows),
    ].join('\n\n'),
    compared: [compareRates('submitted, run and settled', results)],
    verdicts: [against('bullmq', 1.1), against('graphile-worker', 10), against('pg-boss', 10)],
  };
};

async function measure(servers: Servers, { peer, width, concurrency }: Case, { quick }: BenchOptions): Promise<Result> {
  const env = await servers.fresh(peer === 'proofline' ? 'ours' : 'empty');
  // one after the other: two that make the same tables at once fail
  await using producer = await startProducer(env, peer);
  await using consumer = await startConsumer(env, peer, concurrency);
  // long enough that what is measured is the work, not the compilation of the code that does it
  const warm = (isFast(peer) ? 10_000 : 1_000) / (quick ? 10 : 1);
  const count = (isFast(peer) ? 30_000 : 5_000) / (quick ? 10 : 1);
  await producer.call('add', { count: warm, width });
  await consumer.call('until', warm);

  const used = async () => ({
    producer: await producer.call<number>('cpu'),
    worker: await consumer.call<number>('cpu'),
    ...servers.cpu(),
  });
  const before = await used();
  const [{ from }, to] = await Promise.all([
    producer.call<{ from: number; to: number }>('add', { count, width }),
    consumer.call<number>('until', warm + count),
  ]);
  const after = await used();
  const perJob = (who: keyof Result['cpu']) => ((after[who] - before[who]) * 1_000) / count;
  return {
    perSecond: count / ((to - from) / 1_000),
    cpu: {
      producer: perJob('producer'),
      worker: perJob('worker'),
      postgres: perJob('postgres'),
      redis: perJob('redis'),
    },
  };
}
