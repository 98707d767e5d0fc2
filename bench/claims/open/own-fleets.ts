import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startHelper } from '#bench/lib/calls.ts';
import { type Claim, interleaved } from '#bench/lib/claim.ts';
import { bestOf, type Cost, costOf, costRows } from '#bench/lib/cost.ts';
import { figure, table } from '#bench/lib/markdown.ts';
import type { Servers } from '#bench/lib/servers.ts';

interface Case {
  readonly name: string;
  readonly peer: 'proofline' | 'bullmq';
  /** Folder of the release whose processes run; this one without. */
  readonly release: string | undefined;
  readonly width: number;
}

const LEAST = 0.95;

/** Trivial jobs through own fleets, end to end, beside those of an older release where one is given. */
export const ownFleets: Claim = async (servers, { quick, say, before }) => {
  const cases: readonly Case[] = [
    { name: 'now, 500 in flight', peer: 'proofline', release: undefined, width: 500 },
    ...(before === undefined
      ? []
      : [{ name: 'before, 500 in flight', peer: 'proofline', release: before, width: 500 } as const]),
    { name: 'bullmq, 50 in flight', peer: 'bullmq', release: undefined, width: 50 },
  ];
  const results = await interleaved(cases, quick ? 1 : 3, say, (one) => measure(servers, one, quick ? 10 : 1));
  const [now, then] = [bestOf(results, 'now'), bestOf(results, 'before')];
  return {
    title: 'Own fleets, as they were and as they are',
    body: [
      'One process submits, relays and sweeps, one runs the jobs; from the first submission to the last settled job. Processor time is in microseconds a job.',
      table(
        ['case', 'jobs/s min / median / max', 'to bullmq', 'submitting', 'worker', 'Postgres', 'Redis', 'all'],
        costRows(results, bestOf(results, 'bullmq'), ['submitting', 'worker', 'postgres', 'redis']),
      ),
    ].join('\n\n'),
    verdicts:
      before === undefined
        ? []
        : [
            {
              promise: `own fleets at least ${LEAST} of before`,
              measured: figure(now / then),
              held: now / then >= LEAST,
            },
          ],
  };
};

async function measure(servers: Servers, { peer, release, width }: Case, share: number): Promise<Cost> {
  const root = release === undefined ? new URL('../../../', import.meta.url) : pathToFileURL(`${release}/`);
  const env = await servers.fresh(peer === 'proofline' && release === undefined ? 'ours' : 'empty');
  if (release !== undefined) {
    const { migrate } = (await import(pathToFileURL(join(release, 'sql/migrate.ts')).href)) as {
      readonly migrate: (url: string) => Promise<unknown>;
    };
    await migrate(env['DATABASE_URL'] ?? '');
  }
  await using submitting = await startHelper(new URL('bench/children/producer.ts', root), env, [peer]);
  await using worker = await startHelper(new URL('bench/children/consumer.ts', root), env, [peer, String(width)]);
  const [warm, count] = [10_000 / share, 30_000 / share];
  await submitting.call('add', { count: warm, width });
  await worker.call('until', warm);
  return await costOf(servers, { submitting: [submitting], worker: [worker] }, count, async () => {
    const [{ from }, to] = await Promise.all([
      submitting.call<{ from: number; to: number }>('add', { count, width }),
      worker.call<number>('until', warm + count),
    ]);
    return { from, to };
  });
}
