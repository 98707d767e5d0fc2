import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startConsumer } from '#bench/children/start-peers.ts';
import { type Helper, startHelper } from '#bench/lib/calls.ts';
import type { Claim } from '#bench/lib/claim.ts';
import { figure, table } from '#bench/lib/markdown.ts';
import { percentile } from '#bench/lib/statistics.ts';

const WORKERS = 4;
const JOBS_EACH = 3;

/** Time that a job rests whose worker is killed: from `kill -9` to its second start, with the default settings. */
export const recovery: Claim = async (servers, { quick, say }) => {
  const kills = quick ? 3 : 20;
  const env = await servers.fresh('ours');
  const client = new pg.Client({ connectionString: env['DATABASE_URL'], connectionTimeoutMillis: 5_000 });
  await client.connect();
  await using api = await startHelper(new URL('../children/api.ts', import.meta.url), env);
  const start = () => startConsumer(env, 'proofline', JOBS_EACH);
  const workers: Helper[] = await Promise.all(Array.from({ length: WORKERS }, start));
  const times: number[] = [];
  let killed = 0;
  for (let kill = 0; kill < kills; kill++) {
    const victim = kill % WORKERS;
    await fill(client, api);
    const worker = workers[victim] as Helper;
    const { rows } = await client.query<{ id: string; now: number }>(
      `select j.id, extract(epoch from clock_timestamp())::float8 * 1000 as now
       from jobs j join workers w on w.id = j.worker_id where w.pid = $1 and j.state = 'running'`,
      [worker.pid],
    );
    // Postgres' own clock, by which its events are dated
    await worker[Symbol.asyncDispose]();
    workers[victim] = await start();
    killed += rows.length;
    // one fault at a time: the next kill could hit the process that has just fetched what this one freed
    times.push(...(await secondStarts(client, new Map(rows.map(({ id, now }) => [id, now])))));
    // at any point of the beat and the sweep
    await sleep(Math.random() * 1_000);
  }
  say(`  ${kills} workers killed with ${killed} jobs`);
  await client.end();
  for (const worker of workers) await worker[Symbol.asyncDispose]();
  const p99 = percentile(times, 0.99) / 1_000;
  return {
    title: 'Recovery: from kill -9 of a worker to the second start of its job',
    body: [
      `${kills} kills of one of ${WORKERS} workers, each with about ${JOBS_EACH} jobs, one after the other, default settings (lease 5 s, beat and sweep 1 s). Suspects run alone, one after the other, so the first of a kill is the faster one.`,
      table(
        ['jobs', 'p50 s', 'p90 s', 'p99 s', 'slowest s'],
        [[String(times.length), ...[0.5, 0.9, 0.99, 1].map((share) => figure(percentile(times, share) / 1_000))]],
      ),
    ].join('\n\n'),
    verdicts: [
      {
        promise: 'second start within 10 s at p99',
        measured: `${figure(p99)} s (${times.length} of ${killed} jobs)`,
        held: p99 < 10 && times.length === killed,
      },
    ],
  };
};

/** Gives every worker as many jobs as it takes, and waits until they run. */
async function fill(client: pg.Client, api: Helper): Promise<void> {
  const counted = async () => {
    const { rows } = await client.query<{ running: number; open: number }>(
      `select count(*) filter (where state = 'running' and attempt = 1)::int as running,
         count(*) filter (where state = 'queued' and attempt = 0 or state = 'running' and attempt = 1)::int as open from jobs`,
    );
    return rows[0] ?? { running: 0, open: 0 };
  };
  const wanted = WORKERS * JOBS_EACH;
  // jobs of a worker that is not given up yet still count as running; its successor needs others
  await api.call('hold', Math.max(JOBS_EACH, wanted - (await counted()).open));
  for (const deadline = performance.now() + 20_000; (await counted()).running < wanted; await sleep(20))
    if (performance.now() > deadline) throw new Error('expected every worker to be busy within 20 s');
}

/** ms from the kill to the next start of each job; waits until all have started. */
async function secondStarts(client: pg.Client, killed: ReadonlyMap<string, number>): Promise<number[]> {
  for (const deadline = performance.now() + 60_000; ; await sleep(200)) {
    const { rows } = await client.query<{ job: string; at: number }>(
      `select job, extract(epoch from min(at))::float8 * 1000 as at from events
       where type = 'started' and data->>'attempt' = '2' and job = any($1::uuid[]) group by job`,
      [[...killed.keys()]],
    );
    if (rows.length === killed.size || performance.now() > deadline)
      return rows.map(({ job, at }) => at - (killed.get(job) ?? Number.NaN));
  }
}
