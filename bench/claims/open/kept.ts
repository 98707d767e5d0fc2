import type { Claim } from '#bench/lib/claim.ts';
import { figure } from '#bench/lib/markdown.ts';
import { compareBeside, connectTo, type Env } from './beside.ts';
import { fillWaiting } from './waiting.ts';

const MOST = 1.2;
const TOGETHER = 250_000;

/** Cost of jobs where very many are kept that have ended, and some wait, against an empty database. */
export const kept: Claim = async (servers, { quick, say, waiting, kept: wanted }) => {
  const [ended, waits] = quick ? [Math.min(wanted, 50_000), Math.min(waiting, 20_000)] : [wanted, waiting];
  const full = await servers.fresh('ours');
  const since = performance.now();
  await fillEnded(full, ended, say);
  await fillWaiting(full, waits);
  const seconds = (performance.now() - since) / 1_000;
  const bytes = await sizeOf(full);
  say(`  ${ended} jobs ended, ${waits} wait: ${seconds.toFixed(1)} s, ${figure(bytes / 1e9)} GB`);
  const empty = await servers.fresh('ours', 'beside');
  const compared = await compareBeside(servers, [full, empty], { quick, say });
  return {
    title: `Where ${figure(ended)} jobs are kept`,
    body: [
      `Beside ${figure(ended)} jobs that have succeeded in the last month, each with its three events, ${figure(waits)} wait: ${figure(bytes / 1e9)} GB in Postgres, whose own memory is 128 MB. Every hundredth is of the owner whose pages are asked for. Two databases on the same servers in turn: this one and an empty one. Processor time of the submitting process (which relays and sweeps too), the worker process, Postgres and Redis together, min / median / max of the rounds; of the looks the median of 400.`,
      compared.body,
    ].join('\n\n'),
    verdicts: compared.verdicts(`${figure(ended)} kept and ${figure(waits)} waiting jobs`, MOST),
  };
};

async function fillEnded(env: Env, count: number, say: (line: string) => void): Promise<void> {
  const client = await connectTo(env);
  await using stack = new AsyncDisposableStack();
  stack.defer(() => client.end());
  // the weeks before, as they would be by now
  await client.query(
    `do $$
     declare week timestamptz := date_trunc('week', now() at time zone 'utc') at time zone 'utc';
     begin
       for i in 1..5 loop
         execute format('create table events_before_%s partition of events for values from (%L) to (%L)',
           i, week - i * interval '7 days', week - (i - 1) * interval '7 days');
       end loop;
     end $$`,
  );
  for (let made = 0; made < count; made += TOGETHER) {
    const now = Math.min(TOGETHER, count - made);
    await client.query(
      `with given as (
         select uuidv7(at - now()) as id, at, case when n % 100 = 0 then 'bench' else 'owner ' || n % 100 end as owner
         from (select n, now() - interval '30 days' * (1 - n::float8 / $3::int) as at from generate_series($1::int, $2::int) as n) dated
       ), made as (
         insert into jobs (id, owner, queue, state, priority, payload, request_hash, attempt, events, result,
           created_at, queued_at, run_at, started_at, finished_at)
         select id, owner, 'bench.trivial', 'succeeded', 0, '{"text": "has ended"}', '\\x00', 1, 3, '{"length": 9}', at, at, at, at, at
         from given order by id
       )
       insert into events (job, n, type, data, at)
       select id, e.n, e.type, e.data, at from given
       cross join (values (1, 'queued', '{"queue": "bench.trivial"}'::jsonb), (2, 'started', '{"attempt": 1}'), (3, 'succeeded', '{"attempt": 1}'))
         as e (n, type, data) order by id, e.n`,
      [made + 1, made + now, count],
    );
    if ((made / TOGETHER) % 8 === 7) say(`  ${made + now} of ${count} jobs are kept`);
  }
  await client.query('vacuum analyze jobs, events');
}

async function sizeOf(env: Env): Promise<number> {
  const client = await connectTo(env);
  await using stack = new AsyncDisposableStack();
  stack.defer(() => client.end());
  const { rows } = await client.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes');
  return Number(rows[0]?.bytes);
}
