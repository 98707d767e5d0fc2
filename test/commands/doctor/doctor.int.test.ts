import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { migrate, readMigrations } from '#sql/migrate.ts';
import type { Finding } from '#src/commands/doctor/finding.ts';
import { bringUpDatabase } from '#src/commands/start/bring-up.ts';
import { freePort } from '#src/system/embedded/ports.ts';
import { type PrivateRedis, startRedis } from '#src/system/embedded/private-redis.ts';
import { runHere } from '#test/commands/command-system.ts';
import { testConfig } from '#test/helpers/config.ts';
import { testDatabase } from '#test/helpers/database.ts';
import { runCommand, testFolder } from '#test/helpers/processes.ts';
import { testChain } from '#test/helpers/servers/anvil.ts';
import { poolerProgram, startPooler } from '#test/helpers/servers/pooler.ts';

let redis: PrivateRedis;
const folder = testFolder();
beforeAll(async () => {
  redis = await startRedis(folder.path);
}, 60_000);
afterAll(async () => {
  await redis.stop();
  folder[Symbol.dispose]();
});

interface Examined {
  readonly exit: number;
  readonly output: string;
  readonly of: (check: string) => Finding | undefined;
}

/** Runs the command with these settings and a home of its own. */
async function examined(settings: Readonly<Record<string, string>>): Promise<Examined> {
  using home = testFolder();
  const { exit, output } = await runHere(['doctor', '--json'], { PROOFLINE_HOME: home.path, ...settings });
  const { findings }: { findings: readonly Finding[] } = JSON.parse(output);
  return { exit, output, of: (check) => findings.find((one) => one.check === check) };
}

const asRedis = async (command: readonly [string, ...string[]]) => {
  const client = new Redis(redis.url);
  await client.call(...command);
  client.disconnect();
};

test('an installation with both servers, migrated, is without a fault; what does not run yet is skipped', async () => {
  await using settings = await testConfig();
  const { exit, output, of } = await examined(settings.env);
  expect([exit, output]).toEqual([0, expect.not.stringContaining('"fault",')]);
  for (const check of ['Postgres', 'Postgres writes', 'Postgres role', 'Postgres session', 'Postgres migrations'])
    expect(of(check)).toMatchObject({ check, status: 'ok' });
  for (const check of ['Redis', 'Redis role', 'Redis eviction', 'Redis persistence', 'clocks of Postgres and Redis'])
    expect(of(check)).toMatchObject({ check, status: 'ok' });
  for (const check of ['API processes', 'fleets', 'chain', 'system'])
    expect(of(check)).toMatchObject({ check, status: 'skipped' });
  // tests run without it, for their speed
  expect(of('Postgres durability')).toMatchObject({ status: 'warning', says: expect.stringContaining('fsync is off') });
  const { output: text } = await runHere(['doctor'], settings.env);
  expect(text).toMatch(/^ok +Postgres +\d+\.\d+/m);
  expect(text).toMatch(/\n0 faults, \d+ warnings?\n$/);
});

test('error: wrong passwords are faults in words that do not show them', async () => {
  await using settings = await testConfig();
  const database = new URL(settings.env['DATABASE_URL'] ?? '');
  database.password = 'hunter2';
  const wrong = redis.url.replace(/:[^:@]+@/, ':hunter3@');
  const { exit, output, of } = await examined({ ...settings.env, DATABASE_URL: database.href, REDIS_URL: wrong });
  expect(exit).toBe(1);
  expect(of('Postgres')).toMatchObject({
    status: 'fault',
    says: expect.stringContaining('password authentication failed'),
  });
  expect(of('Redis')).toMatchObject({ status: 'fault', says: expect.stringContaining('WRONGPASS') });
  expect(output).not.toMatch(/hunter|pepper for tests/);
});

test('error: servers that are not there are faults with their settings and addresses', async () => {
  const [postgres, broker] = [await freePort(), await freePort()];
  const { exit, of } = await examined({
    DATABASE_URL: `postgresql://someone:hunter2@127.0.0.1:${postgres}/here`,
    REDIS_URL: `redis://127.0.0.1:${broker}`,
  });
  expect(exit).toBe(1);
  expect(of('Postgres')?.says).toContain(`DATABASE_URL: expected a Postgres that answers, got 127.0.0.1:${postgres}`);
  expect(of('Redis')?.says).toContain(`REDIS_URL: expected a Redis that answers, got 127.0.0.1:${broker}`);
  expect(of('KEY_PEPPER')?.status).toBe('warning');
});

