import { startProducer } from '#bench/children/start-peers.ts';
import { type BenchOptions, type Claim, interleaved } from '#bench/lib/claim.ts';
import { compareRates } from '#bench/lib/comparison.ts';
import { atLeast, figure, spreadText, table } from '#bench/lib/markdown.ts';
import type { Servers } from '#bench/lib/servers.ts';
import { spread } from '#bench/lib/statistics.ts';
import { peerSubmits, type SubmitCase } from '#bench/peers/submit-cases.ts';

const cases: readonly SubmitCase[] = [
  { name: 'proofline submit(), 50 in flight', peer: 'proofline', width: 50, count: 20_000 },
  { name: 'proofline submit(), 200 in flight', peer: 'proofline', width: 200, count: 20_000 },
  { name: 'proofline submit(), 500 in flight', peer: 'proofline', width: 500, count: 20_000 },
  ...peerSubmits,
];

const LEAST = 25_000;

/** Number of jobs that one process accepts durably each second while no worker consumes. */
export const submit: Claim = async (servers, options) => {
  const results = await interleaved(cases, options.quick ? 1 : 3, options.say, (one) => measure(servers, one, options));
  const rates = new Map([...results].map(([one, list]) => [one, spread(list)]));
  const bullmq = rates.get(cases.find(({ peer }) => peer === 'bullmq') ?? cases[0]!)?.median ?? Number.NaN;
  return {
    title: 'Submitting without consumers',
    body: [
      'Ours is on disk in Postgres, with its first event, when it is answered; BullMQ is in the memory of Redis, on disk within a second.',
      table(
        ['case', 'jobs/s min / median / max', 'to bullmq'],
        [...rates].map(([{ name }, rate]) => [name, spreadText(rate), figure(rate.median / bullmq)]),
      ),
    ].join('\n\n'),
    compared: [
      compareRates(
        'accepted by submit()',
        new Map([...results].map(([one, list]) => [one, list.map((perSecond) => ({ perSecond }))])),
      ),
    ],
    verdicts: [
      atLeast(
        'submit(), best of its widths,',
        LEAST,
        Math.max(...[...rates].filter(([{ peer }]) => peer === 'proofline').map(([, { median }]) => median)),
        'jobs/s',
      ),
    ],
  };
};

async function measure(servers: Servers, { peer, width, count }: SubmitCase, { quick }: BenchOptions): Promise<number> {
  const env = await servers.fresh(peer === 'proofline' ? 'ours' : 'empty');
  const wanted = quick ? count / 10 : count;
  await using producer = await startProducer(env, peer);
  await producer.call('add', { count: Math.min(1_000, wanted / 4), width });
  const { from, to } = await producer.call<{ from: number; to: number }>('add', { count: wanted, width });
  return wanted / ((to - from) / 1_000);
}
