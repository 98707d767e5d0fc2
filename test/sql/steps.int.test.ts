import pg from 'pg';
import { expect, test } from 'vitest';
import { migrate, readMigrations } from '#sql/migrate.ts';
import { testDatabase } from '#test/helpers/database.ts';

const all = readMigrations();
const place = all.findIndex(({ file }) => file.endsWith('-steps.sql'));

async function connect(url: string): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: async () => await client.end() });
}

const insert = `
  insert into jobs (id, owner, queue, state, priority, payload, request_hash, finished_at, worker_id)
  values (gen_random_uuid(), 'alice', 'acme.run', $1, 0, '{}', ''::bytea,
    case when $1 in ('succeeded', 'failed', 'cancelled') then now() end, case when $1 = 'running' then gen_random_uuid() end)
  returning id`;

test('jobs of the release before keep their states, and its statements go on beside this one', async () => {
  await using database = await testDatabase('empty');
  await migrate(database.url, all.slice(0, place));
  await using client = await connect(database.url);
  const before = ['awaiting_approval', 'queued', 'running', 'succeeded', 'failed', 'cancelled'];
  for (const state of before) await client.query(insert, [state]);
  await expect(client.query(insert, ['waiting'])).rejects.toThrow('jobs_state_check');
  await migrate(database.url, all);
  const { rows } = await client.query<{ state: string; steps: number; signals: number }>(
    'select state, steps, signals from jobs order by id',
  );
  expect(rows.map(({ state }) => state).toSorted()).toEqual(before.toSorted());
  expect(new Set(rows.map(({ steps, signals }) => steps + signals))).toEqual(new Set([0]));
  // as it submits, settles and intends
  for (const state of before) await client.query(insert, [state]);
  await client.query(
    `update jobs set state = 'succeeded', worker_id = null, finished_at = now() where state = 'running'`,
  );
  await client.query(
    `insert into effects (job, effect, request_hash, state, attempt) select id, 'pay', ''::bytea, 'intended', 1 from jobs limit 1`,
  );
});

test('a job waits without a worker and without an end, and no other state has come with it', async () => {
  await using database = await testDatabase();
  await using client = await connect(database.url);
  const { rows } = await client.query<{ id: string }>(insert, ['waiting']);
  const id = rows[0]?.id;
  const change = async (set: string) => await client.query(`update jobs set ${set} where id = $1`, [id]);
  await expect(change('worker_id = gen_random_uuid()')).rejects.toThrow('check constraint');
  await expect(change('finished_at = now()')).rejects.toThrow('check constraint');
  await expect(change(`state = 'sleeping'`)).rejects.toThrow('jobs_state_check');
});
