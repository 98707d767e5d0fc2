import { sql } from 'slonik';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callLog } from '#src/access/call-log.ts';
import { forgetOld } from '#src/jobs/sweep/retention.ts';
import { studioKeyScopes } from '#src/lib/principal.ts';
import { openDirect } from '#src/system/postgres/direct-postgres.ts';
import { type IdentityWorld, identityWorld, people, type Service } from '#test/access/sessions/world.ts';
import type { Browser } from '#test/helpers/browser.ts';

const path = '/api/studio/v1/keys';
const nobody = '0198c0de-0000-7000-8000-000000000000';

let world: IdentityWorld;
let service: Service;
let ada: Browser;
beforeAll(async () => {
  world = await identityWorld();
  service = await world.service();
  ada = service.browser();
  await ada.signIn(people.ada);
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

const bearer = (key: unknown) => ({ authorization: `Bearer ${String(key)}` });

async function ask(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, headers: object, payload?: object) {
  const answer = await service.app.inject({ method, url, headers: { ...headers }, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.json() };
}

/** Waits until so many calls of an owner are written: they are noted after their answers. */
async function written(owner: string, calls: number): Promise<void> {
  const count = async () => {
    await callLog(service.context).flush();
    return (await service.context.db.any(sql.unsafe`select from calls where owner = ${owner}`)).length;
  };
  await expect.poll(count).toBe(calls);
}

test('a person who is signed in makes a key, sees it masked, changes it, and revokes it', async () => {
  const soon = new Date(Date.now() + 3_600_000).toISOString();
  const made = await ada.send('POST', path, {
    name: 'laptop',
    scopes: ['studio.read', 'studio.brief'],
    expiresAt: soon,
    allowedIps: ['127.0.0.1', '127.0.0.1/32', '10.0.0.255/32'],
  });
  expect(made.status).toBe(201);
  const { key, ...record } = made.json();
  expect(key).toMatch(/^sk-platform-\w{49}$/);
  expect(record).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    name: 'laptop',
    keyPrefix: `${String(key).slice(0, 16)}…`,
    scopes: ['studio.read', 'studio.brief'],
    usageCount: 0,
    rateLimitTier: 'standard',
    rateLimitPerMinute: 600,
    rateLimitPerDay: 100_000,
    madeBy: null,
    allowedIps: ['127.0.0.1/32', '10.0.0.255/32'],
    createdAt: expect.any(String),
    expiresAt: soon,
    revokedAt: null,
    lastUsedAt: null,
  });
  const list = await ada.get(path);
  expect(list.json()).toMatchObject({ object: 'list', count: 1, keys: [record] });
  expect(list.text).not.toContain(key);

  const own = `${path}/${String(record['id'])}`;
  // remembered from here on, and forgotten with the change
  expect((await ask('GET', path, bearer(key))).status).toBe(200);
  const changed = await ada.send('PATCH', own, { name: 'desk', scopes: ['studio.brief'], allowedIps: [] });
  expect(changed.json()).toMatchObject({ name: 'desk', scopes: ['studio.brief'], allowedIps: null, expiresAt: soon });
  await expect.poll(async () => (await ask('GET', path, bearer(key))).status).toBe(403);

  const revoked = await ada.send('DELETE', own);
  expect(revoked.json()).toEqual({ id: record['id'], object: 'key', revoked: true, revokedAt: expect.any(String) });
  expect((await ada.send('DELETE', own)).json()).toEqual(revoked.json());
  expect((await ada.send('PATCH', own, { name: 'again' })).status).toBe(409);
  await expect.poll(async () => (await ask('GET', path, bearer(key))).status).toBe(401);

  const { changes } = (await ada.get(`${own}/usage`)).json();
  const done = ['revoked', 'updated', 'created'];
  expect(changes).toMatchObject(done.map((action) => ({ action, changedBy: 'person ada@example.com' })));
  expect(JSON.stringify(changes)).not.toContain(key);
});

test('error: every bound of a key is kept, at the limit and one beyond', async () => {
  const { headers } = await service.keyFor({ owner: 'bounds' });
  const ips = (count: number) => Array.from({ length: count }, (_, index) => `10.0.0.${index}`);
  const right = { name: 'n', scopes: ['studio.read'] };
  const statusOf = async (body: object) => (await ask('POST', path, headers, body)).status;
  const taken = [
    { ...right, name: 'n'.repeat(100) },
    { ...right, scopes: [...studioKeyScopes] },
    { ...right, allowedIps: [] },
    { ...right, allowedIps: ips(25) },
    { ...right, allowedIps: ['255.255.255.255/32', '0.0.0.0'] },
  ];
  for (const body of taken) expect([body, await statusOf(body)]).toEqual([body, 201]);
  const wrong = [
    {},
    { name: 'n' },
    { scopes: ['studio.read'] },
    { ...right, name: '' },
    { ...right, name: 'n'.repeat(101) },
    { ...right, name: 7 },
    { ...right, name: 'two\nlines' },
    { ...right, scopes: [] },
    { ...right, scopes: ['studio.read', 'studio.read'] },
    { ...right, scopes: ['studio.everything'] },
    { ...right, scopes: ['studio.read', 'jobs.submit'] },
    { ...right, allowedIps: ips(26) },
    { ...right, allowedIps: ['10.0.0.1', '10.0.0.1'] },
    { ...right, allowedIps: ['10.0.0.256'] },
    { ...right, allowedIps: ['10.0.0.0/24'] },
    { ...right, allowedIps: ['10.0.0.01'] },
    { ...right, allowedIps: ['::1'] },
    { ...right, allowedIps: null },
    { ...right, expiresAt: 'tomorrow' },
    { ...right, expiresAt: null },
    { ...right, expiresAt: '2020-01-01T00:00:00Z' },
    { ...right, expiresAt: '9999-12-31T23:59:59-00:01' },
    { ...right, expiresAt: '2099-02-30T00:00:00Z' },
    { ...right, operator: true },
  ];
  for (const body of wrong) expect([body, await statusOf(body)]).toEqual([body, 400]);

  const { body: made } = await ask('POST', path, headers, right);
  const changes = [
    {},
    { expiresAt: '2099-01-01T00:00:00Z' },
    { name: '' },
    { scopes: [] },
    { scopes: ['jobs.work'] },
    { allowedIps: ips(26) },
    { tier: 'high' },
  ];
  for (const body of changes)
    expect([body, (await ask('PATCH', `${path}/${made.id}`, headers, body)).status]).toEqual([body, 400]);
  expect((await ask('PATCH', `${path}/nonsense`, headers, { name: 'n' })).status).toBe(400);
});

test('error: a key manages keys of its owner alone, and none of them gets more than it holds', async () => {
  const lesser = await service.keyFor({
    owner: 'owner-1',
    scopes: ['studio.read', 'studio.brief'],
    allowedIps: ['127.0.0.1', '10.0.0.1'],
    expiresAt: new Date(Date.now() + 3_600_000),
  });
  const greater = await service.keyFor({ owner: 'owner-1', scopes: ['studio.read', 'studio.render'] });
  const other = await service.keyFor({ owner: 'owner-2' });
  const make = async (more: object) =>
    (await ask('POST', path, lesser.headers, { name: 'n', scopes: ['studio.read'], ...more })).status;
  expect(await make({})).toBe(201);
  for (const more of [
    { scopes: ['studio.render'] },
    { allowedIps: ['10.0.0.2'] },
    { allowedIps: [] },
    { expiresAt: '2099-01-01T00:00:00Z' },
  ])
    expect([more, await make(more)]).toEqual([more, 403]);

  const { body: child } = await ask('POST', path, lesser.headers, {
    name: 'n',
    scopes: ['studio.read'],
    allowedIps: ['127.0.0.1'],
  });
  const patch = async (id: string, change: object) =>
    (await ask('PATCH', `${path}/${id}`, lesser.headers, change)).status;
  const tries: [string, object, number][] = [
    [child.id, { scopes: ['studio.brief'] }, 200],
    [child.id, { allowedIps: ['10.0.0.1'] }, 200],
    [child.id, { scopes: ['studio.render'] }, 403],
    [child.id, { allowedIps: ['10.0.0.2'] }, 403],
    [child.id, { allowedIps: [] }, 403],
    [lesser.id, { scopes: ['studio.read', 'studio.brief', 'studio.plan'] }, 403],
    [lesser.id, { allowedIps: [] }, 403],
    // one that holds more is not its to change, not even to less
    [greater.id, { scopes: ['studio.read', 'studio.render', 'studio.brief'] }, 403],
    [greater.id, { name: 'g', scopes: ['studio.render', 'studio.read'] }, 403],
    [greater.id, { allowedIps: ['10.9.9.9'] }, 403],
    [other.id, { name: 'mine' }, 404],
    [nobody, { name: 'mine' }, 404],
  ];
  for (const [id, change, status] of tries) expect([change, await patch(id, change)]).toEqual([change, status]);
  expect((await ask('DELETE', `${path}/${other.id}`, lesser.headers)).status).toBe(404);
  expect((await ask('GET', `${path}/${other.id}/usage`, lesser.headers)).status).toBe(404);

  const blind = await service.keyFor({ owner: 'owner-1', scopes: ['studio.brief'] });
  expect((await ask('GET', path, blind.headers)).status).toBe(403);
  expect((await ask('GET', path, {})).status).toBe(401);
});

test('keys that change each other at once do not stand in each other’s way', async () => {
  const operators = { owner: 'pair', operator: true };
  const [left, right] = await Promise.all([service.keyFor(operators), service.keyFor(operators)]);
  const rounds = Array.from({ length: 10 }, async (_, index) => [
    (await ask('PATCH', `${path}/${right.id}`, left.headers, { name: `l${index}` })).status,
    (await ask('PATCH', `${path}/${left.id}`, right.headers, { name: `r${index}` })).status,
  ]);
  expect((await Promise.all(rounds)).flat()).toEqual(rounds.flatMap(() => [200, 200]));
});

test('use is counted by capability, from calls of HTTP, and forgotten after its time', async () => {
  const { id, headers } = await service.keyFor({ owner: 'busy', scopes: ['studio.read'] });
  await ask('GET', '/api/studio/v1/developer/access-check', headers);
  await ask('GET', path, headers);
  await ask('POST', path, headers, { name: '' });
  await ask('POST', path, headers, { name: 'n', scopes: ['studio.plan'] });
  // not a route that names a capability
  await ask('GET', '/v1/jobs', headers);
  await written('busy', 4);
  const usage = (await ask('GET', `${path}/${id}/usage`, headers)).body;
  expect(usage.stats).toMatchObject({ totalCalls: 4, callsLast24h: 4, succeeded: 2, failed: 2, retentionDays: 90 });
  expect(usage.capabilityBreakdown).toMatchObject([
    { capability: 'studio.keys.create', calls: 2, failed: 2 },
    { capability: 'studio.access.check', calls: 1, failed: 0 },
    { capability: 'studio.keys.read', calls: 1, failed: 0 },
  ]);
  const day = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
  expect(usage.byDay).toEqual([
    { day, capability: 'studio.access.check', calls: 1, failed: 0 },
    { day, capability: 'studio.keys.create', calls: 2, failed: 2 },
    { day, capability: 'studio.keys.read', calls: 1, failed: 0 },
  ]);
  expect(usage.logs.map(({ status }: { status: number }) => status)).toEqual([403, 400, 200, 200]);
  expect(usage.logs[0]).toMatchObject({ via: 'http', ip: '127.0.0.1', requestId: expect.any(String) });
  await written('busy', 5);
  expect((await ask('GET', path, headers)).body.keys).toMatchObject([{ id, usageCount: 5 }]);

  await written('busy', 6);
  await service.context.db.query(sql.unsafe`update calls set at = now() - interval '91 days' where owner = 'busy'`);
  const client = await openDirect(service.context.config, 'retention', () => {});
  const { calls } = await forgetOld(service.context, client);
  await client.end();
  expect(calls).toBe(6);
});

test('calls that cannot be written are dropped and counted, and those after them are written', async () => {
  const { headers } = await service.keyFor({ owner: 'patient', scopes: ['studio.read'] });
  const { db, metrics } = service.context;
  const check = async () => await ask('GET', '/api/studio/v1/developer/access-check', headers);
  const dropped = async () => {
    await callLog(service.context).flush();
    return (await metrics.proofline_calls_dropped_total.get()).values[0]?.value;
  };
  await db.query(sql.unsafe`alter table calls rename to calls_away`);
  expect((await check()).status).toBe(200);
  await expect.poll(dropped).toBe(1);
  await db.query(sql.unsafe`alter table calls_away rename to calls`);
  await check();
  await written('patient', 1);
  expect(await dropped()).toBe(1);
});

test('access-check says who calls, by key or session, and what needs an approval', async () => {
  const check = '/api/studio/v1/developer/access-check';
  const { id, headers } = await service.keyFor({ scopes: [] });
  expect((await ask('GET', check, headers)).body).toEqual({
    status: 'ok',
    principal: expect.objectContaining({ type: 'key', keyId: id, owner: 'owner-1', email: null, scopes: [] }),
    mcp: { transport: expect.stringMatching(/\/api\/mcp$/), read: false, execute: false },
    governance: expect.objectContaining({ publishing: 'approval_required', receipts: 'required_for_live_execution' }),
  });
  expect((await ada.get(check)).json()).toMatchObject({
    principal: { type: 'session', keyId: null, email: 'ada@example.com', owner: 'user:ada@example.com' },
    mcp: { read: true, execute: true },
  });
});
