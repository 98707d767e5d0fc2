import { sql } from 'slonik';
import { Type } from 'typebox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountScope } from '#src/access/humans/challenges/challenge-message.ts';
import { findInvite } from '#src/access/humans/invites.ts';
import { verifySemaphore } from '#src/access/humans/semaphore/verify-semaphore.ts';
import type { Purpose } from '#src/access/humans/store/challenge-store.ts';
import { buildApp } from '#src/api/app.ts';
import { openProver, type Prover } from '#src/commands/client/prover.ts';
import { openStreams } from '#src/http/streams/open-streams.ts';
import { openContext } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { type Person, person } from '#test/access/humans/identities.ts';
import { type TestApi, testApi } from '#test/http/api.ts';

// proving takes seconds, so the tests tell one story: Ada is invited, enrols, mints keys, and is removed
let api: TestApi;
let prover: Prover;
let ada: Person;
let operator: Record<string, string>;
let human: string;
let minted: { id: string; key: string };

interface Answer {
  readonly code: string;
  readonly detail: string;
  readonly [name: string]: unknown;
}

async function call(
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  body?: object,
  headers: Record<string, string> = {},
) {
  const response = await api.app.inject({ method, url, headers, ...(body && { body }) });
  return { status: response.statusCode, headers: response.headers, json: response.json<Answer>() };
}

async function challenge(body: object) {
  const { json } = await call('POST', '/api/v1/humans/challenge', body);
  return json as unknown as { challengeId: string; purpose: Purpose; body: Record<string, string>; sha256: string };
}

const invited = async (): Promise<string> => {
  const { json } = await call('POST', '/api/v1/humans/invites', { label: 'Ada' }, operator);
  return json.code;
};

beforeAll(async () => {
  api = await testApi();
  prover = await openProver();
  ada = person(prover, 1);
  operator = (await api.key({ operator: true, owner: 'operator' })).headers;
});

