import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, JobFailed } from '@proofline/client';
import { contractOf } from '@proofline/worker';
import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { createKey } from '#src/access/keys/keys.ts';
import { scopes } from '#src/lib/principal.ts';
import { takeHome } from '#src/system/embedded/home-lock.ts';
import { type Ready, writeReady } from '#src/system/embedded/ready-file.ts';
import { whileAway } from '#test/helpers/database.ts';
import { testFolder, until } from '#test/helpers/processes.ts';
import { besideWorld } from './beside-world.ts';
import { dawdle, greet, obey, persist, story } from './jobs.ts';

test('a process beside the database registers its jobs, runs their stories, and says what it takes', async () => {
  await using world = await besideWorld();
  const worker = await world.beside('stories');
  const job = await world.client.submit(story, { n: 1 });
  await until(async () => (await job.job()).state === 'waiting' && (await waitsFor(world, job.id)) === 'signal');
  await job.signal('go', { well: true });
  const types: string[] = [];
  for await (const { type, id } of job.events()) if (id !== undefined) types.push(type);
  expect(await job.result()).toEqual({ first: 2, doubled: 4, sent: 'sent 1', heard: { well: true } });
  expect(types.filter((type) => type === 'waiting').length).toBeGreaterThanOrEqual(2);
  expect(types.at(-1)).toBe('succeeded');
  expect(types).not.toContain('retrying');
  expect(world.notes('sent')).toHaveLength(1);
  const { data } = await world.client.call<{ data: { message: string }[] }>('GET', `/v1/jobs/${job.id}/logs`);
  expect(data.map(({ message }) => message)).toContain('half way');
  const rows = await world.context.db.any(sql.unsafe`select fleet, takes, owner from workers where fleet = 'beside'`);
  expect(rows).toEqual([
    {
      fleet: 'beside',
      owner: null,
      takes: [
        { name: 'acme.tell-story', versions: [1] },
        { name: 'acme.double-number', versions: [1] },
      ],
    },
  ]);
  const stored = await world.client.call<{ data: { registered_by: string }[] }>('GET', '/v1/queues/acme.tell-story');
  expect(stored.data[0]?.registered_by).toMatch(/^worker at /);
  worker.child.kill('SIGUSR2');
  expect([await worker.ended, worker.output().includes('ended')]).toEqual([0, true]);
  expect(await world.context.db.any(sql.unsafe`select from workers where fleet like 'beside%'`)).toEqual([]);
});

async function waitsFor({ context }: Awaited<ReturnType<typeof besideWorld>>, id: string) {
  return await context.db.maybeOneFirst(sql.unsafe`
    select w.kind from waits w join jobs j on j.id = w.job and j.attempt = w.attempt where j.id = ${id} and j.state = 'waiting'`);
}

test('a cancelled job is stopped in its process, and tells it why; a failure keeps the words of its code', async () => {
  await using world = await besideWorld();
  await world.beside('obey');
  const held = await world.client.submit(obey, { do: 'hold' });
  await until(() => world.notes('hold').length === 1);
  await held.cancel();
  await until(() => world.notes('stopped').length === 1);
  expect(world.notes('stopped')).toEqual([`stopped ${held.id} cancelled`]);
  const failed = await (await world.client.submit(obey, { do: 'fail' })).result().catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(JobFailed);
  expect(failed).toMatchObject({ code: 'no_image', details: { failure: { attempt: 1 } }, job: { attempt: 1 } });
});

test('error: results that do not fit, or are no JSON, and runs that take too long fail their jobs', async () => {
  await using world = await besideWorld();
  await world.beside('obey');
  const codeOf = async (job: { result: () => Promise<unknown> }) =>
    await job.result().catch(({ code }: JobFailed) => code);
  expect(await codeOf(await world.client.submit(obey, { do: 'write no JSON' }))).toBe('invalid_value');
  expect(await codeOf(await world.client.submit(obey, { do: 'misfit' }))).toBe('invalid_result');
  const late = await world.client.submit(dawdle, null);
  expect(await codeOf(late)).toBe('job_timeout');
  expect(world.notes('stopped')).toEqual([`stopped ${late.id} timeout`]);
});

test('a worker that is asked to stop gives back what it cannot finish, and its effect on attempts is none', async () => {
  await using world = await besideWorld();
  const first = await world.beside('obey');
  const job = await world.client.submit(obey, { do: 'hold' });
  await until(() => world.notes('hold').length === 1);
  first.child.kill('SIGTERM');
  expect(await first.ended).toBe(0);
  expect(world.notes('stopped')).toEqual([`stopped ${job.id} drain`]);
  expect(await job.job()).toMatchObject({ state: 'queued', failures: 0 });
  const second = await world.beside('obey');
  expect(await job.result()).toEqual({ attempt: 2, pid: second.child.pid });
  expect(await job.job()).toMatchObject({ failures: 0 });
});