test('error: a Redis that evicts and keeps nothing on its disk is told apart from one that does', async () => {
  await using settings = await testConfig();
  const env = { ...settings.env, REDIS_URL: redis.url };
  expect((await examined(env)).of('Redis eviction')?.status).toBe('ok');
  await asRedis(['config', 'set', 'maxmemory-policy', 'allkeys-lru']);
  await asRedis(['config', 'set', 'appendonly', 'no']);
  const { exit, of } = await examined(env);
  expect(exit).toBe(1);
  expect(of('Redis eviction')).toMatchObject({
    status: 'fault',
    says: expect.stringContaining('set it to noeviction'),
  });
  expect(of('Redis persistence')).toMatchObject({ status: 'warning', says: expect.stringContaining('appendonly yes') });
});

test('error: a database of an older release, or of none, lacks migrations; of a newer one is a warning', async () => {
  await using older = await testDatabase('empty');
  await migrate(older.url, readMigrations().slice(0, 13));
  const env = { REDIS_URL: inject('redisUrl'), KEY_PEPPER: 'a pepper for tests that is long enough' };
  const first = await examined({ ...env, DATABASE_URL: older.url });
  expect(first.of('Postgres migrations')).toMatchObject({
    status: 'fault',
    says: expect.stringMatching(/at 13 of \d+ migrations .* run `proofline migrate`/),
  });
  expect([first.exit, first.of('fleets')]).toEqual([1, undefined]);
  await bringUpDatabase(older.url);
  expect((await examined({ ...env, DATABASE_URL: older.url })).exit).toBe(0);
  await query(older.url, `insert into migrations (number, file, digest) values (900000, '900000-later.sql', '')`);
  expect((await examined({ ...env, DATABASE_URL: older.url })).of('Postgres migrations')?.status).toBe('warning');
  await using empty = await testDatabase('empty');
  expect((await examined({ ...env, DATABASE_URL: empty.url })).of('Postgres migrations')?.says).toContain('at 0 of');
});

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(text);
  await client.end();
}

const pooler = poolerProgram();
test.skipIf(pooler === undefined)('error: an address that leads through a transaction pooler is told', async () => {
  await using settings = await testConfig();
  await using through = await startPooler(pooler!, settings.env['DATABASE_URL']!, 5);
  const env = { ...settings.env, DATABASE_URL: through.url };
  const { exit, of } = await examined(env);
  expect(exit).toBe(1);
  expect(of('Postgres session')?.says).toContain('set DATABASE_DIRECT_URL to the database itself');
  const direct = await examined({ ...env, DATABASE_DIRECT_URL: settings.env['DATABASE_URL']! });
  expect(direct.of('Postgres session')).toMatchObject({ status: 'ok' });
  // its role brings no settings of its own
  expect(direct.of('Postgres pooler')).toMatchObject({ status: 'fault', says: expect.stringContaining('alter role') });
});

test('a chain with funds is well; one of another id, or an account without funds, is not', async () => {
  await using chain = await testChain();
  const { ANCHOR_CHAIN, ...other } = chain.settings;
  const chainOf = async (more: object) => (await examined({ ...chain.settings, ...more })).of('chain');
  expect(await chainOf({})).toMatchObject({ status: 'ok', says: expect.stringContaining(ANCHOR_CHAIN ?? '?') });
  expect((await examined({ ...other, ANCHOR_CHAIN: 'eip155:1' })).of('chain')?.says).toContain(
    'ANCHOR_CHAIN: expected',
  );
  const key = `0x${randomBytes(32).toString('hex')}`;
  const poor = await examined({ ...chain.settings, ANCHOR_KEY: key });
  expect(poor.of('chain')?.status).toBe('warning');
  expect(poor.output).not.toContain(key);
});

test('of a running system it says that every leader and every fleet is there, and what waits for a worker that is not', async () => {
  await using settings = await testConfig({ LOG_LEVEL: 'info' });
  const start = (...args: string[]) => runCommand(process.execPath, ['src/cli.ts', ...args], settings.env);
  await using api = start('api');
  await api.printed(/listening/);
  await expect.poll(async () => (await examined(settings.env)).of('leaders')?.status).toBe('ok');
  const submitted = `insert into jobs (id, owner, queue, state, priority, payload, request_hash)
    values (gen_random_uuid(), 'alice', 'studio.publish', 'queued', 0, '{}', ''::bytea)`;
  {
    await using worker = start('worker', 'analytics', 'missions');
    await worker.printed(/the fleet is ready/);
    await expect.poll(async () => (await examined(settings.env)).of('fleets')?.says).toContain('of studio, platform');
    await query(settings.env['DATABASE_URL']!, submitted);
    const { exit, of } = await examined(settings.env);
    expect([exit, of('waiting jobs')?.status]).toEqual([1, 'fault']);
    expect(of('waiting jobs')?.says).toContain('studio.publish');
  }
  await query(settings.env['DATABASE_URL']!, `delete from jobs where queue = 'studio.publish'`);
  await using all = start('worker', 'analytics', 'missions', 'studio', 'platform');
  await all.printed(/the fleet is ready/);
  await expect.poll(async () => (await examined(settings.env)).of('fleets')?.status).toBe('ok');
  expect((await examined(settings.env)).exit).toBe(0);
});
