import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { expect, test } from 'vitest';
import { migrate, readMigrations } from '#sql/migrate.ts';
import { describeSchema } from '#sql/schema-description.ts';
import { bringUpDatabase } from '#src/commands/start/bring-up.ts';
import { openContext } from '#src/system/context.ts';
import { frozenRows, previous } from '#test/deploy/release.ts';
import { testConfig } from '#test/helpers/config.ts';
import { testDatabase } from '#test/helpers/database.ts';
import { runJobs } from '#test/helpers/run-jobs.ts';

/** Files of `sql/` that release 0.1.0 had. */
const FILES_BEFORE = 13;

type Row = Readonly<Record<string, unknown>>;

const stored = frozenRows(previous);
const all = readMigrations();

async function connect(url: string): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ connectionString: url, options: '-c TimeZone=UTC' });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: async () => await client.end() });
}

/** Inserts a row as that release did: columns that came later are not named. */
async function insert(client: pg.Client, table: string, row: Row): Promise<void> {
  const columns = Object.keys(row).map((name) => client.escapeIdentifier(name));
  await client.query(
    `insert into ${table} (${columns.join()}) overriding system value
     select ${columns.join()} from jsonb_populate_record(null::${table}, $1::jsonb)`,
    [JSON.stringify(row)],
  );
}

const rowsOf = async (client: pg.Client, table: string) =>
  (await client.query<{ row: Row }>(`select to_jsonb(t) as row from ${table} t`)).rows.map(({ row }) => row);

/** A message that has not been sent, with the job that sends it: it waits, or a worker had it that is gone by now. */
async function unsent(client: pg.Client, url: string, more: Row): Promise<string> {
  const [id, delivery] = [randomUUID(), randomUUID()];
  const job = stored['jobs']?.find((one) => one['queue'] === 'platform.notify');
  const [first] = (stored['events'] ?? []).filter((one) => one['job'] === job?.['id']);
  if (!job || !first) throw new Error('expected a job of platform.notify with its events in the frozen rows, got none');
  const before = { result: null, finished_at: null, started_at: null, worker_id: null, claim_token: null };
  const of = { id, parent_id: null, idempotency_key: null, payload: { deliveryId: delivery }, attempt: 0, events: 1 };
  const { owner } = job;
  const message = {
    id: delivery,
    job: randomUUID(),
    owner,
    url,
    event: 'completed',
    body: `{"of":"${id}"}`,
    sender: id,
  };
  await client.query(
    `insert into platform_deliveries (id, job, owner, url, event, body, sender)
     select id, job, owner, url, event, body, sender from jsonb_populate_record(null::platform_deliveries, $1::jsonb)`,
    [JSON.stringify(message)],
  );
  await insert(client, 'jobs', { ...job, ...before, ...of, ...more });
  const { seq: _seq, ...event } = first;
  await insert(client, 'events', { ...event, job: id });
  return id;
}

/** A server that takes what is posted to it. */
async function receiver(): Promise<{ readonly url: string; readonly bodies: readonly string[] } & AsyncDisposable> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      bodies.push(body);
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}`, bodies, [Symbol.asyncDispose]: close };
}

test('a database of 0.1.0 is migrated with every value kept, and its unfinished jobs run to their ends', async () => {
  await using database = await testDatabase('empty');
  await using client = await connect(database.url);
  await migrate(database.url, all.slice(0, FILES_BEFORE));
  for (const [table, rows] of Object.entries(stored)) for (const row of rows) await insert(client, table, row);
  await using receives = await receiver();
  const dead = { id: randomUUID(), fleet: 'platform', host: 'gone', pid: 1, beat_at: '2026-11-22T13:00:00Z' };
  await client.query(
    'insert into workers (id, fleet, host, pid, beat_at) values ($1, $2, $3, $4, $5)',
    Object.values(dead),
  );
  const ids = [
    await unsent(client, receives.url, { state: 'queued' }),
    await unsent(client, receives.url, { state: 'running', worker_id: dead.id, attempt: 1 }),
  ];
  const before = new Map<string, readonly Row[]>();
  for (const table of Object.keys(stored)) before.set(table, await rowsOf(client, table));

  const { applied, unknown } = await bringUpDatabase(database.url);
  expect([applied, unknown]).toEqual([all.slice(FILES_BEFORE).map(({ file }) => file), []]);
  const committed = readFileSync(join(import.meta.dirname, '../../sql/schema.sql'), 'utf8');
  expect(await describeSchema(database.url)).toBe(committed);
  for (const [table, rows] of before) {
    const now = await rowsOf(client, table);
    expect([table, now.length]).toEqual([table, rows.length]);
    for (const row of rows) expect(now).toContainEqual(expect.objectContaining(row));
  }

  await using settings = await testConfig({
    SWEEP_MS: '200',
    AUDIT_MS: '300',
    DATABASE_URL: database.url,
    PLATFORM_WEBHOOK_ORIGINS: receives.url,
  });
  await using context = await openContext(settings.config, 'api');
  if (context.redis.status !== 'ready') await once(context.redis, 'ready');
  await using _jobs = await runJobs(context);
  const outcome = `select state, error->>'message' as error from jobs where id = $1`;
  for (const id of ids) {
    const read = async () => (await client.query<{ state: string; error: string | null }>(outcome, [id])).rows[0];
    await expect.poll(read).toEqual({ state: 'succeeded', error: null });
  }
  expect(receives.bodies.toSorted()).toEqual(ids.map((id) => `{"of":"${id}"}`).toSorted());
});

test('error: migrated again, or by a release that lacks the newest files, nothing is changed', async () => {
  await using database = await testDatabase('empty');
  await migrate(database.url, all.slice(0, FILES_BEFORE));
  await bringUpDatabase(database.url);
  expect(await bringUpDatabase(database.url)).toEqual({ applied: [], unknown: [] });
  const older = await migrate(database.url, all.slice(0, FILES_BEFORE));
  expect(older).toEqual({ applied: [], unknown: all.slice(FILES_BEFORE).map(({ file }) => file) });
});
