import type { Claim } from '#bench/lib/claim.ts';
import { figure } from '#bench/lib/markdown.ts';
import { compareBeside, connectTo, type Env } from './beside.ts';

const MOST = 1.1;

/** Cost of jobs beside very many that wait for a signal or a time, against the same without them. */
export const waiting: Claim = async (servers, { quick, say, waiting: wanted }) => {
  const count = quick ? Math.min(wanted, 20_000) : wanted;
  const full = await servers.fresh('ours');
  const since = performance.now();
  await fillWaiting(full, count);
  say(`  ${count} jobs wait: ${((performance.now() - since) / 1_000).toFixed(1)} s`);
  const empty = await servers.fresh('ours', 'beside');
  const compared = await compareBeside(servers, [full, empty], { quick, say });
  return {
    title: `Beside ${figure(count)} jobs that wait`,
    body: [
      'Half wait for a signal, half for a time next year. Two databases on the same servers in turn: one with them, one without. Processor time of the submitting process (which relays and sweeps too), the worker process, Postgres and Redis together, min / median / max of the rounds; of the looks the median of 400.',
      compared.body,
    ].join('\n\n'),
    verdicts: compared.verdicts(`${figure(count)} waiting jobs`, MOST),
  };
};

/** Has jobs wait, half for a signal and half for a time next year. */
export async function fillWaiting(env: Env, count: number): Promise<void> {
  const client = await connectTo(env);
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
