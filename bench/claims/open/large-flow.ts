import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startHelper } from '#bench/lib/calls.ts';
import type { Claim } from '#bench/lib/claim.ts';
import { now } from '#bench/lib/clock.ts';
import { type Cost, costOf } from '#bench/lib/cost.ts';
import { figure, table } from '#bench/lib/markdown.ts';
import type { Servers } from '#bench/lib/servers.ts';
import { startOpenApi } from './open-api.ts';

const MOST_SECONDS = 60;
const HANDS = 100;

interface Round {
  readonly seconds: number;
  readonly cost: Cost;
  readonly state: string;
  /** Jobs of the fan-out that succeeded, ends of the flow, runs of the job behind the fan-out, and its result. */
  readonly succeeded: number;
  readonly ends: number;
  readonly joins: number;
  readonly counted: number | null;
}

/** A flow that fans out over very many jobs, and in again: from its submission to its end. */
export const largeFlow: Claim = async (servers, { quick, say }) => {
  const count = quick ? 5_000 : 100_000;
  const rounds: Round[] = [];
  for (let round = 0; round < (quick ? 1 : 3); round++) {
    const one = await measure(servers, count);
    rounds.push(one);
    say(`  round ${round + 1}: ${figure(one.seconds)} s, ${one.state}`);
  }
  const slowest = Math.max(...rounds.map(({ seconds }) => seconds));
  const isOnce = rounds.every(
    ({ state, succeeded, ends, joins, counted }) =>
      state === 'succeeded' && succeeded === count && ends === 1 && joins === 1 && counted === count,
  );
  return {
    title: `A flow of ${figure(count)} children`,
    body: [
      `One node lists ${figure(count)} items, one has a job for each, one gets all of their results. An API process as it is deployed, a worker beside the database with ${HANDS} hands; from the submission over HTTP to the end of the flow. Processor time is in microseconds a child.`,
      table(
        ['round', 'seconds', 'children/s', 'API', 'worker', 'Postgres', 'Redis'],
        rounds.map(({ seconds, cost: { perSecond, cpu } }, index) => [
          String(index + 1),
          ...[seconds, perSecond, cpu['api'], cpu['worker'], cpu['postgres'], cpu['redis']].map((one) =>
            figure(one ?? Number.NaN),
          ),
        ]),
      ),
    ].join('\n\n'),
    verdicts: [
      {
        promise: `a flow of ${figure(count)} children in at most ${MOST_SECONDS} s`,
        measured: `${figure(slowest)} s in the slowest round`,
        held: slowest <= MOST_SECONDS,
      },
      {
        promise: 'its end, and the job behind the fan-out, once',
        measured: rounds.map(({ ends, joins }) => `${ends} and ${joins}`).join(', '),
        held: isOnce,
      },
    ],
  };
};

async function measure(servers: Servers, count: number): Promise<Round> {
  await using stack = new AsyncDisposableStack();
  const { env, api, address } = await startOpenApi(servers);
  stack.use(api);
  const program = new URL('../../children/beside-worker.ts', import.meta.url);
  const worker = stack.use(await startHelper(program, env, [String(HANDS)]));
  const database = new pg.Client({ connectionString: env['DATABASE_URL'], connectionTimeoutMillis: 5_000 });
  await database.connect();
  stack.defer(() => database.end());
  const run = async (items: number): Promise<{ readonly id: string; readonly from: number; readonly to: number }> => {
    const from = now();
    const id = await submit(address, items);
    for (;;) {
      const { rows } = await database.query('select from jobs where id = $1 and finished_at is not null', [id]);
      if (rows.length > 0) return { id, from, to: now() };
      await sleep(50);
    }
  };
  // warm: plans, connections, the window of the broker
  await run(500);
  let span = { id: '', from: 0, to: 0 };
  const cost = await costOf(servers, { api: [api], worker: [worker] }, count, async () => {
    span = await run(count);
    return span;
  });
  const { rows } = await database.query<Omit<Round, 'seconds' | 'cost'>>(
    `select f.state,
       (select count(*)::int from jobs where parent_id = f.id and flow_node = 'each' and state = 'succeeded') as succeeded,
       (select count(*)::int from events where job = f.id and type in ('succeeded', 'failed', 'cancelled')) as ends,
       (select sum(attempt)::int from jobs where parent_id = f.id and flow_node = 'join') as joins,
       (f.result->'join'->>'count')::int as counted
     from jobs f where f.id = $1`,
    [span.id],
  );
  if (!rows[0]) throw new Error(`expected the flow ${span.id}, which is gone`);
  return { ...rows[0], seconds: (span.to - span.from) / 1_000, cost };
}

async function submit({ url, key }: { readonly url: string; readonly key: string }, count: number): Promise<string> {
  const nodes = [
    { name: 'list', queue: 'bench.list-texts', payload: { count } },
    {
      name: 'each',
      queue: 'bench.do-nothing',
      for_each: { $from: 'list', path: '/texts' },
      payload: { text: { $item: '' } },
    },
    { name: 'join', queue: 'bench.count-results', payload: { all: { $from: 'each' } } },
  ];
  const answer = await fetch(`${url}/v1/flows`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ nodes }),
  });
  const body = (await answer.json()) as { readonly id: string };
  if (!answer.ok) throw new Error(`expected the flow to be accepted, got ${answer.status}: ${JSON.stringify(body)}`);
  return body.id;
}