afterAll(async () => {
  await prover[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
});

test('an invite enrols one identity, once, and the answer says what vouches for it', async () => {
  const invite = await invited();
  const asked = await challenge({ purpose: 'enrol', commitment: ada.commitment });
  expect(asked.body).toMatchObject({ v: 1, commitment: ada.commitment, aud: 'http://127.0.0.1:0' });
  expect(asked).toMatchObject({ scope: accountScope.toString() });
  const proof = await ada.prove([ada.commitment], asked);
  expect(BigInt(proof.message)).toBe(BigInt(`0x${asked.sha256}`));
  // the two verifiers agree, on proofs that hold and on others
  const { verifyProof } = (await import('@semaphore-protocol/core')) as unknown as {
    verifyProof: (proof: object) => Promise<boolean>;
  };
  expect(await verifyProof(proof)).toBe(true);
  expect(verifySemaphore(proof).root).toBe(BigInt(ada.commitment));
  const changed = { ...proof, message: (BigInt(proof.message) + 1n).toString() };
  expect(await verifyProof(changed)).toBe(false);
  expect(() => verifySemaphore(changed)).toThrow('got one that does not');

  const enrolment = { challengeId: asked.challengeId, commitment: ada.commitment, proof, invite };
  const both = await Promise.all([1, 2].map(() => call('POST', '/api/v1/humans/enrol', enrolment)));
  expect(both.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([
    201,
    expect.toSatisfy((status) => status === 409 || status === 403),
  ]);
  const json = both.find(({ status }) => status === 201)?.json;
  expect(json).toMatchObject({ provider: 'operator-invite', assurance: 'enrolled' });
  human = String(json?.['human']);
  expect(human).toBe(BigInt(proof.nullifier).toString(16).padStart(64, '0'));
  expect((await call('GET', '/api/v1/humans/group')).json).toEqual({
    root: ada.commitment,
    depth: 20,
    members: [ada.commitment],
  });
  expect((await call('POST', '/api/v1/humans/enrol', enrolment)).json.detail).toContain(
    'got one that was used. Ask the operator',
  );
  const fresh = await call('POST', '/api/v1/humans/enrol', { ...enrolment, invite: await invited() });
  expect(fresh.json).toMatchObject({ code: 'invalid_challenge', detail: expect.stringContaining('one that was used') });
});

test('a proof over a fresh challenge mints a key of that human, shown once, with the scopes of missions and no more', async () => {
  const asked = await challenge({ purpose: 'key' });
  const proof = await ada.prove([ada.commitment], asked);
  const { challengeId } = asked;
  const beyond = await call('POST', '/api/v1/keys', { challengeId, proof, scopes: ['studio.render'] });
  expect(beyond.json).toMatchObject({ code: 'forbidden', detail: expect.stringContaining('got studio.render') });
  const wrongs = [
    { proof: { ...proof, scope: (BigInt(proof.scope) + 1n).toString() } },
    { proof: { ...proof, nullifier: `0${proof.nullifier}` } },
    { proof: { ...proof, merkleTreeDepth: 16 } },
    { proof: { ...proof, points: proof.points.slice(1) } },
    { proof: { ...proof, more: 'x'.repeat(40_000) } },
    { challengeId: undefined },
    { allowedIps: ['here'] },
  ];
  const statuses = wrongs.map(
    async (wrong) => (await call('POST', '/api/v1/keys', { challengeId, proof, ...wrong })).status,
  );
  expect(await Promise.all(statuses)).toEqual([422, 400, 400, 400, 413, 400, 400]);

  const wanted = { name: 'laptop', expiresAt: '2999-01-01T00:00:00.000Z' };
  const { status, headers, json } = await call('POST', '/api/v1/keys', { challengeId, proof, ...wanted });
  expect([status, headers['cache-control']]).toEqual([201, 'no-store']);
  expect(json).toMatchObject({
    ...wanted,
    scopes: ['platform.mcp.read', 'platform.mcp.execute'],
    boundToHuman: true,
    createdByProof: true,
    tier: 'standard',
  });
  minted = { id: String(json['id']), key: String(json['key']) };
  const again = await call('POST', '/api/v1/keys', { challengeId, proof });
  expect(again.json).toMatchObject({ code: 'invalid_challenge', status: 409 });
  const list = await call('GET', '/api/v1/keys', undefined, { 'x-api-key': minted.key });
  expect(list.json).toMatchObject({ data: [{ id: minted.id, name: 'laptop' }] });
  expect(JSON.stringify(list.json)).not.toContain(minted.key);
  expect(JSON.stringify(list.json)).not.toContain(human);
});

test('a key that a human minted makes lesser keys of the same human; a key without a human makes keys without one', async () => {
  const lesser = await call('POST', '/api/v1/keys', { scopes: ['platform.mcp.read'] }, { 'x-api-key': minted.key });
  expect(lesser.json).toMatchObject({
    boundToHuman: true,
    createdByProof: false,
    scopes: ['platform.mcp.read'],
    expiresAt: '2999-01-01T00:00:00.000Z',
  });
  const { headers } = await api.key();
  expect((await call('POST', '/api/v1/keys', {}, headers)).json).toMatchObject({ boundToHuman: false });
  const stored = await api.context.db.anyFirst(sql.unsafe`select human_id from keys where owner like 'human:%'`);
  expect(stored).toEqual([human, human]);
});

test('a human who is removed is refused at once in every process, with all their keys', async () => {
  await using second = await openContext(api.context.config, 'api');
  const hub = openStreams(second);
  await using other = await buildApp(second, { hub });
  const headers = { 'x-api-key': minted.key };
  const list = { url: '/api/v1/keys', headers };
  expect([(await api.app.inject(list)).statusCode, (await other.inject(list)).statusCode]).toEqual([200, 200]);
  const heard = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  for (const [index, { bus }] of [api.hub, hub].entries()) {
    const subscription = bus.subscribe(`${api.context.config.REDIS_PREFIX}:keys`, {
      message: (id) => id === minted.id && heard[index]?.resolve(),
      resubscribed: () => {},
    });
    await subscription.ready;
  }
  const removal = await call('DELETE', `/api/v1/humans/${human}`, undefined, operator);
  expect(removal.json).toEqual({ id: human, keysRevoked: 2 });
  await Promise.all(heard.map(({ promise }) => promise));
  expect([(await api.app.inject(list)).statusCode, (await other.inject(list)).statusCode]).toEqual([401, 401]);
  expect((await call('GET', '/api/v1/humans', undefined, operator)).json).toMatchObject({
    data: [{ id: human, label: 'Ada', removedAt: expect.any(String) }],
  });
  expect((await call('GET', '/api/v1/humans/group')).json).toEqual({ root: null, depth: 20, members: [] });
});

test('invites that are open are listed without their codes, and withdrawn as long as they are unused', async () => {
  const { context } = api;
  const path = '/api/v1/humans/invites';
  const made = (await call('POST', path, { label: 'Grace' }, operator)).json;
  const late = (await call('POST', path, { label: 'late' }, operator)).json;
  await context.db.query(
    sql.unsafe`update human_invites set expires_at = now() - interval '1 second' where id = ${String(late['id'])}`,
  );
  const listed = await call('GET', path, undefined, operator);
  // Ada has used hers
  expect(listed.json['data']).toContainEqual({
    id: made['id'],
    label: 'Grace',
    scopes: made['scopes'],
    tier: 'standard',
    createdBy: 'operator',
    createdAt: expect.any(String),
    expiresAt: made['expiresAt'],
  });
  const labels = (listed.json['data'] as { label: string; id: string }[]).map(({ label }) => label);
  expect(labels).not.toContain('late');
  expect(JSON.stringify(listed.json)).not.toContain(made.code);

  const { headers } = await api.key();
  const used = await context.db.oneFirst(
    sql.type(row(Type.Object({ id: Type.String() })))`select id from human_invites where used_at is not null`,
  );
  const withdraw = async (id: unknown, by = operator) =>
    (await call('DELETE', `${path}/${String(id)}`, undefined, by)).status;
  expect((await call('GET', path, undefined, headers)).status).toBe(403);
  expect(await withdraw(made['id'], headers)).toBe(403);
  expect(await withdraw(made['id'])).toBe(200);
  expect(await withdraw(made['id'])).toBe(404);
  expect(await withdraw(late['id'])).toBe(404);
  expect(await withdraw(used)).toBe(404);
  await expect(findInvite(context, made.code)).rejects.toMatchObject({ code: 'invalid_invite' });
});

test('error: what only operators do, what needs a human, and enrolments that fit nothing', async () => {
  const { headers } = await api.key();
  const status = async (...request: Parameters<typeof call>) => (await call(...request)).status;
  expect(await status('POST', '/api/v1/humans/invites', { label: 'x' }, headers)).toBe(403);
  expect(await status('GET', '/api/v1/humans', undefined, headers)).toBe(403);
  expect(await status('DELETE', `/api/v1/humans/${'0'.repeat(64)}`, undefined, headers)).toBe(403);
  expect(await status('DELETE', `/api/v1/humans/${'0'.repeat(64)}`, undefined, operator)).toBe(404);
  expect(await status('POST', '/api/v1/humans/invites', { label: ' ' }, operator)).toBe(400);
  expect(await status('POST', '/api/v1/humans/invites', { label: 'x', days: 31 }, operator)).toBe(400);
  expect(await status('POST', '/api/v1/humans/challenge', { purpose: 'step' })).toBe(400);
  expect(await status('POST', '/api/v1/humans/challenge', { purpose: 'enrol' })).toBe(400);
  expect(await status('POST', '/api/v1/humans/challenge', { purpose: 'key', commitment: '1' })).toBe(400);
  const worldId = await call('POST', '/api/v1/humans/challenge', {
    purpose: 'enrol',
    commitment: '1',
    provider: 'world-id',
  });
  expect(worldId.json.detail).toContain('world-id, which is not set up here');
});

test('an invite that has expired is refused, and one that is guessed is soon not even looked up', async () => {
  await using fresh = await testApi({ ANONYMOUS_PER_MINUTE: '10' });
  const { headers } = await fresh.key({ operator: true });
  const asked = async (url: string, body: object, more = {}) =>
    (await fresh.app.inject({ method: 'POST', url, headers: more, body })).json<Answer>();
  const { code: invite } = await asked('/api/v1/humans/invites', { label: 'late' }, headers);
  await fresh.context.db.query(sql.unsafe`update human_invites set expires_at = now() - interval '1 second'`);
  const proof = {
    merkleTreeDepth: 20,
    merkleTreeRoot: '1',
    nullifier: '1',
    message: '1',
    scope: '1',
    points: Array.from({ length: 8 }, () => '1'),
  };
  const enrolment = { challengeId: '00000000-0000-4000-8000-000000000000', commitment: '1', proof };
  // a key of its own budget, so that it is the guesses that are counted and not the requests
  const enrol = async (code: string) => await asked('/api/v1/humans/enrol', { ...enrolment, invite: code }, headers);
  expect(await enrol(invite)).toMatchObject({
    code: 'invalid_invite',
    detail: expect.stringContaining('one that expired at'),
  });
  for (let guess = 1; guess < 10; guess++)
    expect(await enrol(`invite-${guess}`)).toMatchObject({
      code: 'invalid_invite',
      detail: expect.stringContaining('does not exist'),
    });
  await fresh.context.db.query(sql.unsafe`drop table human_invites cascade`);
  expect(await enrol('invite-10')).toMatchObject({ code: 'rate_limited' });
});
