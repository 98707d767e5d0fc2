import { sql } from 'slonik';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jobScopes, studioKeyScopes } from '#src/lib/principal.ts';
import { type IdentityWorld, identityWorld, people, type Service } from '#test/access/sessions/world.ts';

const path = '/api/studio/v1/keys';
const access = '/api/studio/v1/developer/access-check';

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

async function ask(method: 'GET' | 'PATCH', url: string, headers: object, payload?: object) {
  const answer = await service.app.inject({ method, url, headers: { ...headers }, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.json() };
}

const held = async (id: string) =>
  await service.context.db.oneFirst(sql.unsafe`select scopes from keys where id = ${id}`);

const mixed = ['jobs.submit', 'studio.read', 'studio.plan', 'jobs.work'];

test('keys and people with scopes over jobs are shown with those of the eight alone', async () => {
  const key = await service.keyFor({ owner: 'both', scopes: mixed });
  const jobsAlone = await service.keyFor({ owner: 'both', scopes: jobScopes });
  expect((await ask('GET', path, key.headers)).body.keys).toMatchObject([
    { id: key.id, scopes: ['studio.read', 'studio.plan'] },
    { id: jobsAlone.id, scopes: [] },
  ]);
  expect((await ask('GET', access, key.headers)).body.principal.scopes).toEqual(['studio.read', 'studio.plan']);
  const ada = service.browser();
  await ada.signIn(people.ada);
  expect((await ada.get(access)).json()).toMatchObject({ principal: { scopes: studioKeyScopes } });
});

test('a change of scopes keeps those over jobs, which takes no right of the caller to hand on', async () => {
  const key = await service.keyFor({ owner: 'changed', scopes: mixed });
  const jobsAlone = await service.keyFor({ owner: 'changed', scopes: jobScopes });
  const own = `${path}/${key.id}`;
  expect((await ask('PATCH', own, key.headers, { name: 'n' })).body.scopes).toEqual(['studio.read', 'studio.plan']);
  expect(await held(key.id)).toEqual(mixed);
  expect((await ask('PATCH', own, key.headers, { scopes: ['studio.read'] })).body.scopes).toEqual(['studio.read']);
  expect(await held(key.id)).toEqual(['studio.read', 'jobs.submit', 'jobs.work']);
  const operator = await service.keyFor({ owner: 'changed', scopes: ['studio.read'], operator: true });
  const { status } = await ask('PATCH', `${path}/${jobsAlone.id}`, operator.headers, { scopes: ['studio.read'] });
  expect([status, await held(jobsAlone.id)]).toEqual([200, ['studio.read', ...jobScopes]]);
});
