import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startHelper } from '#bench/lib/calls.ts';
import { type Claim, interleaved } from '#bench/lib/claim.ts';
import { figure, spreadText, table } from '#bench/lib/markdown.ts';
import type { Servers } from '#bench/lib/servers.ts';
import { percentile, spread } from '#bench/lib/statistics.ts';
import { apart as apartQueue, trivial } from '#bench/load/trivial.ts';

const PER_SECOND = 50;
const MOST_RATIO = 2;
const LEAST_JAIN = 0.95;
/** Milliseconds that a job takes beside its processor time: with 0 processors are short, with more the hands. */
const floods = [
  { name: 'jobs of 20 ms, hands are short', restMs: 20 },
  { name: 'jobs of 0 ms, processors are short', restMs: 0 },
] as const;
const GROUPS = 100;
const WEIGHT = 3;

/** Shares of one queue: an owner beside the flood of another, many groups of equal weight, two of unequal ones. */
export const fairShares: Claim = async (servers, { quick, say }) => {
  const rounds = await interleaved(
    floods,
    quick ? 1 : 3,
    say,
    async (flood) => await floodBeside(servers, flood, quick ? 20_000 : 100_000),
  );
  const peers = await interleaved(
    (['pg-boss', 'graphile-worker'] as const).flatMap((peer) =>
      floods.map((flood) => ({ peer, ...flood, name: `${peer}, ${flood.name}` })),
    ),
    1,
    say,
    async (one) => await peerBeside(servers, one, quick ? 2_000 : 10_000),
  );
  const each = quick ? 100 : 500;
  const equal = await served(servers, new Map(Array.from({ length: GROUPS }, (_, n) => [`group ${n}`, each])));
  const fairness = jain([...equal.values()]);
  const weighted = await served(
    servers,
    new Map([
      ['dear', each * 40],
      ['plain', each * 40],
    ]),
    'dear',
  );
  const got = (weighted.get('dear') ?? 0) / (weighted.get('plain') ?? 1);
  return {
    title: 'Fair shares',
    body: [
      `One queue, one fleet process with 50 hands. One owner submits ${PER_SECOND} jobs a second; p95 of the time from acceptance to start: alone on an idle machine; while the jobs of another are accepted and run by a fleet of their own from a queue of their own, on the same processors; and while they come to the same queue and fleet. What the last has beside the one before it is what sharing a queue costs.`,
      table(
        [
          'case',
          'alone, ms',
          'flood on a fleet of its own, ms',
          'flood in the queue, ms',
          'to alone',
          'to a fleet of its own',
        ],
        [...rounds].map(([{ name }, list]) => [
          name,
          ...(['alone', 'apart', 'beside'] as const).map((part) => spreadText(spread(list.map((one) => one[part])))),
          figure(ratioOf(list, 'alone')),
          figure(ratioOf(list, 'apart')),
        ]),
      ),
      'The same with what peers have for it, in one process that submits and works, 50 at once: pg-boss with at most 25 of a group at once, graphile-worker with a named queue an owner, of which it runs one job at a time. The flood waits there before the other owner begins.',
      table(
        ['peer', 'alone, ms', 'beside, ms', 'ratio'],
        [...peers].flatMap(([{ name }, list]) =>
          list.map(({ alone, beside }) => [name, ...[alone, beside, beside / alone].map(figure)]),
        ),
      ),
      `Then ${GROUPS} groups of ${each} jobs each stand in line, and half of all are run: Jain's index of what each got is ${figure(fairness)}. And two groups, one of weight ${WEIGHT}: it got ${figure(got)} times as much.`,
    ].join('\n\n'),
    compared: [...rounds].map(([{ name }, list]) => ({
      what: `p95 wait beside a flood, to alone (${name})`,
      unit: 'times',
      ours: ratioOf(list, 'alone'),
      peers: Object.fromEntries(
        [...peers]
          .filter(([one]) => one.name.endsWith(name))
          .map(([{ peer }, waits]) => [peer, spread(waits.map(({ alone, beside }) => beside / alone)).median]),
      ),
    })),
    verdicts: [
      ...[...rounds].flatMap(([{ name }, list]) =>
        (['alone', 'apart'] as const).map((part) => ({
          promise: `beside a flood the p95 wait of another owner at most ${MOST_RATIO} times that ${to[part]} (${name})`,
          measured: `${figure(ratioOf(list, part))} times`,
          held: ratioOf(list, part) <= MOST_RATIO,
        })),
      ),
      {
        promise: `Jain's index at least ${LEAST_JAIN} over ${GROUPS} groups of equal weight`,
        measured: fairness.toFixed(4),
        held: fairness >= LEAST_JAIN,
      },
      {
        promise: `weights ${WEIGHT} : 1 within 10 %`,
        measured: `${figure(got)} : 1`,
        held: Math.abs(got / WEIGHT - 1) <= 0.1,
      },
    ],
  };
};

