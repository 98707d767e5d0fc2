import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import type { Ready } from '#src/system/embedded/ready-file.ts';
import { runHere } from '#test/commands/command-system.ts';
import { runCommand, runs, type Script, testFolder, until } from '#test/helpers/processes.ts';

/** These start whole systems, some several times, and prove who somebody is. */
const patient = { timeout: 240_000 };

const launcher = join(import.meta.dirname, '../../../bin/proofline.mjs');

const clean = {
  DATABASE_URL: '',
  REDIS_URL: '',
  KEY_PEPPER: '',
  PORT: '0',
  METRICS_PORT: '0',
  npm_lifecycle_event: '',
};

/** A market that leaves most of a core to what is shown. */
const calm = { FEED_TICK_MS: '5000', FEED_FIGURES_MS: '15000', FEED_CONTRACTS: '200' };

/**
 * One home for the tests below: the first start makes its data, its people and its keys, the others find them. Each starts
 * and ends systems of its own on it.
 */
const folder = testFolder();
afterAll(() => folder[Symbol.dispose]());

/** Systems that the test has started. What a failed one leaves running would be in the way of the next. */
const started = new Set<Script>();
afterEach(async () => {
  for (const { child, ended } of started) {
    child.kill('SIGTERM');
    await ended;
  }
  started.clear();
}, 60_000);

function proofline(home: string, ...args: string[]): Script {
  return runCommand(process.execPath, [launcher, ...args], { ...clean, PROOFLINE_HOME: home });
}

/** A system that is ready, and the ids of all its processes but the launcher; without a market, whose ticks need a core. */
async function startUp(home: string): Promise<{ script: Script; ready: Ready; pids: readonly number[] }> {
  const script = runCommand(process.execPath, [launcher, 'up'], { ...clean, PROOFLINE_HOME: home, FEED: 'none' });
  started.add(script);
  await script.printed(/ready in /);
  const ready: Ready = JSON.parse(readFileSync(join(home, 'ready.json'), 'utf8'));
  const firstLine = (file: string) => Number(readFileSync(join(home, file), 'utf8').split('\n')[0]);
  const servers = [
    firstLine('postgres/data/postmaster.pid'),
    firstLine('redis/redis.pid'),
    firstLine('anvil/pid'),
    firstLine('identity/pid'),
  ];
  return { script, ready, pids: [ready.servers.api.pid, ready.servers.worker.pid, ...servers] };
}

const allGone = async (pids: readonly number[]): Promise<void> => await until(() => !pids.some(runs));

test(
  'up serves, tells how in a file for its owner alone, keeps its keys, and Ctrl-C leaves nothing',
  patient,
  async () => {
    const { script, ready, pids } = await startUp(folder.path);
    expect(statSync(join(folder.path, 'ready.json')).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder.path, 'jobs.env')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder.path, 'jobs.env'), 'utf8')).toBe(
      `PROOFLINE_URL=${ready.url}\nPROOFLINE_KEY=${ready.keys.jobs}\n`,
    );
    expect(Object.keys(ready)).toEqual(['url', 'keys', 'servers']);
    expect(Object.keys(ready.keys)).toEqual(['admin', 'studio', 'analytics', 'jobs', 'human']);
    expect((await fetch(`${ready.url}/v1/health`)).status).toBe(200);
    expect((await fetch(`${ready.url}/v1/jobs`)).status).toBe(401);
    expect((await fetch(`${ready.url}/v1/jobs`, { headers: { 'x-api-key': ready.keys.analytics } })).status).toBe(200);

    const own = await fetch(`${ready.url}/api/v1/keys`, { headers: { 'x-api-key': ready.keys.human ?? '' } });
    expect(await own.json()).toMatchObject({ data: [{ name: 'default human', boundToHuman: true }] });
    const { identity } = ready.servers;
    expect(identity).toMatchObject({ private: true, person: { email: 'developer@proofline.local' } });
    expect(script.output()).toContain(identity?.person?.password);
    const entry = await fetch(`${ready.url}/auth/sign-in`, { redirect: 'manual' });
    const provider = await fetch(entry.headers.get('location') ?? '', { redirect: 'manual' });
    expect(provider.headers.get('location')).toMatch(/^\/interaction\//);

    expect(statSync(join(folder.path, 'identity.json')).mode & 0o777).toBe(0o600);

    await using second = proofline(folder.path, 'up');
    expect(await second.ended).toBe(1);
    expect(second.output()).toMatch(/^Proofline already runs on .* \(process \d+, since /m);

    await using list = proofline(folder.path, 'key', 'list');
    expect(await list.ended).toBe(0);
    expect(list.output()).toContain(ready.keys.admin.slice(-4));
    expect(list.output()).not.toContain(ready.keys.admin);
    // what the default keys make is seen by the person who develops here, once they sign in
    expect(list.output().match(/user:developer@proofline\.local/g)).toHaveLength(3);

    script.child.kill('SIGINT');
    expect(await script.ended).toBe(0);
    expect(pids.filter(runs)).toEqual([]);
    for (const file of ['ready.json', 'jobs.env']) expect(readdirSync(folder.path)).not.toContain(file);

    const again = await startUp(folder.path);
    expect(again.ready.keys).toEqual(ready.keys);
    expect(again.ready.servers.identity?.person).toEqual(identity?.person);
    again.script.child.kill('SIGTERM');
    expect(await again.script.ended).toBe(0);
    await allGone(again.pids);
  },
);

