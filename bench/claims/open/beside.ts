import pg from 'pg';
import { startConsumer, startProducer } from '#bench/children/start-peers.ts';
import { type Helper, startHelper } from '#bench/lib/calls.ts';
import { type Cost, costOf } from '#bench/lib/cost.ts';
import { figure, type Section, spreadText, table } from '#bench/lib/markdown.ts';
import type { Servers } from '#bench/lib/servers.ts';
import { percentile, spread } from '#bench/lib/statistics.ts';

export type Env = Readonly<Record<string, string>>;

/** Loops of the leader, and pages that people ask for. */
const lookNames = {
  watch: 'look for what fell',
  audit: 'audit of the broker',
  wake: 'look for what is to be woken',
  forget: 'look for what is to be forgotten',
  list: 'page of an owner’s jobs',
  listAll: 'page of all jobs',
  search: 'page of a search',
} as const;
type Look = keyof typeof lookNames;
const looks = Object.keys(lookNames) as readonly Look[];

/** Costs of jobs in one database. */
interface Costs {
  /** One of each round. */
  readonly submit: readonly Cost[];
  readonly claim: readonly Cost[];
  /** Milliseconds of each look. */
  readonly looks: Readonly<Record<Look, readonly number[]>>;
}

/** Microseconds of all processes for one job. */
const inAll = ({ cpu }: Cost): number => Object.values(cpu).reduce((sum, one) => sum + one, 0);

export async function connectTo(env: Env): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: env['DATABASE_URL'], connectionTimeoutMillis: 5_000 });
  await client.connect();
  return client;
}

interface Beside {
  readonly quick: boolean;
  readonly say: (line: string) => void;
  /**
   * A database with a short line, whose looks of the leader are compared with those of the full one: where all jobs have
   * run, no window has anything to audit and no worker that is killed leaves anything behind.
   */
  readonly short?: Env;
  /** Makes lines and windows what they are to be before the looks: the jobs measured before took from them. */
  readonly beforeLooks?: () => Promise<void>;
}

/** Costs of jobs in a full database against those in an empty one. */
export interface Compared {
  readonly body: string;
  /** Makes the promises that nothing costs more than `most` times as much beside what fills it. */
  readonly verdicts: (beside: string, most: number) => Section['verdicts'];
}

/** Looks whose work is what stands in a window and what killed workers leave. */
const ofLines: ReadonlySet<Look> = new Set(['watch', 'audit', 'wake']);

/** Measures all on the same servers in turn: what drifts meets them alike. */
export async function compareBeside(
  servers: Servers,
  [full, empty]: readonly [full: Env, empty: Env],
  { short, ...rest }: Beside,
): Promise<Compared> {
  const costs = await measureBeside(servers, [full, empty, ...(short ? [short] : [])], rest);
  const [beside, without, besideShort] = costs.map(figuresOf);
  const rows = beside!.map(({ name, values, ofLine }, at) => {
    const many = spread(values);
    const none = spread(without![at]!.values);
    const few = besideShort && spread(besideShort[at]!.values);
    return { name, many, none, few, ratio: many.median / (ofLine && few ? few : none).median };
  });
  return {
    body: table(
      ['', 'without', ...(short ? ['a short line'] : []), 'beside', 'ratio'],
      rows.map(({ name, many, none, few, ratio }) => [
        name,
        spreadText(none),
        ...(few ? [spreadText(few)] : []),
        spreadText(many),
        figure(ratio),
      ]),
    ),
    verdicts: (what, most) =>
      rows.map(({ name, ratio }) => ({
        promise: `beside ${what}: ${name.split(', ').slice(0, -1).join(', ')} at most ${most} times`,
        measured: figure(ratio),
        held: ratio <= most,
      })),
  };
}

async function measureBeside(
  servers: Servers,
  envs: readonly Env[],
  { quick, say, beforeLooks }: Omit<Beside, 'short'>,
): Promise<readonly Costs[]> {
  const all = envs.map((env) => ({ env, submit: [] as Cost[], claim: [] as Cost[] }));
  for (let round = 0; round < (quick ? 1 : 3); round++) {
    for (const one of round % 2 === 0 ? all : all.toReversed()) {
      const { submit, claim } = await measureJobs(servers, one.env, quick ? 1_000 : 10_000);
      one.submit.push(submit);
      one.claim.push(claim);
    }
    say(`  round ${round + 1}`);
  }
  await beforeLooks?.();
  const times = await measureLooks(envs, quick ? 5 : 40);
  return all.map(({ submit, claim }, at) => ({ submit, claim, looks: times[at]! }));
}

async function measureJobs(servers: Servers, env: Env, count: number): Promise<{ submit: Cost; claim: Cost }> {
  const warm = count / 2;
  await using producer = await startProducer(env, 'proofline');
  await producer.call('add', { count: warm, width: 200 });
  const submit = await costOf(servers, { producer: [producer] }, count, () =>
    producer.call('add', { count, width: 200 }),
  );
  await using consumer = await startConsumer(env, 'proofline', 200);
  const from = await consumer.call<number>('until', warm);
  const claim = await costOf(servers, { producer: [producer], consumer: [consumer] }, count, async () => ({
    from,
    to: await consumer.call<number>('until', warm + count),
  }));
  return { submit, claim };
}

/** Looks at all in turn, a few at a time, once nothing else goes on in any: not beside a vacuum of what was measured before. */
async function measureLooks(envs: readonly Env[], turns: number): Promise<readonly Costs['looks'][]> {
  const helpers: Helper[] = [];
  await using stack = new AsyncDisposableStack();
  for (const env of envs) {
    const client = await connectTo(env);
    await client.query('vacuum analyze');
    await client.end();
    const helper = stack.use(await startHelper(new URL('../../children/sweeps.ts', import.meta.url), env));
    await helper.call('look', 10);
    helpers.push(helper);
  }
  const times = envs.map(
    () => Object.fromEntries(looks.map((name) => [name, [] as number[]])) as Record<Look, number[]>,
  );
  for (let turn = 0; turn < turns; turn++)
    for (const [at, helper] of helpers.entries()) {
      const found = await helper.call<Record<Look, number[]>>('look', 10);
      for (const name of looks) times[at]![name].push(...found[name]);
    }
  return times;
}

interface Figure {
  readonly name: string;
  readonly values: readonly number[];
  /** True of the work of a window: see `ofLines`. */
  readonly ofLine: boolean;
}

/** Figures by which databases are compared: the smaller the better. */
const figuresOf = ({ submit, claim, looks: each }: Costs): readonly Figure[] => [
  { name: 'submit, µs a job', values: submit.map(inAll), ofLine: false },
  { name: 'claim, run and settle, µs a job', values: claim.map(inAll), ofLine: false },
  ...looks.map((look) => ({
    name: `${lookNames[look]}, ms`,
    values: [percentile(each[look], 0.5)],
    ofLine: ofLines.has(look),
  })),
];
