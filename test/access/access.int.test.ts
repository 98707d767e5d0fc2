import { sql } from 'slonik';
import { expect, test, vi } from 'vitest';
import { keyPrefix, makeSecret } from '#src/access/keys/key-format.ts';
import { createKey, listKeys, revokeKey } from '#src/access/keys/keys.ts';
import { countQueued } from '#src/access/quota.ts';
import { testApi } from '#test/http/api.ts';

const jobs = '/v1/jobs';

const refused = (text: string) => [401, 'Bearer realm="proofline"', expect.stringContaining(text)];

test('a key is answered once and stored as a hash alone', async () => {
  await using api = await testApi();
  const { key, secret } = await createKey(api.context, {
    owner: 'o',
    name: 'n',
    scopes: ['studio.read'],
    allowedIps: ['::ffff:10.0.0.1'],
  });
  expect(key).toMatchObject({
    start: secret.slice(12, 16),
    last4: secret.slice(-4),
    scopes: ['studio.read'],
    allowed_ips: ['10.0.0.1/32'],
  });
  const text = await api.context.db.oneFirst(sql.unsafe`select to_jsonb(keys)::text from keys`);
  expect(text).not.toContain(secret.slice(keyPrefix.length));
  expect(await listKeys(api.context, 'other')).toEqual([]);
  expect(JSON.stringify(await listKeys(api.context, 'o'))).not.toContain('hash');
});

test('error: an unknown scope or tier, a bad range, owner or name, and a time gone by are refused by name', async () => {
  await using api = await testApi();
  const make = (more: object) => createKey(api.context, { owner: 'o', name: 'n', scopes: [], ...more });
  await expect(make({ scopes: ['all'] })).rejects.toThrow('scopes: expected one of studio.read');
  await expect(make({ tier: 'gold' })).rejects.toThrow('tier: expected one of standard, high, got "gold"');
  await expect(make({ allowedIps: ['here'] })).rejects.toThrow('got "here"');
  await expect(make({ expiresAt: new Date(0) })).rejects.toThrow('a time in the future');
  await expect(make({ owner: 'two words' })).rejects.toThrow('owner: expected');
  for (const name of ['', ' ', 'a\nb', 'x'.repeat(101)])
    await expect(make({ name })).rejects.toThrow('name: expected 1 to 100 characters');
});

test('Bearer and X-API-Key both work; without, with junk, in the query, twice, or as another scheme it is 401', async () => {
  await using api = await testApi();
  const { secret } = await api.key();
  const ask = async (headers: Record<string, string>, url = jobs) => {
    const response = await api.app.inject({ url, headers });
    return [response.statusCode, response.headers['www-authenticate'] ?? null, response.json().detail ?? null];
  };
  expect(await ask({ authorization: `Bearer ${secret}` })).toEqual([200, null, null]);
  expect(await ask({ 'x-api-key': secret })).toEqual([200, null, null]);
  expect(await ask({})).toEqual(refused('got none'));
  expect(await ask({ 'x-api-key': makeSecret() })).toEqual(refused('does not exist'));
  expect(await ask({ 'x-api-key': `${secret.slice(0, -1)}!` })).toEqual(refused('typing error'));
  expect(await ask({ authorization: 'Basic abc' })).toEqual(refused('another scheme'));
  expect(await ask({ authorization: `Bearer ${secret}`, 'x-api-key': makeSecret() })).toEqual(refused('two different'));
  expect(await ask({ 'x-api-key': secret }, `${jobs}?api_key=${secret}`)).toEqual(refused('in the address'));
  expect(await ask({}, `${jobs}?x=${secret}`)).toEqual(refused('in the address'));
});

test('junk costs no database work', async () => {
  await using api = await testApi();
  await api.context.db.query(sql.unsafe`drop table keys`);
  expect((await api.app.inject({ url: jobs, headers: { 'x-api-key': 'sk-platform-junk' } })).statusCode).toBe(401);
});