const to = { alone: 'alone on an idle machine', apart: 'with the flood on a fleet of its own' } as const;

/** p95 of the waits, ms. */
interface Waits {
  readonly alone: number;
  readonly apart: number;
  readonly beside: number;
}

/** Median of the rounds. */
const ratioOf = (list: readonly Waits[], part: 'alone' | 'apart') =>
  percentile(
    list.map((one) => one.beside / one[part]),
    0.5,
  );

const childOf = (name: string) => new URL(`../../children/${name}`, import.meta.url);

async function floodBeside(servers: Servers, { restMs }: { readonly restMs: number }, count: number): Promise<Waits> {
  const env = await servers.fresh('ours');
  await using _leader = await startHelper(childOf('producer.ts'), env, ['proofline']);
  await using _fleet = await startHelper(childOf('consumer.ts'), env, ['proofline', '50']);
  await using _apart = await startHelper(childOf('consumer.ts'), env, ['proofline', '50', apartQueue.name]);
  await using load = await startHelper(childOf('steady-load.ts'), env);
  await using other = await startHelper(childOf('steady-load.ts'), env);
  const waits = async (jobs: number) =>
    percentile(
      await load.call<readonly number[]>('steady', { owner: 'steady', count: jobs, perSecond: PER_SECOND, restMs }),
      0.95,
    );
  await waits(200);
  const alone = await waits(500);
  const flooded = async (isApart: boolean) => {
    const flood = other.call('flood', { owner: 'flood', count, restMs, isApart });
    // some hundred of its jobs are there by now
    await waits(5);
    const found = await waits(300);
    await flood;
    return found;
  };
  const apart = await flooded(true);
  await ended(env);
  return { alone, apart, beside: await flooded(false) };
}

/** Waits until no job is left. */
async function ended(env: Readonly<Record<string, string>>): Promise<void> {
  const database = new pg.Client({ connectionString: env['DATABASE_URL'], connectionTimeoutMillis: 5_000 });
  await database.connect();
  await using stack = new AsyncDisposableStack();
  stack.defer(() => database.end());
  for (;;) {
    const { rows } = await database.query('select from jobs where finished_at is null limit 1');
    if (rows.length === 0) return;
    await sleep(200);
  }
}

/** The same with a peer, whose flood stands there at once: it could not accept and run as fast. */
async function peerBeside(
  servers: Servers,
  { peer, restMs }: { readonly peer: string; readonly restMs: number },
  count: number,
): Promise<{ alone: number; beside: number }> {
  const env = await servers.fresh('empty');
  await using system = await startHelper(new URL('../../peers/flood.ts', import.meta.url), env, [peer]);
  const waits = async (jobs: number) =>
    percentile(await system.call<readonly number[]>('steady', { count: jobs, perSecond: PER_SECOND, restMs }), 0.95);
  await waits(100);
  const alone = await waits(300);
  await system.call('flood', { count, restMs });
  return { alone, beside: await waits(150) };
}

/** Jobs of each group that were run, once half of all were. */
async function served(
  servers: Servers,
  groups: ReadonlyMap<string, number>,
  dear?: string,
): Promise<ReadonlyMap<string, number>> {
  const env = await servers.fresh('ours');
  const database = new pg.Client({ connectionString: env['DATABASE_URL'], connectionTimeoutMillis: 5_000 });
  await database.connect();
  await using stack = new AsyncDisposableStack();
  stack.defer(() => database.end());
  for (const [name, count] of groups)
    await database.query(
      `insert into jobs (id, owner, queue, state, priority, payload, request_hash, feed, group_key)
       select uuidv7(), 'bench', $1, 'queued', 0, '{"text": "x"}', '\\x00', 'ready', $2 from generate_series(1, $3::int)`,
      [trivial.name, name, count],
    );
  if (dear !== undefined)
    await database.query(
      `insert into queue_rules (queue, kind, name, weight, changed_by) values ($1, 'group', $2, $3, 'bench')`,
      [trivial.name, dear, WEIGHT],
    );
  await database.query('vacuum analyze jobs');
  stack.use(await startHelper(childOf('producer.ts'), env, ['proofline']));
  const fleet = stack.use(await startHelper(childOf('consumer.ts'), env, ['proofline', '50']));
  await fleet.call('until', Math.floor([...groups.values()].reduce((sum, count) => sum + count, 0) / 2));
  const { rows } = await database.query<{ name: string; jobs: number }>(
    'select group_key as name, count(*)::int as jobs from jobs where finished_at is not null group by 1',
  );
  return new Map(rows.map(({ name, jobs }) => [name, jobs]));
}

/** Jain, Chiu and Hawe (1984): 1 where all got the same, 1/n where one got all. */
function jain(shares: readonly number[]): number {
  const sum = shares.reduce((total, share) => total + share, 0);
  return sum ** 2 / (GROUPS * shares.reduce((total, share) => total + share ** 2, 0));
}
