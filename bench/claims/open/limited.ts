import { startConsumer, startProducer } from '#bench/children/start-peers.ts';
import { type Claim, interleaved } from '#bench/lib/claim.ts';
import { bestOf, type Cost, costOf, costRows } from '#bench/lib/cost.ts';
import { figure, table } from '#bench/lib/markdown.ts';
import type { Servers } from '#bench/lib/servers.ts';
import { trivial } from '#bench/load/trivial.ts';
import { connectTo, type Env } from './beside.ts';

const GROUPS = 1_000;
const LEAST = 0.8;
const AT_ONCE = 500;

/** A rule as it is written: of the queue, of each group, or of a group by its name. */
interface Rule {
  readonly kind: 'queue' | 'group' | 'owner';
  readonly name: string;
  readonly concurrency: number;
}

interface Case {
  readonly name: string;
  readonly peer: 'proofline' | 'bullmq';
  readonly width: number;
  readonly groups: number;
  readonly rules: readonly Rule[];
}

/** One of each kind, and every tenth group by its name. */
const rulesOf = (queue: number, each: number, named: number): readonly Rule[] => [
  { kind: 'queue', name: '', concurrency: queue },
  { kind: 'owner', name: '*', concurrency: queue },
  { kind: 'group', name: '*', concurrency: each },
  ...Array.from({ length: GROUPS / 10 }, (_, n) => ({
    kind: 'group' as const,
    name: `group ${10 * n}`,
    concurrency: named,
  })),
];

const ours = { peer: 'proofline', width: AT_ONCE } as const;
const cases: readonly Case[] = [
  { ...ours, name: 'one group, no rule', groups: 0, rules: [] },
  { ...ours, name: `${figure(GROUPS)} groups, no rule`, groups: GROUPS, rules: [] },
  {
    ...ours,
    name: `${figure(GROUPS)} groups, limits that bind none`,
    groups: GROUPS,
    rules: rulesOf(100_000, 100, 100),
  },
  { ...ours, name: `${figure(GROUPS)} groups, limits that bind some`, groups: GROUPS, rules: rulesOf(400, 2, 1) },
  { name: 'bullmq, 50 in flight', peer: 'bullmq', width: 50, groups: 0, rules: [] },
  { name: 'bullmq, 200 in flight', peer: 'bullmq', width: 200, groups: 0, rules: [] },
];

/** Trivial jobs end to end, of very many groups and under limits, beside bare BullMQ, which has neither. */
export const limited: Claim = async (servers, { quick, say }) => {
  const results = await interleaved(cases, quick ? 1 : 3, say, (one) => measure(servers, one, quick ? 10 : 1));
  const bullmq = bestOf(results, 'bullmq');
  return {
    title: `End to end with ${figure(GROUPS)} groups and limits`,
    body: [
      `One process submits, relays, sweeps and feeds, one runs the jobs, ${AT_ONCE} in flight and at once; from the first submission to the last settled job. The rules are of the queue, of each owner, of each group, and of ${GROUPS / 10} groups by their names; those that bind some let 400 of the queue run, two of a group, and one of those with a name. Processor time is in microseconds a job.`,
      table(
        ['case', 'jobs/s min / median / max', 'to bullmq', 'submitting', 'worker', 'Postgres', 'Redis', 'all'],
        costRows(results, bullmq, ['submitting', 'worker', 'postgres', 'redis']),
      ),
    ].join('\n\n'),
    verdicts: cases
      .filter(({ rules }) => rules.length > 0)
      .map(({ name }) => ({
        promise: `end to end, ${name}: at least ${LEAST} x bullmq`,
        measured: `${figure(bestOf(results, name) / bullmq)} x`,
        held: bestOf(results, name) / bullmq >= LEAST,
      })),
  };
};

async function measure(servers: Servers, { peer, width, groups, rules }: Case, share: number): Promise<Cost> {
  const env = await servers.fresh(peer === 'proofline' ? 'ours' : 'empty');
  await write(env, rules);
  await using submitting = await startProducer(env, peer);
  await using worker = await startConsumer(env, peer, width);
  const [warm, count] = [10_000 / share, 30_000 / share];
  await submitting.call('add', { count: warm, width, groups });
  await worker.call('until', warm);
  return await costOf(servers, { submitting: [submitting], worker: [worker] }, count, async () => {
    const [{ from }, to] = await Promise.all([
      submitting.call<{ from: number; to: number }>('add', { count, width, groups }),
      worker.call<number>('until', warm + count),
    ]);
    return { from, to };
  });
}

async function write(env: Env, rules: readonly Rule[]): Promise<void> {
  if (rules.length === 0) return;
  const client = await connectTo(env);
  await using stack = new AsyncDisposableStack();
  stack.defer(() => client.end());
  await client.query(
    `insert into queue_rules (queue, kind, name, concurrency, changed_by)
     select $1, r.kind, r.name, r.concurrency, 'bench'
     from jsonb_to_recordset($2::jsonb) as r (kind text, name text, concurrency int)`,
    [trivial.name, JSON.stringify(rules)],
  );
}
