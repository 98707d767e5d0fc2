import { once } from 'node:events';
import { chmodSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcp } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkFolder, checkNode, checkPackages, checkRoom } from '#src/commands/doctor/check-machine.ts';
import { checkPorts } from '#src/commands/doctor/check-ports.ts';
import { checkInfo } from '#src/commands/doctor/check-redis.ts';
import { leaders } from '#src/commands/doctor/check-running.ts';
import { checkSecrets } from '#src/commands/doctor/check-secrets.ts';
import { compareClocks } from '#src/commands/doctor/clocks.ts';
import { examine } from '#src/commands/doctor/examine.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { testFolder } from '#test/helpers/processes.ts';

const root = join(import.meta.dirname, '../../..');
const statusOf = (findings: readonly { check: string; status: string }[], check: string) =>
  findings.find((one) => one.check === check)?.status;

test('an older Node and a package that is not there are named, with what does not work then', async () => {
  expect(checkNode('26.1.0').status).toBe('ok');
  expect(checkNode('24.9.0')).toMatchObject({ status: 'fault', says: expect.stringContaining('got 24.9.0') });
  const packages = [
    { name: 'typebox', without: 'nothing works', isNeeded: true },
    { name: 'no-such-package', without: 'no films' },
    { name: 'no-such-needed', without: 'no pictures', isNeeded: true },
  ];
  const found = await checkPackages(packages);
  expect(found.map(({ status }) => status)).toEqual(['ok', 'warning', 'fault']);
  expect(found[1]?.says).toBe('not installed: no films. `npm install` brings it.');
});

test('a data folder that cannot be written or made is a fault that names its setting', () => {
  using folder = testFolder();
  const file = join(folder.path, 'file');
  writeFileSync(file, '');
  const good = checkFolder('data folder', 'PROOFLINE_HOME', join(folder.path, 'new/home'));
  expect(good[0]).toMatchObject({ status: 'ok', says: expect.stringContaining('made at first use') });
  for (const path of [file, join(file, 'below'), '/proc/nowhere']) {
    const [finding] = checkFolder('data folder', 'PROOFLINE_HOME', path);
    expect(finding).toMatchObject({ status: 'fault', says: expect.stringContaining('set PROOFLINE_HOME to another') });
  }
});

test('a disk with little room is a warning, and one with none a fault', () => {
  const gib = 1_024 ** 3;
  expect([10 * gib, gib, gib / 10].map((free) => checkRoom('disk', free).status)).toEqual(['ok', 'warning', 'fault']);
});

test('a secret that others may read is named, with what to do', () => {
  using folder = testFolder();
  const config = loadConfig({ PROOFLINE_HOME: folder.path });
  expect(checkSecrets(config).status).toBe('skipped');
  mkdirSync(join(folder.path, 'secrets'));
  const secret = join(folder.path, 'secrets/pepper');
  writeFileSync(secret, 'hunter2', { mode: 0o600 });
  expect(checkSecrets(config).status).toBe('ok');
  chmodSync(secret, 0o644);
  const { status, says } = checkSecrets(config);
  expect([status, says]).toEqual(['fault', `others may read ${secret}: run chmod 600 on it.`]);
});

test('a port of another program is a fault, one of a process of ours is not', async () => {
  const other = createTcp((socket) =>
    socket.on('error', () => {}).end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi'),
  );
  const ours = createServer((_request, response) => response.end('alive\n'));
  for (const server of [other, ours]) await once(server.listen(0, '127.0.0.1'), 'listening');
  const [PORT, METRICS_PORT] = [other, ours].map((server) => String((server.address() as AddressInfo).port));
  const found = await checkPorts(loadConfig({ PORT, METRICS_PORT }));
  expect(found.map(({ check, status }) => [check, status])).toEqual([
    ['port PORT', 'fault'],
    ['port METRICS_PORT', 'ok'],
  ]);
  expect(found[0]?.says).toContain(`set PORT to a free port`);
  const [elsewhere] = await checkPorts(loadConfig({ HOST: '192.0.2.1', PORT }));
  expect(elsewhere).toMatchObject({ status: 'fault', says: expect.stringContaining('set HOST to an address') });
  for (const server of [other, ours]) server.close();
});

