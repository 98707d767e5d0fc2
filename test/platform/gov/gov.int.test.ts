import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestApproval } from '#src/governance/approvals/request-approval.ts';
import { putReceipt } from '#src/receipts/receipt-store.ts';
import { doctrine } from '#src/studio/domain/doctrine.ts';
import { missionWorld } from '#test/missions/world.ts';
import { sealedReceipt } from '#test/receipts/sealed-receipt.ts';

let world: Awaited<ReturnType<typeof missionWorld>>;
type Headers = Readonly<Record<string, string>>;
let ada: Headers;
const ids: Record<string, string[]> = { 'mission-contracts': [], receipts: [], approvals: [] };
const lists = Object.keys(ids);

/** Three of each are ada's, one of each is bob's. */
beforeAll(async () => {
  world = await missionWorld({}, { chain: false, conducted: false });
  ada = await world.humanKey('ada', 1);
  const bob = await world.humanKey('bob', 2);
  for (const [owner, headers] of [
    ['ada', ada],
    ['bob', bob],
    ['ada', ada],
    ['ada', ada],
  ] as const) {
    const mission = await world.call('POST', '/api/v1/missions', headers, { goal: 'Hash "hello"', budgetUsd: 1 });
    const receipt = sealedReceipt(randomUUID());
    const effect = { kind: 'render', planId: randomUUIDv7() };
    const area = { area: 'liveProviderSpend', why: 'a test' } as const;
    const asked = {
      owner,
      kind: 'render',
      subject: effect.planId,
      effect,
      areas: [area],
      requestedBy: 'a test',
    } as const;
    const { approval } = await world.context.db.transaction(async (tx) => {
      await putReceipt(tx, { owner, kind: 'execution', receipt });
      return await requestApproval(tx, { ...asked, ttlS: 600 });
    });
    if (owner === 'bob') continue;
    ids['mission-contracts']?.unshift(mission.body.missionId);
    ids['receipts']?.push(receipt.id);
    ids['approvals']?.unshift(approval.id);
  }
  // sealed at one moment, so by their ids
  ids['receipts'] = ids['receipts']?.toSorted().toReversed() ?? [];
});
afterAll(async () => await world[Symbol.asyncDispose]());

const read = async (path: string, headers: Headers = {}) => await world.call('GET', `/api/v2/gov/${path}`, headers);

test.for(lists)('%s: without a key schemas and counts, and no records', async (path) => {
  const { status, headers, body } = await read(path);
  expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*']);
  expect(body).toMatchObject({ object: 'list', authenticated: false, data: [], has_more: false, next_cursor: null });
  for (const schema of Object.values(body.schemas ?? { only: body.schema }))
    expect(schema).toMatchObject({ type: 'object', properties: expect.any(Object) });
  const counts = Object.values(body.counts as Record<string, number>);
  expect(Math.max(...counts)).toBe(4);
  for (const id of ids[path] ?? []) expect(JSON.stringify(body)).not.toContain(id);
});

test.for(lists)('%s: with a key its owner’s records, newest first, in pages', async (path) => {
  const { body } = await read(path, ada);
  expect(body).toMatchObject({ authenticated: true, has_more: false, next_cursor: null });
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual(ids[path]);
  const first = (await read(`${path}?limit=2`, ada)).body;
  expect(first).toMatchObject({ has_more: true, next_cursor: ids[path]?.[1] });
  const last = (await read(`${path}?limit=2&cursor=${first.next_cursor}`, ada)).body;
  expect(last).toMatchObject({ has_more: false, next_cursor: null });
  expect(last.data.map(({ id }: { id: string }) => id)).toEqual(ids[path]?.slice(2));
});

test.for(lists)('%s: another owner sees none of them, also not by a cursor into them', async (path) => {
  const { headers } = await world.key({ owner: 'eve' });
  expect((await read(path, headers)).body).toMatchObject({ authenticated: true, data: [] });
  expect((await read(`${path}?cursor=${ids[path]?.[0]}`, headers)).body.data).toEqual([]);
});

test.for(lists)(
  'error: %s refuses a wrong key, a key without the scope, and queries that it does not know',
  async (path) => {
    const wrong = await read(path, { authorization: `Bearer sk-platform-${'0'.repeat(49)}` });
    expect([wrong.status, wrong.body.code]).toEqual([401, 'unauthorized']);
    const { headers } = await world.key({ scopes: ['studio.read'] });
    const lesser = await read(path, headers);
    expect([lesser.status, lesser.body.details]).toEqual([403, { reason: 'scope', scope: 'platform.mcp.read' }]);
    for (const query of ['limit=0', 'limit=101', 'cursor=x', 'nonsense=1'])
      expect([query, (await read(`${path}?${query}`, ada)).status]).toEqual([query, 400]);
  },
);

test('the contracts are those that missions are held to', async () => {
  const { body } = await read('mission-contracts');
  const ajv = new Ajv2020({ strict: false });
  (addFormats as unknown as { default: (on: Ajv2020) => void }).default(ajv);
  const isRequest = ajv.compile(body.schemas.mission_request);
  expect([isRequest({ goal: 'Hash "hello"', timeoutSeconds: 60 }), isRequest({ aim: 'none' })]).toEqual([true, false]);
  const [id = ''] = ids['mission-contracts'] ?? [];
  const mission = (await world.call('GET', `/api/v1/missions/${id}`, ada)).body;
  expect(ajv.compile(body.schemas.plan)(mission.plan)).toBe(true);
  expect(ajv.compile(body.schemas.receipt)({ ...sealedReceipt(randomUUID()), anchor: null })).toBe(true);
  expect(body.capabilities).toContainEqual(
    expect.objectContaining({ name: 'notify.webhook', sensitivity: 'outside', input_schema: expect.any(Object) }),
  );
  expect(body.policies).toContainEqual({
    sensitivity: 'none',
    name: 'reading and computing',
    decision: 'allow',
    assurance: null,
  });
  expect(body.policies).toContainEqual(
    expect.objectContaining({ sensitivity: 'spend', decision: 'human', assurance: 'enrolled' }),
  );
  expect(body.approval_areas).toContainEqual({
    area: 'publishing',
    rule: 'approval_required',
    needs_proof_of_personhood: true,
  });
  expect(body.doctrine).toEqual(doctrine);
});

test('records say where the rest is', async () => {
  const [mission] = (await read('mission-contracts', ada)).body.data;
  expect(mission).toMatchObject({
    state: 'planned',
    planner: 'rules',
    steps: 1,
    budget_usd: 1,
    links: { receipt: null },
  });
  expect((await world.call('GET', new URL(mission.links.self).pathname, ada)).status).toBe(200);
  const [receipt] = (await read('receipts', ada)).body.data;
  expect(receipt).toMatchObject({
    kind: 'execution',
    outcome: 'succeeded',
    anchor: { status: 'waiting', anchored: false },
  });
  expect((await world.call('GET', new URL(receipt.links.self).pathname)).status).toBe(200);
});

test('approvals are the very ones of the studio, decided there; their status can be read', async () => {
  const { data } = (await read('approvals', ada)).body;
  const { approvals } = (await world.call('GET', '/api/studio/v1/approvals', ada)).body;
  expect(data).toEqual(approvals);
  expect(data[0].decideAt).toMatch(new RegExp(`/api/studio/v1/approvals/${ids['approvals']?.[0]}/decision$`));
  expect((await read('approvals?status=granted', ada)).body.data).toEqual([]);
  expect((await read('approvals?status=pending', ada)).body.data).toHaveLength(3);
});