test('a key works from its addresses alone, behind trusted proxies and no others', async () => {
  await using api = await testApi({ TRUST_PROXY_HOPS: '1' });
  const { headers } = await api.key({ allowedIps: ['10.0.0.0/8'] });
  const from = async (forwarded: string) =>
    (await api.app.inject({ url: jobs, headers: { ...headers, 'x-forwarded-for': forwarded } })).statusCode;
  expect(await from('10.1.2.3')).toBe(200);
  expect(await from('11.1.2.3')).toBe(401);
  expect(await from('10.1.2.3, 11.1.2.3')).toBe(401);
  await using direct = await testApi();
  const other = await direct.key({ allowedIps: ['10.0.0.0/8'] });
  expect(
    (await direct.app.inject({ url: jobs, headers: { ...other.headers, 'x-forwarded-for': '10.1.2.3' } })).statusCode,
  ).toBe(401);
});

test('a revoked key is refused by a process that has just believed it', async () => {
  await using api = await testApi();
  const { id, headers } = await api.key();
  expect((await api.app.inject({ url: jobs, headers })).statusCode).toBe(200);
  const heard = Promise.withResolvers<void>();
  const subscription = api.hub.bus.subscribe(`${api.context.config.REDIS_PREFIX}:keys`, {
    message: () => heard.resolve(),
    resubscribed: () => {},
  });
  await subscription.ready;
  await revokeKey(api.context, id, 'owner-1');
  await heard.promise;
  const response = await api.app.inject({ url: jobs, headers });
  expect([response.statusCode, response.json().detail]).toEqual([
    401,
    'expected a valid key, got one that was revoked.',
  ]);
  await expect(revokeKey(api.context, id, 'somebody else')).rejects.toMatchObject({ code: 'not_found' });
});

test('an expired key is refused at once, cached or not', async () => {
  await using api = await testApi();
  const expiresAt = new Date(Date.now() + 60_000);
  const { headers } = await api.key({ expiresAt });
  expect((await api.app.inject({ url: jobs, headers })).statusCode).toBe(200);
  const { useFakeTimers, useRealTimers } = (await import('vitest')).vi;
  useFakeTimers({ toFake: ['Date'], now: expiresAt });
  const response = await api.app.inject({ url: jobs, headers });
  useRealTimers();
  expect(response.json().detail).toContain('one that expired at');
});

test('limits are counted per key and minute, and told in the headers of the draft', async () => {
  await using api = await testApi({ RATE_STANDARD_PER_MINUTE: '2', RATE_STANDARD_PER_DAY: '50' });
  const [one, two] = [await api.key(), await api.key()];
  const ask = async ({ headers }: { headers: object }) =>
    await api.app.inject({ url: jobs, headers: headers as Record<string, string> });
  const first = await ask(one);
  expect(first.headers['ratelimit-policy']).toBe('"standard-minute";q=2;w=60, "standard-day";q=50;w=86400');
  expect(first.headers['ratelimit']).toMatch(/^"standard-minute";r=1;t=\d+, "standard-day";r=49;t=\d+$/);
  expect((await ask(one)).statusCode).toBe(200);
  const third = await ask(one);
  expect(third.json()).toMatchObject({
    status: 429,
    code: 'rate_limited',
    details: { 'violated-policies': ['standard-minute'] },
  });
  expect(Number(third.headers['retry-after'])).toBeGreaterThan(0);
  expect((await ask(two)).statusCode).toBe(200);
});

test('all keys of a human share one budget: another key is not another quota', async () => {
  await using api = await testApi({ RATE_STANDARD_PER_MINUTE: '2' });
  const human = 'ab'.repeat(32);
  const codes: number[] = [];
  for (const request of [{ human }, { human }, { human }, {}]) {
    const { headers } = await api.key(request);
    codes.push((await api.app.inject({ url: jobs, headers })).statusCode);
  }
  expect(codes).toEqual([200, 200, 429, 200]);
});

