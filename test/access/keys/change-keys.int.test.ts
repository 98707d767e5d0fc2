import { sql } from 'slonik';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KeyRequest } from '#src/access/keys/keys.ts';
import { jobScopes, scopes } from '#src/lib/principal.ts';
import { type IdentityWorld, identityWorld, people, type Service } from '#test/access/sessions/world.ts';

type Made = Awaited<ReturnType<Service['keyFor']>>;

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

const studio = '/api/studio/v1/keys';
const soon = new Date(Date.now() + 3_600_000);

async function ask(
  method: 'PATCH' | 'DELETE' | 'POST',
  url: string,
  { headers }: Pick<Made, 'headers'>,
  body?: object,
) {
  return await service.app.inject({ method, url, headers, ...(body && { payload: body }) });
}

/** The ways in which a key is changed or ended, as statuses: its name, its addresses, its end, by either surface. */
async function tryAll(caller: Pick<Made, 'headers'>, id: string): Promise<readonly number[]> {
  const answers = [
    await ask('PATCH', `${studio}/${id}`, caller, { name: 'other' }),
    await ask('PATCH', `${studio}/${id}`, caller, { allowedIps: ['127.0.0.1', '10.1.1.1'] }),
    await ask('PATCH', `/api/v1/keys/${id}`, caller, { name: 'another' }),
    await ask('DELETE', `${studio}/${id}`, caller),
    await ask('DELETE', `/api/v1/keys/${id}`, caller),
  ];
  return answers.map(({ statusCode }) => statusCode);
}

const mayNot = [403, 403, 403, 403, 403];
const may = [200, 200, 200, 200, 200];

/** A key that another one makes, by the route of the studio. */
async function madeBy(maker: Made, more: object = {}): Promise<Made> {
  const answer = await ask('POST', studio, maker, { name: 'made', scopes: ['studio.read'], ...more });
  expect(answer.statusCode, answer.body).toBe(201);
  const { id, key } = answer.json() as { id: string; key: string };
  return { id, headers: { 'x-api-key': key } };
}

test('a key that only reads revokes and narrows no key: neither the operator’s key nor one like itself', async () => {
  const reader = await service.keyFor({ owner: 'house', scopes: ['studio.read'] });
  const targets: Partial<KeyRequest>[] = [
    { scopes, operator: true },
    { scopes },
    { scopes: ['studio.read', 'studio.brief'] },
    { scopes: ['studio.read'] },
    { scopes: [] },
    { scopes: ['studio.read'], operator: true },
    { scopes: ['studio.read'], human: 'ab'.repeat(32) },
  ];
  for (const request of targets) {
    const target = await service.keyFor({ owner: 'house', ...request });
    expect([request, await tryAll(reader, target.id)]).toEqual([request, mayNot]);
    // it goes on as before
    const check = await service.app.inject({ url: '/api/studio/v1/developer/access-check', headers: target.headers });
    expect(check.statusCode).toBe(200);
  }
});

