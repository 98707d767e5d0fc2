import { setTimeout as sleep } from 'node:timers/promises';
import { startConsumer } from '#bench/children/start-peers.ts';
import { startHelper } from '#bench/lib/calls.ts';
import { type BenchOptions, type Claim, interleaved } from '#bench/lib/claim.ts';
import { atMost, figure, spreadText, table } from '#bench/lib/markdown.ts';
import type { Servers } from '#bench/lib/servers.ts';
import { percentile, spread } from '#bench/lib/statistics.ts';

interface Case {
  readonly name: string;
  readonly share: number;
}

interface Result {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly samples: number;
  readonly unseen: number;
}

const cases: readonly Case[] = [0.1, 0.5, 0.8].map((share) => ({ name: `${share * 100} %`, share }));

const promises = [
  { share: 0.1, of: 'p50', mostMs: 5 },
  { share: 0.1, of: 'p99', mostMs: 25 },
  { share: 0.5, of: 'p99', mostMs: 40 },
] as const;

/** Rate that end to end reached when it was last measured alone; for `--only latency`. */
const FALLBACK_PER_SECOND = 4_000;

/** From when a job was due until its final event has arrived at a subscriber, at a rate that waits for no answer. */
export const latency: Claim = async (servers, options) => {
  const full = options.known.endToEndPerSecond ?? FALLBACK_PER_SECOND;
  const results = await interleaved(cases, options.quick ? 1 : 3, options.say, ({ share }) =>
    measure(servers, Math.round(full * share), options),
  );
  const text = (list: readonly Result[], pick: (result: Result) => number) => spreadText(spread(list.map(pick)));
  return {
    title: 'Latency from submission to the final event at an SSE subscriber',
    body: [
      `Open loop at shares of ${figure(full)} jobs/s, each time counted from when the job was due (so a pause counts against every job that it delayed). About 50 jobs a second are followed, each by a stream of its own that is opened once the job is accepted, as a caller would; opening it is in the time. Milliseconds, min / median / max of the rounds.`,
      table(
        ['rate', 'jobs/s', 'p50', 'p95', 'p99', 'followed', 'never seen'],
        [...results].map(([{ name, share }, list]) => [
          name,
          figure(full * share),
          text(list, ({ p50 }) => p50),
          text(list, ({ p95 }) => p95),
          text(list, ({ p99 }) => p99),
          figure(list.reduce((sum, { samples }) => sum + samples, 0)),
          String(list.reduce((sum, { unseen }) => sum + unseen, 0)),
        ]),
      ),
    ].join('\n\n'),
    verdicts: [...results].flatMap(([{ name, share }, list]) =>
      promises
        .filter((promise) => promise.share === share)
        .map(({ of, mostMs }) =>
          atMost(
            `submission to final event at ${name}, ${of},`,
            mostMs,
            spread(list.map((one) => one[of])).median,
            'ms',
          ),
        ),
    ),
  };
};

async function measure(servers: Servers, perSecond: number, { quick }: BenchOptions): Promise<Result> {
  const env = await servers.fresh('ours');
  await using api = await startHelper(new URL('../children/api.ts', import.meta.url), env);
  await using _worker = await startConsumer(env, 'proofline', 200);
  await using follower = await startHelper(new URL('../children/follower.ts', import.meta.url), env);
  const address = await api.call<{ port: number; key: string }>('address');
  let samples = 0;
  api.onEvent((sample) => {
    samples++;
    void follower.call('follow', { ...(sample as object), ...address });
  });
  const sampleEvery = Math.max(1, Math.round(perSecond / 50));
  await api.call('generate', { perSecond, seconds: 2, sampleEvery });
  await settled();
  samples = 0;
  await api.call('generate', { perSecond, seconds: quick ? 3 : 10, sampleEvery });
  const { latencies, failed } = await settled();
  return {
    p50: percentile(latencies, 0.5),
    p95: percentile(latencies, 0.95),
    p99: percentile(latencies, 0.99),
    samples,
    unseen: samples - latencies.length + failed,
  };

  /** Waits until every followed job has ended. */
  async function settled() {
    const all: number[] = [];
    for (const deadline = performance.now() + 30_000; ; await sleep(50)) {
      const {
        latencies: some,
        open,
        failed: lost,
      } = await follower.call<{ latencies: number[]; open: number; failed: number }>('take');
      all.push(...some);
      if (all.length + lost >= samples || performance.now() > deadline)
        return { latencies: all, failed: open > 0 ? 0 : lost };
    }
  }
}
