import { chownSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { expect, test } from 'vitest';
import { startPostgres } from '#src/system/embedded/private-postgres.ts';
import { startRedis } from '#src/system/embedded/private-redis.ts';
import { runCommand, runScript, runs, testFolder, until } from '#test/helpers/processes.ts';

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

async function redisCommand(url: string, ...command: [string, ...string[]]): Promise<unknown> {
  const redis = new Redis(url, { retryStrategy: () => null, maxRetriesPerRequest: 0 });
  redis.on('error', () => {});
  try {
    return await redis.call(...command);
  } finally {
    redis.disconnect();
  }
}

/** A process that starts both servers and prints their addresses and ids. */
const starter = (home: string, outlives = false) => `
  import { startPostgres } from '#src/system/embedded/private-postgres.ts';
  import { startRedis } from '#src/system/embedded/private-redis.ts';
  const home = ${JSON.stringify(home)};
  const say = () => {};
  const options = { outlives: ${outlives} };
  const [postgres, redis] = await Promise.all([startPostgres(home, say, options), startRedis(home, say, options)]);
  console.log(JSON.stringify({ postgres: { url: postgres.url, pid: postgres.pid }, redis: { url: redis.url, pid: redis.pid } }));
  setInterval(() => {}, 1000);
`;

interface Started {
  readonly postgres: { readonly url: string; readonly pid: number };
  readonly redis: { readonly url: string; readonly pid: number };
}

test('Postgres keeps its data, its address and its secrets, and its role is an ordinary one', async () => {
  using folder = testFolder();
  const first = await startPostgres(folder.path);
  expect(await query(first.url, 'select rolname, rolsuper from pg_roles where rolname = current_user')).toEqual([
    { rolname: 'proofline', rolsuper: false },
  ]);
  await query(first.url, 'create table kept (n integer)');
  await query(first.url, 'insert into kept values (7)');
  expect(await query(first.url, 'show fsync')).toEqual([{ fsync: 'on' }]);
  await first.stop();
  expect(runs(first.pid)).toBe(false);

  const second = await startPostgres(folder.path);
  expect(second.url).toBe(first.url);
  expect(await query(second.url, 'select n from kept')).toEqual([{ n: 7 }]);
  await second.stop();
  expect(statSync(join(folder.path, 'secrets/postgres-proofline')).mode & 0o777).toBe(0o600);
});

test('Redis keeps its data and address, wants its password, evicts nothing', async () => {
  using folder = testFolder();
  const first = await startRedis(folder.path);
  await redisCommand(first.url, 'set', 'kept', '7');
  expect(await redisCommand(first.url, 'config', 'get', 'maxmemory-policy')).toEqual([
    'maxmemory-policy',
    'noeviction',
  ]);
  expect(await redisCommand(first.url, 'config', 'get', 'appendfsync')).toEqual(['appendfsync', 'everysec']);
  const stranger = new URL(first.url);
  stranger.password = 'wrong';
  await expect(redisCommand(stranger.href, 'get', 'kept')).rejects.toThrow(/WRONGPASS|closed/);
  await first.stop();
  expect(runs(first.pid)).toBe(false);

  const second = await startRedis(folder.path);
  expect(second.url).toBe(first.url);
  expect(await redisCommand(second.url, 'get', 'kept')).toBe('7');
  await second.stop();
  expect(statSync(join(folder.path, 'redis/redis.conf')).mode & 0o777).toBe(0o600);
});

test('both end when the process that started them is killed with -9, and the next start finds the data', async () => {
  using folder = testFolder();
  await using script = runScript(starter(folder.path));
  const [line] = await script.printed(/^\{.*\}$/m);
  const started: Started = JSON.parse(line);
  await query(started.postgres.url, 'create table kept (n integer)');
  script.child.kill('SIGKILL');
  await script.ended;
  await until(() => !runs(started.postgres.pid) && !runs(started.redis.pid));

  const postgres = await startPostgres(folder.path);
  expect(await query(postgres.url, 'select n from kept')).toEqual([]);
  await postgres.stop();
});

test('a server that was left behind is ended by the next start on its home', async () => {
  using folder = testFolder();
  await using script = runScript(starter(folder.path, true));
  const [line] = await script.printed(/^\{.*\}$/m);
  const left: Started = JSON.parse(line);
  script.child.kill('SIGKILL');
  await script.ended;
  expect(runs(left.postgres.pid)).toBe(true);

  const [postgres, redis] = await Promise.all([startPostgres(folder.path), startRedis(folder.path)]);
  expect(runs(left.postgres.pid)).toBe(false);
  expect(runs(left.redis.pid)).toBe(false);
  await Promise.all([postgres.stop(), redis.stop()]);
});

test('a process id that was left in a file and now belongs to another process is not killed', async () => {
  using folder = testFolder();
  const first = await startPostgres(folder.path);
  await first.stop();
  await using bystander = runScript('console.log("here"); setInterval(() => {}, 1000);');
  await bystander.printed(/here/);
  writeFileSync(join(folder.path, 'postgres/data/postmaster.pid'), `${bystander.child.pid}\n`);
  const second = await startPostgres(folder.path);
  await second.stop();
  expect(runs(bystander.child.pid ?? 0)).toBe(true);
});

test('error: a server that does not start is a sentence with the end of its log', async () => {
  using folder = testFolder();
  const first = await startPostgres(folder.path);
  await first.stop();
  writeFileSync(join(folder.path, 'postgres/data/postgresql.conf'), 'no_such_setting = 1\n');
  await expect(startPostgres(folder.path)).rejects.toThrow(
    /private Postgres stopped before it was ready.*no_such_setting/s,
  );
  expect(readFileSync(join(folder.path, 'postgres/server.log'), 'utf8')).toContain('no_such_setting');
});

test.skipIf(process.getuid?.() !== 0 || !existsSync('/usr/bin/setpriv'))(
  'error: a user id without a name is told what to do (needs root, to become such a user)',
  async () => {
    using folder = testFolder();
    chownSync(folder.path, 54_321, 54_321);
    const code = `
      import { startPostgres } from '#src/system/embedded/private-postgres.ts';
      await startPostgres(${JSON.stringify(folder.path)});`;
    const nobody = ['--reuid=54321', '--regid=54321', '--clear-groups'];
    // the checkout may lie where only root can go
    const reach = ['--securebits=+no_setuid_fixup', '--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
    const node = [process.execPath, '--input-type=module-typescript', '--eval', code];
    await using script = runCommand('setpriv', [...nobody, ...reach, ...node]);
    expect(await script.ended).toBe(1);
    expect(script.output()).toMatch(/user ID 54321.*\n.*\/etc\/passwd.*or set DATABASE_URL\./);
  },
);