test('a job whose process died runs alone in a process that the next worker starts of its own program', async () => {
  await using world = await besideWorld();
  const first = await world.beside('obey');
  const job = await world.client.submit(obey, { do: 'die' });
  expect(await first.ended).toBe('SIGKILL');
  const second = await world.beside('obey');
  const { attempt, pid } = await job.result();
  expect(attempt).toBe(2);
  expect([first.child.pid, second.child.pid]).not.toContain(pid);
  const other = await (await world.client.submit(obey, { do: 'nothing' })).result();
  expect(other.pid).toBe(second.child.pid);
});

test('a worker that was away for longer than its lease is told that its job is lost, and its late end counts for nothing', async () => {
  await using world = await besideWorld({ LEASE_MS: '1500' });
  const worker = await world.beside('obey');
  const job = await world.client.submit(obey, { do: 'hold' });
  await until(() => world.notes('hold').length === 1);
  worker.child.kill('SIGSTOP');
  await until(async () => (await job.job()).state === 'queued');
  worker.child.kill('SIGCONT');
  await until(() => world.notes('stopped').length === 1);
  expect(world.notes('stopped')).toEqual([`stopped ${job.id} lost`]);
  expect(await job.result()).toMatchObject({ attempt: 2 });
  expect(await job.job()).toMatchObject({ attempt: 2, failures: 0 });
});

test('an effect that is reported while Postgres is away is made once, in the same attempt', async () => {
  await using world = await besideWorld({ LEASE_MS: '15000' });
  await world.beside('obey');
  const job = await world.client.submit(persist, null);
  await until(() => world.notes('begun').length === 1);
  await whileAway(world.env['DATABASE_URL'] ?? '', async () => {
    world.go();
    await until(() => world.notes('trying').length === 1);
    await sleep(500);
    expect(world.notes('sent')).toEqual([]);
  });
  expect(await job.result()).toBe('sent');
  expect(world.notes('sent')).toHaveLength(1);
  expect(await job.job()).toMatchObject({ attempt: 1, failures: 0 });
});

test('payloads of an older version are made new, and a version that nobody takes is told', async () => {
  await using world = await besideWorld();
  const [old] = greet;
  await world.client.call('PUT', `/v1/queues/${old.name}`, { body: { contract: contractOf(old) } });
  const early = await world.client.submit(old, { name: 'Ada' });
  const status = async () =>
    await world.client.call<{ data: { name: string; versions: { version: number; workers: number | null }[] }[] }>(
      'GET',
      '/v1/queues',
    );
  const workersOf = async () =>
    (await status()).data.find(({ name }) => name === old.name)?.versions.map(({ workers }) => workers);
  expect(await workersOf()).toEqual([0]);
  await world.beside('greet');
  expect(await early.result()).toBe('hello Ada Old');
  expect(await (await world.client.submit(greet[1], { first: 'Ada', last: 'L' })).result()).toBe('hello Ada L');
  // what is known of workers is two seconds old at most
  await until(async () => (await workersOf())?.join() === '1,1');
});

test('without addresses of its own a worker takes the servers of a running `proofline up` on its home', async () => {
  await using world = await besideWorld();
  using folder = testFolder();
  await using _holder = await takeHome(folder.path);
  const { DATABASE_URL = '', REDIS_URL = '' } = world.env;
  const servers = { postgres: { url: DATABASE_URL, private: true }, redis: { url: REDIS_URL, private: true } };
  writeReady(folder.path, { url: world.url, keys: { jobs: 'none' }, servers } as Ready);
  await world.beside('obey', { DATABASE_URL: '', REDIS_URL: '', PROOFLINE_HOME: folder.path });
  expect(await (await world.client.submit(obey, { do: 'nothing' })).result()).toMatchObject({ attempt: 1 });
});

test('error: a namespace without an owner, a contract that does not fit and missing settings are refused in a sentence', async () => {
  await using world = await besideWorld();
  const [, next] = greet;
  await using incompatible = world.start('greet');
  expect(await incompatible.ended).toBe(1);
  expect(incompatible.output()).toMatch(
    /version: expected a version of acme\.greet that is there, or the next, 1, got 2/,
  );
  await world.context.db.query(sql.unsafe`delete from queues where namespace = 'acme'`);
  await world.context.db.query(sql.unsafe`delete from namespaces where name = 'acme'`);
  await using stranger = world.start('greet');
  expect(await stranger.ended).toBe(1);
  expect(stranger.output()).toMatch(
    /expected a namespace that has an owner, got acme, which has none: register acme\.greet once/,
  );
  const { secret } = await createKey(world.context, { owner: 'owner-2', name: 'other', scopes });
  const other = createClient({ url: world.url, key: secret });
  for (const { version, contract } of [
    { version: 1, contract: contractOf(greet[0]) },
    { version: 2, contract: contractOf(next) },
  ])
    await other.call('PUT', `/v1/queues/${next.name}`, { body: { version, contract } });
  await using welcome = world.start('greet');
  await welcome.printed(/the fleet is ready/);
  expect(await (await other.submit(next, { first: 'A', last: 'B' })).result()).toBe('hello A B');
  await using nowhere = world.start('greet', { DATABASE_URL: '', PROOFLINE_HOME: '/nowhere' });
  expect(await nowhere.ended).toBe(1);
  expect(nowhere.output()).toMatch(/DATABASE_URL: expected the address that the API and its fleets have, or a running/);
});