test('a key reads the use of itself and of lesser keys that it made, a person of all of theirs', async () => {
  const reader = await service.keyFor({ owner: 'readers', scopes: ['studio.read'] });
  const maker = await service.keyFor({ owner: 'readers', scopes: ['studio.read', 'studio.brief'] });
  const operator = await service.keyFor({ owner: 'readers', scopes: ['studio.read'], operator: true });
  const made = await madeBy(maker);
  const read = async (caller: Pick<Made, 'headers'>, { id }: Pick<Made, 'id'>) =>
    await service.app.inject({ url: `${studio}/${id}/usage`, headers: caller.headers });
  const statuses = async (caller: Made) =>
    await Promise.all([reader, maker, operator, made].map(async (key) => (await read(caller, key)).statusCode));
  expect(await statuses(reader)).toEqual([200, 403, 403, 403]);
  expect(await statuses(maker)).toEqual([403, 200, 403, 200]);
  expect(await statuses(operator)).toEqual([200, 200, 200, 200]);
  const { error } = (await read(reader, maker)).json();
  expect(error.docs).toMatch(/\?reason=key_holds_more#forbidden$/);
  expect((await read(reader, made)).json().error.docs).toMatch(/\?reason=key_made_by_another#forbidden$/);
});

test('a key changes and revokes itself, whatever it holds; without any scope too', async () => {
  for (const held of [[], ['studio.brief'], [...scopes]] as const) {
    const key = await service.keyFor({ owner: 'selves', scopes: held });
    const own = `${studio}/${key.id}`;
    expect((await ask('PATCH', own, key, { name: 'mine', allowedIps: ['127.0.0.1'] })).json()).toMatchObject({
      name: 'mine',
      allowedIps: ['127.0.0.1/32'],
    });
    // never to more than it was
    expect((await ask('PATCH', own, key, { allowedIps: [] })).statusCode).toBe(403);
    expect((await ask('DELETE', own, key)).statusCode).toBe(200);
  }
  const key = await service.keyFor({ owner: 'selves', scopes: [] });
  expect((await ask('DELETE', `/api/v1/keys/${key.id.toUpperCase()}`, key)).statusCode).toBe(200);
});

test('a key changes what it made, and what a lesser key made; not what an equal or a greater one made', async () => {
  const owner = 'family';
  const parent = await service.keyFor({ owner, scopes: ['studio.read', 'studio.brief', 'studio.plan'] });
  const child = await madeBy(parent, { scopes: ['studio.read', 'studio.brief'] });
  const grandchild = await madeBy(child);
  expect(await tryAll(parent, grandchild.id)).toEqual(may);
  expect(await tryAll(parent, child.id)).toEqual(may);

  // a lesser key that an operator made: itself not, what it made yes
  const lesser = await service.keyFor({ owner, scopes: ['studio.read', 'studio.brief'] });
  const ofLesser = await madeBy(lesser);
  expect(await tryAll(parent, lesser.id)).toEqual(mayNot);
  expect(await tryAll(parent, ofLesser.id)).toEqual(may);

  const equal = await service.keyFor({ owner, scopes: ['studio.plan', 'studio.brief', 'studio.read'] });
  const greater = await service.keyFor({ owner, scopes });
  for (const maker of [equal, greater]) expect(await tryAll(parent, (await madeBy(maker)).id)).toEqual(mayNot);
  // nor upwards
  const below = await madeBy(parent);
  expect(await tryAll(below, parent.id)).toEqual(mayNot);
  expect(await tryAll(below, (await madeBy(parent)).id)).toEqual(mayNot);
});

test('what a key made and then got more than its maker is out of its reach: scopes, addresses, time', async () => {
  const owner = 'grown';
  const ada = service.browser();
  await ada.signIn(people.ada);
  const parent = await service.keyFor({
    owner,
    scopes: ['studio.read', 'studio.brief'],
    allowedIps: ['127.0.0.1', '10.1.1.1'],
    expiresAt: soon,
  });
  const grow = [
    sql.fragment`scopes = array['studio.read', 'studio.render']`,
    sql.fragment`allowed_ips = '{}'`,
    sql.fragment`allowed_ips = array['10.2.0.0/16']`,
    sql.fragment`expires_at = null`,
    sql.fragment`expires_at = now() + interval '2 hours'`,
    sql.fragment`operator = true`,
  ];
  for (const set of grow) {
    const child = await madeBy(parent);
    await service.context.db.query(sql.unsafe`update keys set ${set} where id = ${child.id}`);
    expect([set.sql, await tryAll(parent, child.id)]).toEqual([set.sql, mayNot]);
  }
  expect(await tryAll(parent, (await madeBy(parent)).id)).toEqual(may);
});

test('an operator’s key and a signed-in person change all keys of their owner; none those of another', async () => {
  const ada = service.browser();
  await ada.signIn(people.ada);
  const owner = 'user:ada@example.com';
  const operator = await service.keyFor({ owner, scopes: ['studio.read'], operator: true });
  const target = async () => (await service.keyFor({ owner, scopes })).id;
  expect(await tryAll(operator, await target())).toEqual(may);
  const id = await target();
  expect((await ada.send('PATCH', `${studio}/${id}`, { name: 'n' })).status).toBe(200);
  expect((await ada.send('DELETE', `/api/v1/keys/${id}`)).status).toBe(200);
  const other = await service.keyFor({ owner: 'elsewhere', scopes: [] });
  expect(await tryAll(operator, other.id)).toEqual([404, 404, 404, 404, 404]);
  expect((await ada.send('DELETE', `/api/v1/keys/${other.id}`)).status).toBe(404);
});

test('a signed-in person who is known as a human revokes that human’s keys, and changes none of them', async () => {
  const ada = service.browser();
  await ada.signIn(people.ada);
  const human = 'cd'.repeat(32);
  const { db } = service.context;
  const bound = await service.keyFor({ owner: 'human:cd', scopes, human });
  expect((await ada.send('DELETE', `/api/v1/keys/${bound.id}`)).status).toBe(404);
  await db.query(sql.unsafe`
    insert into humans (nullifier, commitment, provider, assurance, scopes, tier)
    values (${sql.binary(Buffer.from(human, 'hex'))}, ${sql.binary(Buffer.alloc(32, 1))}, 'operator-invite', 'enrolled',
      array['studio.read'], 'standard')`);
  await db.query(sql.unsafe`update identities set human = ${human} where owner = 'user:ada@example.com'`);
  expect((await ada.send('PATCH', `${studio}/${bound.id}`, { name: 'n' })).status).toBe(404);
  expect((await ada.send('DELETE', `/api/v1/keys/${bound.id}`)).status).toBe(200);
  expect(await ask('DELETE', `/api/v1/keys/${bound.id}`, bound)).toMatchObject({ statusCode: 401 });
});

test('the refusal says what was expected, in the shape of the surface', async () => {
  const reader = await service.keyFor({ owner: 'words', scopes: ['studio.read'] });
  const admin = await service.keyFor({ owner: 'words', scopes });
  const peer = await service.keyFor({ owner: 'words', scopes: ['studio.read'] });
  const [byStudio, byMissions, ofPeer] = [
    await ask('DELETE', `${studio}/${admin.id}`, reader),
    await ask('DELETE', `/api/v1/keys/${admin.id}`, reader),
    await ask('DELETE', `/api/v1/keys/${peer.id}`, reader),
  ];
  const said = 'expected a key that holds no more than yours, got one with the scope studio.brief.';
  expect(byStudio.json()).toEqual({
    error: {
      type: 'authorization_error',
      message: expect.stringContaining(said),
      code: 'invalid_request',
      docs: expect.stringMatching(/\/docs\/errors\?reason=key_holds_more#forbidden$/),
      request_id: expect.any(String),
    },
  });
  expect(byMissions.json()).toMatchObject({ status: 403, code: 'forbidden', detail: expect.stringContaining(said) });
  expect(ofPeer.json()).toMatchObject({
    detail: expect.stringContaining('expected a key that yours or a lesser one made, got one that no key made.'),
  });
});

test('a key records what made it, and each surface notes who made, changed and revoked it', async () => {
  const owner = 'noted';
  const maker = await service.keyFor({ owner, scopes: ['studio.read', 'platform.mcp.read', 'platform.mcp.execute'] });
  const minted = await ask('POST', '/api/v1/keys', maker, { name: 'minted' });
  expect(minted.json()).toMatchObject({ madeBy: maker.id });
  const { id } = minted.json() as { id: string };
  await ask('DELETE', `/api/v1/keys/${id}`, maker);
  const usage = await service.app.inject({ url: `${studio}/${id}/usage`, headers: maker.headers });
  const by = { changedBy: `key ${maker.id}` };
  expect(usage.json()).toMatchObject({
    changes: [
      { action: 'revoked', ...by },
      { action: 'created', ...by },
    ],
  });
});

test('a signed-in person makes a key with scopes over jobs, changes them, and sees all of it in the list', async () => {
  const boole = service.browser();
  await boole.signIn(people.boole);
  const made = await boole.send('POST', '/api/v1/keys', { name: 'worker', scopes: ['studio.read', ...jobScopes] });
  expect([made.status, made.json()]).toMatchObject([201, { scopes: ['studio.read', ...jobScopes], usageCount: 0 }]);
  const { id, key } = made.json() as { id: string; key: string };
  const own = `/api/v1/keys/${id}`;
  const changed = await boole.send('PATCH', own, { scopes: ['jobs.work'], allowedIps: ['10.0.0.0/8'] });
  expect([changed.status, changed.json()]).toMatchObject([200, { name: 'worker', scopes: ['jobs.work'] }]);
  const list = (await boole.get('/api/v1/keys')).json();
  expect(list).toMatchObject({
    data: [{ id, scopes: ['jobs.work'], allowedIps: ['10.0.0.0/8'], tier: 'standard', rateLimitPerMinute: 600 }],
  });
  expect(JSON.stringify(list)).not.toContain(key);
  for (const wrong of [{}, { scopes: ['jobs.everything'] }, { expiresAt: soon.toISOString() }])
    expect([wrong, (await boole.send('PATCH', own, wrong)).status]).toEqual([wrong, 400]);
  await boole.send('DELETE', own);
  expect((await boole.send('PATCH', own, { name: 'again' })).status).toBe(409);
});

test('error: no key hands on a scope over jobs that it does not hold, by either surface', async () => {
  const owner = 'lacking';
  const maker = await service.keyFor({ owner, scopes: ['platform.mcp.execute', 'studio.read', 'jobs.submit'] });
  const made = await ask('POST', '/api/v1/keys', maker, { scopes: ['jobs.submit'] });
  expect([made.statusCode, made.json()]).toMatchObject([201, { scopes: ['jobs.submit'] }]);
  const { id } = made.json() as { id: string };
  for (const wanted of [['jobs.work'], ['jobs.manage'], ['jobs.submit', 'jobs.manage']]) {
    const answers = [
      await ask('POST', '/api/v1/keys', maker, { scopes: wanted }),
      await ask('PATCH', `/api/v1/keys/${id}`, maker, { scopes: wanted }),
    ];
    for (const answer of answers)
      expect([wanted, answer.statusCode, answer.json().details]).toMatchObject([
        wanted,
        403,
        { reason: 'more_than_yours' },
      ]);
  }
});

test('what a key may hand on is what it holds at that moment, not what a process remembers of it', async () => {
  const key = await service.keyFor({ owner: 'moment', scopes: ['studio.read', 'studio.render'] });
  const child = await madeBy(key);
  // remembered with both scopes from here on
  await service.context.db.query(sql.unsafe`update keys set scopes = array['studio.read'] where id = ${key.id}`);
  const wanted = ['studio.read', 'studio.render'];
  expect((await ask('POST', studio, key, { name: 'n', scopes: wanted })).statusCode).toBe(403);
  expect((await ask('PATCH', `${studio}/${child.id}`, key, { scopes: wanted })).statusCode).toBe(403);
});
