import { type Helper, startHelper } from '#bench/lib/calls.ts';
import { type BenchOptions, type Claim, interleaved } from '#bench/lib/claim.ts';
import { figure, spreadText, table } from '#bench/lib/markdown.ts';
import type { Servers } from '#bench/lib/servers.ts';
import { spread } from '#bench/lib/statistics.ts';
import type { PeerName } from '#bench/peers/peers.ts';

interface Case {
  readonly name: string;
  readonly peer: PeerName | 'http';
  readonly width: number;
  readonly count: number;
}

const cases: readonly Case[] = [
  { name: 'proofline submit(), 50 in flight', peer: 'proofline', width: 50, count: 20_000 },
  { name: 'proofline submit(), 200 in flight', peer: 'proofline', width: 200, count: 20_000 },
  { name: 'proofline submit(), 500 in flight', peer: 'proofline', width: 500, count: 20_000 },
  { name: 'proofline HTTP, 64 connections', peer: 'http', width: 64, count: 10_000 },
  { name: 'bullmq add, 50 in flight', peer: 'bullmq', width: 50, count: 40_000 },
  { name: 'graphile-worker addJob, 50 in flight', peer: 'graphile-worker', width: 50, count: 4_000 },
  { name: 'pg-boss send, 50 in flight', peer: 'pg-boss', width: 50, count: 4_000 },
];

/** Number of jobs that one process accepts durably each second while no worker consumes. */
export const submit: Claim = async (servers, options) => {
  const results = await interleaved(cases, options.quick ? 1 : 3, options.say, (one) => measure(servers, one, options));
  const rates = new Map([...results].map(([one, list]) => [one, spread(list)]));
  const bullmq = rates.get(cases.find(({ peer }) => peer === 'bullmq') ?? cases[0]!)?.median ?? Number.NaN;
  return {
    title: 'Submitting without consumers',
    body: [
      'Ours is on disk in Postgres, with its first event, when it is answered; BullMQ is in the memory of Redis, on disk within a second. HTTP is a POST with a key, its limits and its checks.',
      table(
        ['case', 'jobs/s min / median / max', 'to bullmq'],
        [...rates].map(([{ name }, rate]) => [name, spreadText(rate), figure(rate.median / bullmq)]),
      ),
    ].join('\n\n'),
    verdicts: [],
  };
};

async function measure(servers: Servers, { peer, width, count }: Case, { quick }: BenchOptions): Promise<number> {
  const env = await servers.fresh(peer === 'proofline' || peer === 'http' ? 'ours' : 'empty');
  const wanted = quick ? count / 10 : count;
  const warm = Math.min(1_000, wanted / 4);
  if (peer === 'http') return await measureHttp(env, width, wanted, warm);
  await using producer = await startHelper(new URL('../children/producer.ts', import.meta.url), env, [peer]);
  await producer.call('add', { count: warm, width });
  return await rateOf(producer, 'add', { count: wanted, width });
}

async function measureHttp(env: Readonly<Record<string, string>>, connections: number, count: number, warm: number) {
  await using api = await startHelper(new URL('../children/api.ts', import.meta.url), env);
  await using load = await startHelper(new URL('../children/http-load.ts', import.meta.url), env);
  const address = await api.call<{ port: number; key: string }>('address');
  await load.call('post', { ...address, count: warm, connections });
  return await rateOf(load, 'post', { ...address, count, connections });
}

async function rateOf(
  helper: Helper,
  name: string,
  argument: { readonly count: number; readonly [more: string]: unknown },
): Promise<number> {
  const { from, to } = await helper.call<{ from: number; to: number }>(name, argument);
  return argument.count / ((to - from) / 1_000);
}
