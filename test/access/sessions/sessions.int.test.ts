import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { sql } from 'slonik';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { Browser } from '#test/helpers/browser.ts';
import { until } from '#test/helpers/processes.ts';
import { type IdentityWorld, identityWorld, origin, people, type Service } from './world.ts';

let world: IdentityWorld;
let service: Service;
beforeAll(async () => {
  world = await identityWorld();
  service = await world.service();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

async function signedIn(at: Service = service) {
  const browser = at.browser();
  expect((await browser.signIn(people.ada)).status).toBe(302);
  return browser;
}

test('error: what changes something needs the token of this very session and a page of ours', async () => {
  await using other = await world.service({ ALLOWED_ORIGINS: 'https://console.example' });
  const [browser, second] = [await signedIn(other), await signedIn(other)];
  const token = (await browser.get('/auth/session')).json()['csrf_token'];
  const foreign = (await second.get('/auth/session')).json()['csrf_token'];
  const tries: [object, number][] = [
    [{}, 403],
    [{ 'x-csrf-token': token }, 403],
    [{ origin }, 403],
    [{ origin, 'x-csrf-token': foreign }, 403],
    [{ origin, 'x-csrf-token': '' }, 403],
    [{ origin: 'https://evil.example', 'x-csrf-token': token }, 403],
    [{ origin: 'null', 'x-csrf-token': token }, 403],
    [{ origin, 'x-csrf-token': token }, 404],
    [{ origin: 'https://console.example', 'x-csrf-token': token }, 404],
  ];
  const path = '/v1/jobs/0198c0de-0000-7000-8000-000000000000/cancel';
  for (const [headers, status] of tries)
    expect([headers, (await browser.send('POST', path, {}, headers)).status]).toEqual([headers, status]);
  expect((await browser.send('POST', '/auth/sign-out', undefined, { origin })).status).toBe(403);
  expect((await browser.get('/auth/session')).status).toBe(200);
});

test('a request with a key and a cookie is the key’s, and needs no token', async () => {
  const browser = await signedIn();
  const { headers } = await service.keyFor({ owner: 'owner-9', scopes: ['platform.mcp.read'] });
  const cookie = [...(browser.jar.get('service') ?? [])].map((pair) => pair.join('=')).join('; ');
  const asKey = { ...headers, cookie };
  expect((await service.app.inject({ url: '/auth/session', headers: asKey })).statusCode).toBe(401);
  const minted = await service.app.inject({ method: 'POST', url: '/api/v1/keys', headers: asKey, payload: {} });
  expect([minted.statusCode, minted.json().detail]).toEqual([403, expect.stringContaining('platform.mcp.execute')]);
});

test('sessions of one person are several, and end one by one', async () => {
  const [first, second] = [await signedIn(), await signedIn()];
  expect((await first.send('POST', '/auth/sign-out')).status).toBe(204);
  expect([(await first.get('/auth/session')).status, (await second.get('/auth/session')).status]).toEqual([401, 200]);
});

test('when Redis is emptied everybody is signed out, nothing crashes, and one signs in again', async () => {
  const [inside, underway] = [await signedIn(), service.browser()];
  const back = new URL(await underway.toProvider(people.ada));
  const { redis, config } = service.context;
  const keys = await redis.keys(`${config.REDIS_PREFIX}:*`);
  await redis.del(...keys);
  expect((await inside.get('/auth/session')).status).toBe(401);
  expect((await inside.send('POST', '/auth/sign-out')).status).toBe(204);
  expect((await underway.get(back.pathname + back.search)).status).toBe(400);
  expect((await underway.signIn(people.ada)).status).toBe(302);
});

test('while Redis is away a session is neither believed nor ended, and keys go on', async () => {
  await using other = await world.service();
  const browser = await signedIn(other);
  const { headers } = await other.keyFor({});
  other.context.redis.disconnect();
  const answer = await browser.get('/v1/jobs');
  expect([answer.status, answer.json()['code']]).toEqual([503, 'unavailable']);
  expect((await other.app.inject({ url: '/v1/jobs', headers })).statusCode).toBe(200);
  await until(() => other.context.redis.status === 'end');
  await other.context.redis.connect();
  expect((await browser.get('/v1/jobs')).status).toBe(200);
});

test('a session that is unused, or as old as it may be, is over; one of a person taken off the list as well', async () => {
  const { redis, config } = service.context;
  const sessions = async () => await redis.keys(`${config.REDIS_PREFIX}:session:*`);
  const before = new Set(await sessions());
  const browser = await signedIn();
  const [name = ''] = (await sessions()).filter((one) => !before.has(one));
  const idle = config.SESSION_IDLE_MINUTES * 60_000;
  expect(await redis.pttl(name)).toBeLessThanOrEqual(idle);
  await redis.pexpire(name, 60_000);
  await browser.get('/auth/session');
  expect(await redis.pttl(name)).toBeGreaterThan(60_000);

  const kept = JSON.parse((await redis.get(name)) ?? '');
  const change = async (person: object) =>
    await redis.set(name, JSON.stringify({ person: { ...kept.person, ...person } }), 'PX', 600_000);
  await change({ until: Date.now() + 30_000 });
  expect((await browser.get('/auth/session')).status).toBe(200);
  expect(await redis.pttl(name)).toBeLessThanOrEqual(30_000);
  await change({ until: Date.now() - 1 });
  expect((await browser.get('/auth/session')).status).toBe(401);

  await change({ email: 'somebody@elsewhere.example' });
  expect((await browser.get('/auth/session')).status).toBe(401);
  expect(await redis.exists(name)).toBe(0);
});

test('the human behind a person counts as long as they are not removed', async () => {
  const browser = await signedIn();
  const human = '11'.repeat(32);
  const { db } = service.context;
  await db.query(sql.unsafe`
    insert into humans (nullifier, commitment, provider, assurance, scopes, tier)
    values (decode(${human}, 'hex'), decode(${human}, 'hex'), 'test', 'enrolled', '{}', 'standard')`);
  await db.query(sql.unsafe`update identities set human = ${human} where owner = 'user:ada@example.com'`);
  expect((await browser.get('/auth/session')).json()).toMatchObject({ human: true });
  await db.query(sql.unsafe`update humans set revoked_at = now()`);
  expect((await browser.get('/auth/session')).json()).toMatchObject({ human: false });
});

/** The address at which the service listens as well, and the cookie of somebody who is signed in. */
async function listening(browser: Browser) {
  if (!service.app.server.listening) await service.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = service.app.server.address() as AddressInfo;
  const cookie = [...(browser.jar.get('service') ?? [])].map((pair) => pair.join('=')).join('; ');
  return { address: `127.0.0.1:${port}`, cookie };
}

test('what is open in the name of a session closes when it ends', async () => {
  const browser = await signedIn();
  const { address, cookie } = await listening(browser);
  const stream = await fetch(`http://${address}/v1/alerts`, { headers: { cookie } });
  expect(stream.status).toBe(200);
  await until(() => service.hub.keyIds().some((one) => one.startsWith('session:')));
  expect((await browser.send('POST', '/auth/sign-out')).status).toBe(204);
  expect(await stream.text()).toContain('signed_out');
  expect(service.hub.keyIds()).toEqual([]);
});

test('a page of another site opens no WebSocket with the cookie, a page of ours does', async () => {
  const { address, cookie } = await listening(await signedIn());
  const opens = async (from: string) => {
    const socket = new WebSocket(`ws://${address}/ws/v1/alerts`, { headers: { cookie, origin: from } });
    const outcome = Promise.race([
      once(socket, 'open').then(() => 'open'),
      once(socket, 'unexpected-response').then(([, { statusCode }]) => String(statusCode)),
    ]);
    return await outcome.finally(() => socket.terminate());
  };
  expect(await opens('https://evil.example')).toBe('403');
  expect(await opens(origin)).toBe('open');
});
