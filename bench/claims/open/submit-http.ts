import { startProducer } from '#bench/children/start-peers.ts';
import { startHelper } from '#bench/lib/calls.ts';
import { type Claim, interleaved } from '#bench/lib/claim.ts';
import { compareRates } from '#bench/lib/comparison.ts';
import { bestOf, type Cost, costOf, costRows } from '#bench/lib/cost.ts';
import { figure, table } from '#bench/lib/markdown.ts';
import type { Servers } from '#bench/lib/servers.ts';
import { payload } from '#bench/load/trivial.ts';
import type { PeerName } from '#bench/peers/peers.ts';
import { peerSubmits, type SubmitCase } from '#bench/peers/submit-cases.ts';
import { startOpenApi } from './open-api.ts';

type Case = SubmitCase<PeerName | 'http'>;

const cases: readonly Case[] = [
  { name: 'proofline, 64 connections', peer: 'http', width: 64, count: 20_000 },
  { name: 'proofline, 200 connections', peer: 'http', width: 200, count: 20_000 },
  ...peerSubmits,
];

const LEAST = 5_000;

/** Jobs of a registered queue that one API process accepts each second over kept connections, one in a request. */
export const submitHttp: Claim = async (servers, { quick, say }) => {
  const results = await interleaved(cases, quick ? 1 : 3, say, (one) => measure(servers, one, quick ? 10 : 1));
  const ours = bestOf(results, 'proofline');
  return {
    title: 'Submitting over HTTP, one job in a request',
    body: [
      'Ours is `POST /v1/queues/{queue}/jobs` of a whole API process: key, limits, quota and contract are checked, and the job is on disk with its first event when it is answered. The peers are called in the process of their caller, and have none of that. Processor time is in microseconds a job.',
      table(
        ['case', 'jobs/s min / median / max', 'to bullmq', 'API', 'caller', 'Postgres', 'Redis', 'all'],
        costRows(results, bestOf(results, 'bullmq'), ['API', 'caller', 'postgres', 'redis']),
      ),
    ].join('\n\n'),
    compared: [compareRates('accepted one by one over HTTP (theirs: in the process of the caller)', results)],
    verdicts: [
      {
        promise: `one by one over HTTP at least ${figure(LEAST)} jobs/s`,
        measured: `${figure(ours)} jobs/s`,
        held: ours >= LEAST,
      },
    ],
  };
};

async function measure(servers: Servers, { peer, width, count }: Case, share: number): Promise<Cost> {
  const wanted = count / share;
  const warm = wanted / 4;
  if (peer !== 'http') {
    const env = await servers.fresh('empty');
    await using caller = await startProducer(env, peer);
    await caller.call('add', { count: warm, width });
    return await costOf(servers, { caller: [caller] }, wanted, () => caller.call('add', { count: wanted, width }));
  }
  const { api, address } = await startOpenApi(servers);
  await using API = api;
  await using caller = await startHelper(new URL('../../children/http-load.ts', import.meta.url), {});
  const load = { ...address, connections: width, path: '/v1/queues/bench.do-nothing/jobs', body: { payload } };
  await caller.call('post', { ...load, count: warm });
  return await costOf(servers, { API: [API], caller: [caller] }, wanted, () =>
    caller.call('post', { ...load, count: wanted }),
  );
}