test('a route for humans takes keys that are bound to one, and no other however much it may do', async () => {
  await using api = await testApi({}, (app) => {
    app.get('/for-humans', { config: { human: true } }, async ({ principal }) => ({ human: principal?.human }));
  });
  const human = 'ab'.repeat(32);
  const ask = async (headers: Record<string, string>) => (await api.app.inject({ url: '/for-humans', headers })).json();
  expect(await ask((await api.key({ operator: true })).headers)).toMatchObject({ status: 403, code: 'human_required' });
  expect(await ask({})).toMatchObject({ status: 401 });
  expect(await ask((await api.key({ human, scopes: [] })).headers)).toEqual({ human });
});

test('anonymous routes and wrong keys are counted by address', async () => {
  await using api = await testApi({ ANONYMOUS_PER_MINUTE: '2' });
  const ask = async (headers = {}) => (await api.app.inject({ url: '/v1/health', headers })).statusCode;
  expect([await ask(), await ask({ 'x-api-key': 'junk' }), await ask()]).toEqual([200, 401, 429]);
});

test('while Redis is away each process counts for itself', async () => {
  await using api = await testApi({ RATE_STANDARD_PER_MINUTE: '1' });
  const { headers } = await api.key();
  api.context.redis.disconnect();
  const codes = [
    (await api.app.inject({ url: jobs, headers })).statusCode,
    (await api.app.inject({ url: jobs, headers })).statusCode,
  ];
  expect(codes).toEqual([200, 429]);
});

test('a Redis that hangs holds no request up: each process counts for itself', async () => {
  await using api = await testApi({ RATE_STANDARD_PER_MINUTE: '1' });
  const { headers } = await api.key();
  const hung = vi.spyOn(api.context.redis, 'sendCommand').mockReturnValue(new Promise(() => {}));
  const codes = [
    (await api.app.inject({ url: jobs, headers })).statusCode,
    (await api.app.inject({ url: jobs, headers })).statusCode,
  ];
  hung.mockRestore();
  expect(codes).toEqual([200, 429]);
});

test('an address that guesses keys costs no look-up any more; keys that are known go on', async () => {
  await using api = await testApi({ ANONYMOUS_PER_MINUTE: '2' });
  const { headers } = await api.key();
  const ask = async (given: Record<string, string>) => (await api.app.inject({ url: jobs, headers: given })).statusCode;
  expect(await ask(headers)).toBe(200);
  for (let guess = 0; guess < 2; guess++) expect(await ask({ 'x-api-key': makeSecret() })).toBe(401);
  await api.context.db.query(sql.unsafe`alter table keys rename to keys_away`);
  expect(await ask({ 'x-api-key': makeSecret() })).toBe(429);
  expect(await ask(headers)).toBe(200);
  await api.context.db.query(sql.unsafe`alter table keys_away rename to keys`);
});

test('unfinished jobs are counted per owner and queue, up to the bound', async () => {
  await using api = await testApi();
  await api.context.db.query(sql.unsafe`
    insert into jobs (id, owner, queue, state, priority, payload, request_hash, finished_at)
    select gen_random_uuid(), 'o', 'q', state, 0, '{}', '', case when state = 'failed' then now() end
    from unnest(array['queued', 'queued', 'awaiting_approval', 'failed']) as s (state)`);
  expect(await countQueued(api.context, { owner: 'o' }, 'q', 10)).toBe(3);
  expect(await countQueued(api.context, { owner: 'o' }, 'q', 2)).toBe(2);
  expect(await countQueued(api.context, { owner: 'o' }, 'other', 10)).toBe(0);
});

test('the last use of keys is written when the process closes', async () => {
  await using outer = await testApi();
  const { headers, id } = await outer.key();
  const { buildApp } = await import('#src/api/app.ts');
  const { openContext } = await import('#src/system/context.ts');
  {
    await using context = await openContext(outer.context.config, 'api');
    await using app = await buildApp(context);
    expect((await app.inject({ url: jobs, headers })).statusCode).toBe(200);
  }
  const [key] = await listKeys(outer.context, 'owner-1');
  expect(key?.id).toBe(id);
  expect(key?.last_used_at).toBeInstanceOf(Date);
});