test('a person is invited, enrols, mints a key, and is removed, by commands alone', patient, async () => {
  using own = testFolder();
  const { script, ready } = await startUp(folder.path);
  const run = async (...args: string[]) => await runHere(args, { ...clean, PROOFLINE_HOME: folder.path });
  const invite = await run('human', 'invite', '--for', 'Ada Lovelace');
  const [code = ''] = /^invite-\S+$/m.exec(invite.output) ?? [];
  await run('human', 'invite', '--for', 'Somebody else');
  const [lost = ''] = /^\S+(?=  Somebody else)/m.exec((await run('human', 'invites')).output) ?? [];
  expect(await run('human', 'withdraw', lost)).toEqual({ exit: 0, output: 'withdrawn; it was for Somebody else\n' });
  expect((await run('human', 'invites')).output).toMatch(/^[\w-]{36}  Ada Lovelace  command line/m);
  expect((await run('human', 'invites')).output).not.toContain('Somebody else');
  expect(await run('human', 'withdraw', 'none')).toEqual({ exit: 1, output: expect.stringContaining('that is open') });
  const identity = join(own.path, 'ada.json');
  const there = ['--url', ready.url, '--identity', identity];
  const early = await run('key', 'mint', ...there);
  expect([early.exit, early.output]).toEqual([
    2,
    expect.stringContaining('expected a file that "proofline human enrol" wrote'),
  ]);
  const handedOn = await run('human', 'enrol', ...there, '--invite', code, '--audience', 'https://elsewhere.example');
  expect([handedOn.exit, handedOn.output]).toEqual([
    2,
    expect.stringContaining('expected the address that the service gives as its own'),
  ]);
  const enrolment = await run('human', 'enrol', ...there, '--invite', code);
  const [human = ''] = /^[0-9a-f]{64}$/m.exec(enrolment.output) ?? [];
  expect(enrolment.output).toContain('You are enrolled (enrolled, by operator-invite)');
  const mint = await run('key', 'mint', ...there, '--name', 'laptop');
  const [key = ''] = /^sk-platform-\w+$/m.exec(mint.output) ?? [];
  const use = async () => (await fetch(`${ready.url}/api/v1/keys`, { headers: { 'x-api-key': key } })).status;
  expect(await use()).toBe(200);
  expect((await run('human', 'list')).output).toMatch(new RegExp(`^${human}  Ada Lovelace +active +enrolled`, 'm'));
  expect(await run('human', 'remove', human)).toEqual({ exit: 0, output: 'removed; keys revoked: 1\n' });
  await until(async () => (await use()) === 401);
  const again = await run('human', 'enrol', ...there, '--invite', code);
  expect([again.exit, again.output]).toEqual([1, expect.stringContaining('got one that was used')]);
  script.child.kill('SIGTERM');
  expect(await script.ended).toBe(0);
});

test(
  'a kill with -9 of the launcher or of its child leaves no process, and the next start is not in the way of anything',
  patient,
  async () => {
    const first = await startUp(folder.path);
    first.script.child.kill('SIGKILL');
    await allGone(first.pids);

    const second = await startUp(folder.path);
    await using held = proofline(folder.path, 'up');
    const [, pid] = await held.printed(/process (\d+)/);
    process.kill(Number(pid), 'SIGKILL');
    await allGone([Number(pid), ...second.pids]);
    await using list = proofline(folder.path, 'key', 'list');
    expect(await list.ended).toBe(2);
    expect(list.output()).toContain(
      `ready.json is left from one that was killed; its API was process ${second.ready.servers.api.pid}). Start one, or set DATABASE_URL.`,
    );

    const third = await startUp(folder.path);
    third.script.child.kill('SIGTERM');
    expect(await third.script.ended).toBe(0);
  },
);

