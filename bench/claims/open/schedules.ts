import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Helper, startHelper } from '#bench/lib/calls.ts';
import type { Claim } from '#bench/lib/claim.ts';
import { figure, table } from '#bench/lib/markdown.ts';
import type { Servers } from '#bench/lib/servers.ts';
import { startOpenApi } from './open-api.ts';

const MOST_LATE_S = 1;
const HOUR_MS = 3_600_000;
/** Times as fast as the machine's clock. */
const SPEED = 15;
const KILLS = 5;
/** For two processes to start. */
const START_MS = 10_000;

interface Late {
  readonly runs: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly most: number;
}

interface Hour {
  readonly runs: number;
  readonly jobs: number;
  readonly wrong: number;
  /** p99 of seconds on the machine's clock from the time of a run to the note of it, through the kills. */
  readonly late: number;
}

/** Very many schedules a minute apart: how late their runs are, and whether an hour of them loses or doubles one. */
export const schedules: Claim = async (servers, { quick, say }) => {
  const count = quick ? 500 : 10_000;
  const spread = await lateness(servers, count, true, quick ? 20 : 150);
  say(`  spread over the minute: p99 ${figure(spread.p99)} s`);
  const burst = await lateness(servers, count, false, quick ? 70 : 190);
  say(`  all at once: p99 ${figure(burst.p99)} s`);
  const hour = await anHour(servers, count, quick ? 4 * SPEED : SPEED);
  say(`  an hour: ${hour.runs} runs, ${hour.jobs} jobs, p99 ${figure(hour.late)} s`);
  const row = (name: string, { runs, p50, p95, p99, most }: Late) => [name, ...[runs, p50, p95, p99, most].map(figure)];
  const isWhole = hour.runs === count * 60 && hour.jobs === hour.runs && hour.wrong === 0;
  return {
    title: `${figure(count)} schedules a minute apart`,
    body: [
      'Lateness is from the time of a run to the acceptance of its job, by the clock of Postgres, in seconds; an API process as it is deployed. Made by and by, the schedules are spread over the minute; a pattern of theirs would have all of them in the same second.',
      table(
        ['schedules', 'runs', 'p50 s', 'p95 s', 'p99 s', 'latest s'],
        [row('spread', spread), row('all at once', burst)],
      ),
      `Then an hour on a clock that goes ${SPEED} times as fast, with a leader and another process that stands by; ${KILLS} leaders are killed.`,
    ].join('\n\n'),
    verdicts: [
      {
        promise: `p99 lateness at most ${MOST_LATE_S} s`,
        measured: `${figure(spread.p99)} s`,
        held: spread.p99 <= MOST_LATE_S,
      },
      {
        promise: `an hour through ${KILLS} kills of the leader: none missed, none doubled`,
        measured: `${figure(hour.runs)} runs, ${figure(hour.jobs)} jobs, ${hour.wrong} schedules with more or fewer than 60`,
        held: isWhole,
      },
      {
        promise: `of that hour p99 lateness at most ${MOST_LATE_S} s of the machine's clock`,
        measured: `${figure(hour.late)} s`,
        held: hour.late <= MOST_LATE_S,
      },
    ],
  };
};

async function lateness(servers: Servers, count: number, isSpread: boolean, seconds: number): Promise<Late> {
  await using stack = new AsyncDisposableStack();
  const { env, api } = await startOpenApi(servers);
  stack.use(api);
  const database = stack.adopt(await connect(env), (client) => client.end());
  await make(database, count, new Date(Date.now() + 2_000), isSpread);
  await sleep(seconds * 1_000);
  const { rows } = await database.query<Late>(
    `select count(*)::int as runs, ${[0.5, 0.95, 0.99, 1]
      .map(
        (share, index) =>
          `percentile_disc(${share}) within group (order by late) as ${['p50', 'p95', 'p99', 'most'][index]}`,
      )
      .join(', ')}
     from (select extract(epoch from j.created_at - r.at)::float8 as late from schedule_runs r join jobs j on j.id = r.job) runs`,
  );
  if (!rows[0] || rows[0].runs === 0) throw new Error('expected runs of the schedules, got none');
  return rows[0];
}

async function anHour(servers: Servers, count: number, speed: number): Promise<Hour> {
  await using stack = new AsyncDisposableStack();
  const { env, api } = await startOpenApi(servers);
  // its queues stay; its own loop would go by the clock of the machine
  await api[Symbol.asyncDispose]();
  const database = stack.adopt(await connect(env), (client) => client.end());
  const begin = new Date('2027-05-01T00:00:00Z');
  await make(database, count, begin, true);
  // the first leader is there before the first of its times
  const began = Date.now() + START_MS;
  const argv = [began, begin.getTime(), speed].map(String);
  const start = async (): Promise<Helper> =>
    await startHelper(new URL('../../children/schedule-leader.ts', import.meta.url), env, argv);
  const passed = async () => {
    const { rows } = await database.query<{ at: Date }>('select min(next_at) as at from schedules');
    return rows[0]?.at.getTime() ?? 0;
  };
  let standing = await start();
  for (let kill = 1; kill <= KILLS; kill++) {
    const leading = standing;
    standing = await start();
    while ((await passed()) < begin.getTime() + (kill * HOUR_MS) / (KILLS + 1)) await sleep(200);
    await leading[Symbol.asyncDispose]();
  }
  while ((await passed()) < begin.getTime() + HOUR_MS) await sleep(200);
  await standing[Symbol.asyncDispose]();
  const { rows } = await database.query<Omit<Hour, 'late'>>(
    `select sum(n)::int as runs, sum(jobs)::int as jobs, count(*) filter (where n <> 60)::int as wrong from (
       select schedule, count(*) as n, count(distinct job) filter (where outcome = 'submitted') as jobs
       from schedule_runs where at < $1 group by schedule
     ) each`,
    [new Date(begin.getTime() + HOUR_MS)],
  );
  const { rows: lates } = await database.query<Pick<Hour, 'late'>>(
    `select percentile_disc(0.99) within group (order by
       extract(epoch from noted_at)::float8 - ($1::float8 + (extract(epoch from at)::float8 - $2::float8) / $3::float8)) as late
     from schedule_runs where at < to_timestamp($2::float8 + 3600)`,
    [began / 1_000, begin.getTime() / 1_000, speed],
  );
  return { ...(rows[0] ?? { runs: 0, jobs: 0, wrong: 0 }), late: lates[0]?.late ?? Number.NaN };
}

async function connect(env: Readonly<Record<string, string>>): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: env['DATABASE_URL'], connectionTimeoutMillis: 5_000 });
  await client.connect();
  return client;
}

/** Makes schedules that run each minute, the first of them at an instant. */
async function make(database: pg.Client, count: number, at: Date, isSpread: boolean): Promise<void> {
  await database.query(
    `insert into schedules (owner, name, queue, payload, every_ms, zone, overlap, missed, missed_within_s, made_by, made_at, next_at)
     select 'bench', 's-' || n, 'bench.do-nothing', '{"text": "runs"}', 60000, 'UTC', 'queue', 'all', 86400, 'bench',
       $2::timestamptz + n * $3::float8 * interval '1 millisecond', $2::timestamptz + n * $3::float8 * interval '1 millisecond'
     from generate_series(0, $1::int - 1) n`,
    [count, at, isSpread ? Math.floor(60_000 / count) : 0],
  );
  await database.query('vacuum analyze schedules');
}
