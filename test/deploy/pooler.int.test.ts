import pg from 'pg';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { startRelay } from '#src/jobs/ledger/relay.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { startSweep } from '#src/jobs/sweep/sweep.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { openPostgres } from '#src/system/postgres/postgres.ts';
import { watchPostgres } from '#src/system/postgres/postgres-watch.ts';
import { testDatabase } from '#test/helpers/database.ts';
import { until } from '#test/helpers/processes.ts';
import { poolerProgram, startPooler } from '#test/helpers/servers/pooler.ts';
import { handlers, trial } from '#test/helpers/trial.ts';
import { testApi } from '#test/http/api.ts';
import { startFleet } from '#workers/run/fleet.ts';

const program = poolerProgram();
const PLACES = 3;

test.skipIf(program === undefined)(
  'through a transaction pooler jobs run, one process leads, and no more connections are used than it has',
  { timeout: 180_000 },
  async () => {
    await using database = await testDatabase();
    await using pooler = await startPooler(program!, database.url, PLACES);
    const settings = { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: database.url, DRAIN_DEADLINE_MS: '300' };
    const config = loadConfig(settings);
    using watch = watchPostgres(pino({ level: 'silent' }), pooler.url, true);
    await expect(openPostgres(config, 'test', () => {}, watch)).rejects.toMatchObject({
      code: 'invalid_configuration',
      message: expect.stringContaining('expected a role whose sessions begin with TimeZone UTC'),
    });

    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const name = new URL(database.url).pathname.slice(1);
    for (const one of ["timezone = 'UTC'", "transaction_timeout = '60s'", "statement_timeout = '15s'"])
      await client.query(`alter role proofline in database ${name} set ${one}`);
    // what the pooler holds open began without them
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()`,
      [name],
    );

    await using api = await testApi({ ...settings, SWEEP_MS: '100', AUDIT_MS: '200' });
    const { context } = api;
    startRelay(context);
    startSweep(context, [trial.name]);
    const module = new URL('../helpers/trial.ts', import.meta.url);
    const fleet = await startFleet(context, { name: 'trial', handlers, module, concurrency: 20 });
    const { headers } = await api.key();
    const jobs = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const payload = n % 4 === 0 ? ({ do: 'fail', until: 1 } as const) : ({ do: 'succeed' } as const);
        return (await submit(context, trial, { principal: { owner: 'owner-1' }, payload })).job;
      }),
    );
    const asked = Array.from({ length: 60 }, () => api.app.inject({ url: '/v1/jobs?limit=10', headers }));
    for (const { statusCode } of await Promise.all(asked)) expect(statusCode).toBe(200);
    const states = async () => await Promise.all(jobs.map(async ({ id }) => (await readJob(context, id))?.state));
    await until(async () => (await states()).every((state) => state === 'succeeded'));

    const { rows } = await client.query<{ name: string; count: string }>(
      `select application_name as name, count(*) from pg_stat_activity where datname = $1 group by 1`,
      [name],
    );
    const sessions = new Map(rows.map((row) => [row.name, Number(row.count)]));
    expect(sessions.get('proofline-api')).toBeGreaterThan(0);
    expect(sessions.get('proofline-api')).toBeLessThanOrEqual(PLACES);
    // past the pooler: each keeps locks, a cursor or prepared statements
    for (const direct of ['leader', 'relay', 'sweep', 'jobs'])
      expect(sessions.get(`proofline-${direct}`)).toBeGreaterThan(0);
    await fleet.drain();
    await client.end();
  },
);