test(
  'whatever ends by itself is started again where it was; Ctrl-C while it waits for that ends everything',
  patient,
  async () => {
    const { script, ready, pids } = await startUp(folder.path);
    const readyNow = (): Ready => JSON.parse(readFileSync(join(folder.path, 'ready.json'), 'utf8'));
    const again = async (name: 'worker' | 'api') => {
      process.kill(ready.servers[name].pid, 'SIGKILL');
      const [, pid] = await script.printed(new RegExp(`the ${name} process runs again \\(process (\\d+)\\)`));
      expect(script.output()).toContain(`the ${name} process ended (signal SIGKILL); starting it again in 1 s`);
      await until(() => readyNow().servers[name].pid === Number(pid));
      return Number(pid);
    };
    const [api, worker] = await Promise.all([again('api'), again('worker')]);
    expect(readyNow()).toEqual({
      ...ready,
      servers: {
        ...ready.servers,
        api: { ...ready.servers.api, pid: api },
        worker: { ...ready.servers.worker, pid: worker },
      },
    });
    const servers = ['Postgres', 'Redis', 'chain', 'identity provider'];
    for (const pid of pids.slice(2)) process.kill(pid, 'SIGKILL');
    for (const name of servers) await script.printed(new RegExp(`the private ${name} runs again`));
    // accepted, run and read: everything has found its servers again
    const key = { 'x-api-key': ready.keys.admin, 'content-type': 'application/json', prefer: 'respond-async' };
    const body = JSON.stringify({ symbols: ['SPX'], scenarios: [{ spot_shock_pct: -5 }] });
    const stress = `${ready.url}/v1/portfolio/stress`;
    type Job = { readonly state: string; readonly links: { readonly self: string } };
    let job: Job | undefined;
    await until(async () => {
      const answer = await fetch(stress, { method: 'POST', headers: key, body });
      job = (await answer.json()) as Job;
      return answer.status === 202;
    });
    await until(async () => {
      const answer = await fetch(`${ready.url}${job?.links.self}`, { headers: key });
      return ((await answer.json()) as Job).state === 'succeeded';
    });
    process.kill(worker, 'SIGKILL');
    await script.printed(/the worker process ended \(signal SIGKILL\); starting it again in 2 s/);
    script.child.kill('SIGINT');
    expect(await script.ended).toBe(0);
    expect([...pids, api, worker].filter(runs)).toEqual([]);
    expect(readdirSync(folder.path)).not.toContain('ready.json');
  },
);

test('error: a wrong setting, a port in use, and a command without a system are sentences with exit code 2', async () => {
  using own = testFolder();
  await using wrong = runCommand(process.execPath, [launcher, 'up'], {
    ...clean,
    PROOFLINE_HOME: own.path,
    PORT: 'http',
  });
  expect(await wrong.ended).toBe(2);
  expect(wrong.output()).toBe('PORT: expected a whole number from 0 to 65535, got "http".\n');
  const ours = createServer().listen(0, '127.0.0.1');
  await once(ours, 'listening');
  const address = ours.address();
  const port = String(typeof address === 'object' ? address?.port : '');
  await using taken = runCommand(process.execPath, [launcher, 'up'], {
    ...clean,
    PROOFLINE_HOME: own.path,
    PORT: port,
  });
  expect(await taken.ended).toBe(2);
  expect(taken.output()).toContain(`PORT: expected a free port, got ${port}, which is in use`);
  ours.close();
  await using lonely = proofline(own.path, 'key', 'list');
  expect(await lonely.ended).toBe(2);
  expect(lonely.output()).toContain('DATABASE_URL: expected a value, got none, and no `proofline up` runs on');
  await using unknown = proofline(own.path, 'upp');
  expect(await unknown.ended).toBe(2);
});

// it starts a whole system, and a film takes its time on a busy machine
const unhurried = { timeout: 300_000 };

test(
  'the demo sends a stress test through the queue, makes a film from a brief, streams the events, and ends with everything',
  unhurried,
  async () => {
    using own = testFolder();
    await using script = runCommand(process.execPath, [launcher, 'demo'], {
      ...clean,
      PROOFLINE_HOME: '',
      TMPDIR: own.path,
      ...calm,
    });
    expect(await script.ended).toBe(0);
    const output = script.output();
    for (const part of [
      /net GEX now +\$ /,
      /flip levels +\S/,
      /ms {2}queued/,
      /ms {2}started/,
      /ms {2}succeeded/,
      /a film of 6 s, 640 × 360/,
      /integrity pass, authenticity pass/,
    ]) {
      expect(output).toMatch(part);
    }
    expect(output.match(/^ +[+-]?\d+ % .*\$ /gm)).toHaveLength(6);
    expect(readdirSync(own.path).filter((name) => name.startsWith('proofline-demo'))).toEqual([]);
  },
);

test('the launcher hands on what a command prints: here its help', async () => {
  await using script = proofline('/nowhere', 'up', '--help');
  expect(await script.ended).toBe(0);
  expect(script.output()).toMatch(/Usage: proofline up/);
});
