import { afterAll, beforeAll, expect, test } from 'vitest';
import { scopes } from '#src/lib/principal.ts';
import { type IdentityWorld, identityWorld, origin, people, type Service } from './world.ts';

let world: IdentityWorld;
let service: Service;
beforeAll(async () => {
  world = await identityWorld();
  service = await world.service({ OIDC_OPERATORS: 'ADA@example.com' });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

const cookie = 'proofline_session';

test('a person on the list signs in, is who the provider says, and signs out for good', async () => {
  const browser = service.browser();
  const back = await browser.signIn(people.ada);
  expect([back.status, back.location]).toEqual([302, `${origin}/auth/session`]);
  const who = await browser.get('/auth/session');
  expect(who.json()).toMatchObject({
    email: 'ada@example.com',
    owner: 'user:ada@example.com',
    operator: true,
    human: false,
    scopes,
  });
  expect((await browser.get('/v1/jobs')).status).toBe(200);

  const stolen = browser.jar.get('service')?.get(cookie);
  const out = await browser.send('POST', '/auth/sign-out');
  expect(out.status).toBe(204);
  expect(browser.jar.get('service')?.has(cookie)).toBe(false);
  browser.jar.get('service')?.set(cookie, stolen ?? '');
  expect((await browser.get('/auth/session')).status).toBe(401);
});

test('error: who is not on the list, has no verified address, or one that only looks like a listed one, stays outside', async () => {
  for (const person of [people.stranger, people.unverified, people.kelvin]) {
    const browser = service.browser();
    expect((await browser.signIn(person)).status).toBe(403);
    expect((await browser.get('/auth/session')).status).toBe(401);
  }
});

test('error: a wrong state, an answer that was used, one of another browser, and a tampered nonce or challenge do not sign in', async () => {
  const browser = service.browser();
  const { pathname, search } = new URL(await browser.toProvider(people.ada));
  const wrong = await browser.get(`${pathname}${search.replace(/state=[^&]+/, 'state=another')}`);
  expect([wrong.status, wrong.json()['detail']]).toEqual([400, expect.stringContaining('the state of a sign-in')]);

  const other = service.browser();
  await other.get('/auth/sign-in');
  expect((await other.get(pathname + search)).status).toBe(400);
  // whoever tried has spent it
  expect((await browser.get(pathname + search)).status).toBe(400);
  expect((await browser.get('/auth/session')).status).toBe(401);

  const second = new URL(await browser.toProvider(people.ada));
  expect((await browser.get(second.pathname + second.search)).status).toBe(302);
  const replayed = service.browser();
  await replayed.get('/auth/sign-in');
  expect((await replayed.get(second.pathname + second.search)).status).toBe(400);
  expect((await browser.get(second.pathname + second.search)).status).toBe(400);
  expect((await browser.get('/auth/session')).status).toBe(200);

  const tampered = [
    (address: URL) => address.searchParams.set('nonce', 'another'),
    (address: URL) => address.searchParams.set('code_challenge', 'A'.repeat(43)),
  ];
  for (const tamper of tampered) {
    const victim = service.browser();
    const answer = await victim.signIn(people.ada, { tamper });
    expect([answer.status, answer.json()['detail']]).toEqual([
      400,
      expect.stringContaining('got another, or one that was used'),
    ]);
    expect((await victim.get('/auth/session')).status).toBe(401);
  }
});

test('error: a code of one sign-in does not finish another of the same browser', async () => {
  const browser = service.browser();
  const first = new URL(await browser.toProvider(people.ada));
  const second = new URL(await browser.toProvider(people.ada));
  second.searchParams.set('code', first.searchParams.get('code') ?? '');
  expect((await browser.get(second.pathname + second.search)).status).toBe(400);
  expect((await browser.get('/auth/session')).status).toBe(401);
});

test('the tabs of one browser sign in each by itself, until the first is in', async () => {
  const browser = service.browser();
  const first = new URL(await browser.toProvider(people.ada));
  const second = new URL(await browser.toProvider(people.ada));
  expect((await browser.get(first.pathname + first.search)).status).toBe(302);
  expect((await browser.get(second.pathname + second.search)).status).toBe(400);
  expect((await browser.get('/auth/session')).status).toBe(200);
});

test('a provider that refuses, or is away, is said to', async () => {
  const browser = service.browser();
  const { location } = await browser.get('/auth/sign-in');
  const state = new URL(location ?? '').searchParams.get('state');
  const iss = encodeURIComponent(world.identity.url);
  const refused = await browser.get(`/auth/callback?state=${state}&error=access_denied&iss=${iss}`);
  expect([refused.status, refused.json()['detail']]).toEqual([403, expect.stringContaining('got access_denied')]);

  await using alone = await world.service({ OIDC_ISSUER: 'http://127.0.0.1:9' });
  expect((await alone.browser().get('/auth/sign-in')).status).toBe(503);
});

test('after signing in one comes to where one wanted to go, and an address elsewhere is refused before', async () => {
  const browser = service.browser();
  const path = encodeURIComponent('/console?tab=keys#new');
  expect((await browser.signIn(people.ada, { query: `?return_to=${path}` })).location).toBe(
    `${origin}/console?tab=keys#new`,
  );
  const refused = await browser.get(`/auth/sign-in?return_to=${encodeURIComponent('//evil.example')}`);
  expect([refused.status, refused.location]).toEqual([400, null]);
});

test('the cookie is for this host, hidden from pages, not sent along by other sites, and new after signing in', async () => {
  const browser = service.browser();
  const begun = await browser.get('/auth/sign-in');
  expect(begun.cookies).toEqual([expect.stringMatching(/^proofline_session=[^;]+; Path=\/; HttpOnly; SameSite=Lax$/)]);
  const before = browser.jar.get('service')?.get(cookie);
  const back = await browser.signIn(people.ada);
  expect(back.cookies).toHaveLength(1);
  const after = browser.jar.get('service')?.get(cookie);
  expect(after).not.toBe(before);

  // fixation: whoever gave us the first cookie has nothing from it
  const attacker = service.browser();
  attacker.jar.set('service', new Map([[cookie, before ?? '']]));
  expect((await attacker.get('/auth/session')).status).toBe(401);
  attacker.jar.set('service', new Map([[cookie, `${after?.slice(0, -2)}xx`]]));
  expect((await attacker.get('/auth/session')).status).toBe(401);
});

test('what our Redis holds is no cookie', async () => {
  const browser = service.browser();
  await browser.signIn(people.ada);
  const secret = decodeURIComponent(browser.jar.get('service')?.get(cookie) ?? '').split('.')[0] ?? '';
  const { redis, config } = service.context;
  const [keys, values] = [await redis.keys(`${config.REDIS_PREFIX}:*`), [] as (string | null)[]];
  for (const key of keys.filter((one) => /:(session|sign-in):/.test(one))) values.push(await redis.get(key));
  expect(values.length).toBeGreaterThan(0);
  expect(`${keys.join()}${values.join()}`).not.toContain(secret);
});

test('outside of this machine the cookie is __Host- and Secure, and a proxy that does not say https is named', async () => {
  const address = 'https://studio.example';
  await using other = await identityWorld(address);
  await using behind = await other.service({ TRUST_PROXY_HOPS: '1' });
  const browser = behind.browser();
  const back = await browser.signIn(people.ada);
  expect(back.cookies).toEqual([
    expect.stringMatching(/^__Host-proofline_session=[^;]+; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
  ]);
  expect((await browser.get('/auth/session')).json()).toMatchObject({ email: 'ada@example.com' });

  const plain = await behind.app.inject({ url: '/auth/sign-in' });
  expect(plain.statusCode).toBe(500);
});

test('the address to come back to is ours, whatever Host says', async () => {
  const answer = await service.app.inject({ url: '/auth/sign-in', headers: { host: 'evil.example' } });
  expect(new URL(String(answer.headers.location)).searchParams.get('redirect_uri')).toBe(`${origin}/auth/callback`);
});

test('an owner stays with the person: through a new address of theirs, and not with the next one who gets the old', async () => {
  const ownerOf = async (person: (typeof people)[keyof typeof people]) => {
    const browser = service.browser();
    await browser.signIn(person);
    return (await browser.get('/auth/session')).json()['owner'];
  };
  expect(await ownerOf(people.ada)).toBe('user:ada@example.com');
  expect(await ownerOf(people.successor)).toMatch(/^user:[0-9a-f]{32}$/);
});