test('clocks that are apart are named in pairs, as far as the time of the question lets them be known', () => {
  const clock = (server: string, aheadMs: number, marginMs = 5) => ({ server, aheadMs, marginMs });
  const statuses = (...clocks: ReturnType<typeof clock>[]) => compareClocks(clocks).map(({ status }) => status);
  expect(statuses(clock('Postgres', 20), clock('Redis', -900))).toEqual(['ok', 'ok', 'ok']);
  expect(statuses(clock('Postgres', 5_000), clock('Redis', -40_000))).toEqual(['warning', 'fault', 'fault']);
  expect(statuses(clock('Postgres', 5_000, 4_000))).toEqual(['ok']);
  expect(compareClocks([clock('Postgres', 5_000)])[0]?.check).toBe('clocks of this machine and Postgres');
});

const healthy = [
  'redis_version:7.4.1',
  'role:master',
  'maxmemory_policy:noeviction',
  'used_memory:1048576',
  'maxmemory:0',
  'aof_enabled:1',
  'aof_last_write_status:ok',
  'evicted_keys:0',
].join('\r\n');

test.each([
  ['Redis', 'redis_version:7.4.1', 'redis_version:6.2.0', 'fault'],
  ['Redis role', 'role:master', 'role:slave', 'fault'],
  ['Redis eviction', 'noeviction', 'allkeys-lru', 'fault'],
  ['Redis eviction', 'evicted_keys:0', 'evicted_keys:3', 'warning'],
  ['Redis eviction', 'maxmemory_policy:noeviction', '', 'skipped'],
  ['Redis memory', 'maxmemory:0', 'maxmemory:1100000', 'warning'],
  ['Redis persistence', 'aof_enabled:1', 'aof_enabled:0', 'warning'],
  ['Redis persistence', 'status:ok', 'status:err', 'fault'],
])('%s: %s is well, %s is not', (check, good, bad, status) => {
  expect(new Set(checkInfo('here', healthy).map((one) => one.status))).toEqual(new Set(['ok']));
  expect(statusOf(checkInfo('here', healthy.replace(good, bad)), check)).toBe(status);
});

test('a Valkey goes by its own version, not by the one of Redis that it names beside it', () => {
  const info = `${healthy}\r\nvalkey_version:8.0.1`.replace('7.4.1', '6.0.0');
  expect(checkInfo('here', info)[0]).toMatchObject({ status: 'ok', says: 'Valkey 8.0.1 at here' });
});

test('every leader of the background work of all surfaces is asked for, and none that only some of them have', () => {
  const named = globSync('src/**/*.ts', { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/\blead(?:ByLock)?\(context, '([\w-]+)'/g)].map(
      ([, name = '']) => name,
    ),
  );
  const ofSurfaces = ['anchors', 'artefacts', 'feed', 'missions', 'platform', 'studio', 'unknown-calls', 'webhooks'];
  expect([...Object.keys(leaders), ...ofSurfaces].toSorted()).toEqual(named.toSorted());
});

test('a wrong setting is a fault in its own words, and the machine is looked at all the same', async () => {
  const found = await examine({ PORT: 'many' });
  expect(statusOf(found, 'Node')).toBe('ok');
  expect(found.at(-1)).toMatchObject({ check: 'settings', status: 'fault', says: expect.stringMatching(/^PORT: exp/) });
});

test('a provider without its key is a warning that names the variable, a broken file a fault that names the place', async () => {
  using folder = testFolder();
  const file = join(folder.path, 'providers.json');
  const env = { PROOFLINE_HOME: folder.path, PROVIDERS_FILE: file, PORT: '0' };
  const provider = {
    id: 'pictures',
    title: 'Pictures',
    style: 'openai-compatible',
    url: 'https://pictures.example/v1',
    credential: 'PICTURES_KEY',
    capabilities: {
      'image.generate': { model: 'one', price: { perImage: 0.01 }, latency: { base: 5 }, quality: 0.5 },
    },
  };
  writeFileSync(file, JSON.stringify({ providers: [provider] }));
  const providers = async (more: object) =>
    (await examine({ ...env, ...more })).find(({ check }) => check === 'providers');
  expect(await providers({})).toMatchObject({
    status: 'warning',
    says: expect.stringContaining('PICTURES_KEY of pictures'),
  });
  expect(await providers({ PICTURES_KEY: 'sk-123456789' })).toMatchObject({ status: 'ok' });
  writeFileSync(file, '{');
  expect(await providers({})).toMatchObject({ status: 'fault', says: expect.stringContaining('PROVIDERS_FILE') });
});
