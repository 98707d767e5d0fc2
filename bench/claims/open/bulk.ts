import { startProducer } from '#bench/children/start-peers.ts';
import { startHelper } from '#bench/lib/calls.ts';
import { type Claim, interleaved } from '#bench/lib/claim.ts';
import { compareRates } from '#bench/lib/comparison.ts';
import { bestOf, type Cost, costOf, costRows } from '#bench/lib/cost.ts';
import { figure, table } from '#bench/lib/markdown.ts';
import type { Servers } from '#bench/lib/servers.ts';
import type { PeerName } from '#bench/peers/peers.ts';
import { startOpenApi } from './open-api.ts';

interface Case {
  readonly name: string;
  readonly peer: PeerName | 'http';
  /** Jobs of one request or call. */
  readonly together: number;
  /** Requests in flight. */
  readonly width: number;
  readonly count: number;
}

const cases: readonly Case[] = [
  { name: 'proofline, 10,000 a request', peer: 'http', together: 10_000, width: 1, count: 100_000 },
  { name: 'proofline, 10,000 a request, 2 at once', peer: 'http', together: 10_000, width: 2, count: 100_000 },
  { name: 'proofline, 1,000 a request, 2 at once', peer: 'http', together: 1_000, width: 2, count: 100_000 },
  { name: 'bullmq addBulk 1,000', peer: 'bullmq', together: 1_000, width: 1, count: 100_000 },
  { name: 'graphile-worker addJobs 1,000', peer: 'graphile-worker', together: 1_000, width: 1, count: 100_000 },
  { name: 'pg-boss insert 1,000', peer: 'pg-boss', together: 1_000, width: 1, count: 100_000 },
];

const LEAST = 20_000;

/** Jobs that one API process accepts each second as lines, many in one request. */
export const bulk: Claim = async (servers, { quick, say }) => {
  const results = await interleaved(cases, quick ? 1 : 3, say, (one) => measure(servers, one, quick ? 5 : 1));
  const ours = bestOf(results, 'proofline');
  return {
    title: 'Submitting in bulk',
    body: [
      'Ours is `POST /v1/jobs/bulk` of a whole API process, a line a job, each checked against its contract and answered with its id once it is on disk with its first event. The peers are called in the process of their caller. Processor time is in microseconds a job, with that of the broker entries which are added after the answer as far as they are within the time.',
      table(
        ['case', 'jobs/s min / median / max', 'to bullmq', 'API', 'caller', 'Postgres', 'Redis', 'all'],
        costRows(results, bestOf(results, 'bullmq'), ['API', 'caller', 'postgres', 'redis']),
      ),
    ].join('\n\n'),
    compared: [compareRates('accepted in bulk', results)],
    verdicts: [
      {
        promise: `in bulk at least ${figure(LEAST)} jobs/s`,
        measured: `${figure(ours)} jobs/s`,
        held: ours >= LEAST,
      },
    ],
  };
};

async function measure(servers: Servers, { peer, together, width, count }: Case, share: number): Promise<Cost> {
  const wanted = count / share;
  const warm = wanted / 5;
  if (peer !== 'http') {
    const env = await servers.fresh('empty');
    await using caller = await startProducer(env, peer);
    await caller.call('addMany', { count: warm, together });
    return await costOf(servers, { caller: [caller] }, wanted, () =>
      caller.call('addMany', { count: wanted, together }),
    );
  }
  const { api, address } = await startOpenApi(servers);
  await using API = api;
  await using caller = await startHelper(new URL('../../children/bulk-load.ts', import.meta.url), {});
  const load = { ...address, queue: 'bench.do-nothing', together, width };
  await caller.call('bulk', { ...load, count: warm });
  return await costOf(servers, { API: [API], caller: [caller] }, wanted, () =>
    caller.call('bulk', { ...load, count: wanted }),
  );
}
