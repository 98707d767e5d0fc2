import pg from 'pg';
import { startConsumer, startProducer } from '#bench/children/start-peers.ts';
import { startHelper } from '#bench/lib/calls.ts';
import type { Claim } from '#bench/lib/claim.ts';
import { type Cost, costOf } from '#bench/lib/cost.ts';
import { figure, spreadText, table } from '#bench/lib/markdown.ts';
import type { Servers } from '#bench/lib/servers.ts';
import { percentile, spread } from '#bench/lib/statistics.ts';

type Env = Readonly<Record<string, string>>;

interface Measured {
  readonly submit: Cost;
  readonly claim: Cost;
  /** Milliseconds of one round of each loop. */
  readonly sweep: Readonly<Record<'watch' | 'audit' | 'wake', number>>;
}

/** Figures of one round, by which the two databases are compared: the smaller the better. */
const figures = {
  'submit, µs a job': ({ submit }: Measured) => inAll(submit),
  'claim, run and settle, µs a job': ({ claim }: Measured) => inAll(claim),
  'look for what fell, ms': ({ sweep }: Measured) => sweep.watch,
  'audit of the broker, ms': ({ sweep }: Measured) => sweep.audit,
  'look for what is to be woken, ms': ({ sweep }: Measured) => sweep.wake,
} as const;

const MOST = 1.1;

/** Cost of jobs beside very many that wait for a signal or a time, against the same without them. */
export const waiting: Claim = async (servers, { quick, say, waiting: wanted }) => {
  const count = quick ? Math.min(wanted, 20_000) : wanted;
  const full = await servers.fresh('ours');
  const since = performance.now();
  await fill(full, count);
  say(`  ${count} jobs wait: ${((performance.now() - since) / 1_000).toFixed(1)} s`);
  const empty = await servers.fresh('ours', 'beside');
  const [beside, without]: [Measured[], Measured[]] = [[], []];
  for (let round = 0; round < (quick ? 1 : 3); round++) {
    const order = [
      { env: full, list: beside },
      { env: empty, list: without },
    ];
    // what drifts meets both alike
    for (const { env, list } of round % 2 === 0 ? order : order.toReversed())
      list.push(await measure(servers, env, quick));
    say(`  round ${round + 1}`);
  }
  const rows = Object.entries(figures).map(([name, of]) => {
    const [many, none] = [spread(beside.map(of)), spread(without.map(of))];
    return { name, many, none, ratio: many.median / none.median };
  });
  return {
    title: `Beside ${figure(count)} jobs that wait`,
    body: [
      'Half wait for a signal, half for a time next year. Two databases on the same servers in turn: one with them, one without. Processor time of the submitting process (which relays and sweeps too), the worker process, Postgres and Redis together; min / median / max of the rounds.',
      table(
        ['', 'without', 'beside', 'ratio'],
        rows.map(({ name, many, none, ratio }) => [name, spreadText(none), spreadText(many), figure(ratio)]),
      ),
    ].join('\n\n'),
    verdicts: rows.map(({ name, ratio }) => ({
      promise: `beside ${figure(count)} waiting jobs: ${name.split(', ').slice(0, -1).join(', ')} at most ${MOST} times`,
      measured: figure(ratio),
      held: ratio <= MOST,
    })),
  };
};

const inAll = ({ cpu }: Cost) => Object.values(cpu).reduce((sum, one) => sum + one, 0);

async function fill(env: Env, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: env['DATABASE_URL'], connectionTimeoutMillis: 5_000 });
  await client.connect();
  await using stack = new AsyncDisposableStack();
  stack.defer(() => client.end());
  await client.query(
    `with made as (
       insert into jobs (id, owner, queue, state, priority, payload, request_hash, attempt, events, started_at)
       select uuidv7(), 'owner ' || n % 100, 'bench.trivial', 'waiting', 0, '{"text": "waits"}', '\\x00', 1, 3, now()
       from generate_series(1, $1::int) as n
       returning id, owner, queue
     )
     insert into waits (job, attempt, kind, name, after, wake_at, owner, queue)
     select id, 1, case when n % 2 = 0 then 'sleep' else 'signal' end, 'go', 0,
       case when n % 2 = 0 then now() + interval '1 year' end, owner, queue
     from (select *, row_number() over () as n from made) numbered`,
    [count],
  );
  await client.query('vacuum analyze jobs, waits');
}

async function measure(servers: Servers, env: Env, quick: boolean): Promise<Measured> {
  const count = quick ? 1_000 : 10_000;
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
  await using sweeps = await startHelper(new URL('../../children/sweeps.ts', import.meta.url), env);
  await sweeps.call('sweep', 5);
  const times = await sweeps.call<Record<'watch' | 'audit' | 'wake', number[]>>('sweep', quick ? 10 : 50);
  const of = (name: 'watch' | 'audit' | 'wake') => percentile(times[name], 0.5);
  return { submit, claim, sweep: { watch: of('watch'), audit: of('audit'), wake: of('wake') } };
}
