import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { VersionNegotiationMode } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { missionWorld } from '#test/missions/world.ts';
import { connect } from './mcp-api.ts';

type World = Awaited<ReturnType<typeof missionWorld>>;
interface Answer {
  readonly isError?: boolean;
  readonly content: { readonly type: string; readonly text?: string; readonly uri?: string }[];
  readonly structuredContent?: any;
}

let world: World;
let pages: Server;
let origin: string;
/** What is done with each request to the page server. */
let onPage: (reply: (body: string) => void) => void = (reply) => reply('{}');

beforeAll(async () => {
  pages = createServer((_request, response) =>
    onPage((body) => response.writeHead(200, { 'content-type': 'application/json' }).end(body)),
  ).listen(0, '127.0.0.1');
  await once(pages, 'listening');
  origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  world = await missionWorld({ FETCH_ORIGINS: origin, WEBHOOK_ORIGINS: origin, SURFACES: 'missions' });
});

afterAll(async () => {
  await world[Symbol.asyncDispose]();
  pages.close();
});

async function session(headers: Readonly<Record<string, string>>, mode: VersionNegotiationMode = 'legacy') {
  const connected = await connect(new URL('/api/mcp', world.url), headers['x-api-key'] ?? '', {
    versionNegotiation: { mode },
  });
  const { client } = connected;
  return {
    client,
    call: async (name: string, input: object = {}, options = {}) =>
      (await client.callTool({ name, arguments: { ...input } }, options)) as Answer,
    [Symbol.asyncDispose]: () => connected[Symbol.asyncDispose](),
  };
}

const problemOf = ({ isError, content }: Answer) => {
  expect(isError).toBe(true);
  return JSON.parse(content[0]?.text ?? '') as Record<string, unknown>;
};

test.each<VersionNegotiationMode>(['legacy', 'auto'])(
  'a goal becomes a receipt that verifies, by six tools alone (%s)',
  async (mode) => {
    await using ada = await session(await world.humanKey(), mode);
    const { tools } = await ada.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'agent_mission_create',
      'agent_mission_execute',
      'agent_mission_status',
      'agent_receipt_get',
      'agent_receipt_verify',
      'agent_stats',
    ]);
    const create = tools[0]?.inputSchema;
    expect(create?.required).toEqual(['goal']);

    const planned = await ada.call('agent_mission_create', { goal: 'Hash "hello"; then hash it', budgetUsd: 1 });
    const { missionId } = planned.structuredContent;
    expect(planned.structuredContent).toMatchObject({
      state: 'planned',
      plan: { steps: [{ id: 's1' }, { id: 's2' }] },
    });
    expect(planned.content[0]?.text).toBe(JSON.stringify(planned.structuredContent));

    const told: string[] = [];
    const marks: number[] = [];
    const onprogress = ({ progress, message = '' }: { progress: number; message?: string }) =>
      void (marks.push(progress), told.push(message));
    const executed = await ada.call(
      'agent_mission_execute',
      { missionId, waitSeconds: 120 },
      { onprogress, timeout: 130_000 },
    );
    expect(executed.structuredContent).toMatchObject({
      missionId,
      state: 'sealed',
      awaiting: [],
      error: null,
      receipt: { id: missionId, statement: { predicate: { outcome: 'succeeded' } }, anchor: { chain: 'eip155:31337' } },
    });
    expect(executed.content).toContainEqual(
      expect.objectContaining({ type: 'resource_link', uri: `receipt://${missionId}` }),
    );
    expect(told).toEqual(
      expect.arrayContaining(['mission.started', 'step.dispatched s1', 'step.succeeded s2', 'mission.succeeded']),
    );
    expect(marks).toEqual(marks.toSorted((left, right) => left - right));
    expect(new Set(marks).size).toBe(marks.length);

    const status = await ada.call('agent_mission_status', { missionId });
    expect(status.structuredContent).toMatchObject({
      state: 'sealed',
      steps: [{ output: { sha256: expect.any(String) } }, {}],
    });
    expect(status.structuredContent).not.toHaveProperty('salt');
    const brief = await ada.call('agent_mission_status', { missionId, outputs: false });
    expect(brief.structuredContent.steps[0]).toMatchObject({ state: 'succeeded', output: null });

    const passed = {
      integrity: { verdict: 'pass' },
      authenticity: { verdict: 'pass' },
      anchor: { verdict: 'pass', equalsRoot: true },
    };
    const verified = await ada.call('agent_receipt_verify', { receiptId: missionId, onchain: true });
    expect(verified.structuredContent).toMatchObject(passed);
    const got = await ada.call('agent_receipt_get', { receiptId: missionId.toUpperCase() });
    expect(got.structuredContent).toMatchObject({
      ...executed.structuredContent.receipt,
      attestation: { integrity: { verdict: 'pass' } },
    });
    expect((await ada.call('agent_stats')).structuredContent.missions.sealed).toBeGreaterThan(0);
  },
);

test('receipts are resources: listed for the owner who made them, readable for every key', async () => {
  const headers = await world.humanKey('lister', 2);
  await using ada = await session(headers);
  const { structuredContent } = await ada.call('agent_mission_create', { goal: 'Hash "resource"' });
  const { missionId } = structuredContent;
  const { structuredContent: executed } = await ada.call(
    'agent_mission_execute',
    { missionId, waitSeconds: 120 },
    { timeout: 130_000 },
  );
  const uri = `receipt://${missionId}`;
  expect((await ada.client.listResources()).resources.map((one) => one.uri)).toEqual([uri]);
  expect((await ada.client.listResourceTemplates()).resourceTemplates).toMatchObject([
    { uriTemplate: 'receipt://{id}' },
  ]);
  const { headers: bare } = await world.key({ owner: 'reader', scopes: [] });
  await using reader = await session(bare);
  expect((await reader.client.listResources()).resources).toEqual([]);
  const { contents } = await reader.client.readResource({ uri });
  const [content] = contents as { text: string; uri: string }[];
  expect(content?.uri).toBe(uri);
  expect(JSON.parse(content?.text ?? '')).toEqual(executed.receipt);
  expect((await reader.call('agent_receipt_verify', { receiptId: missionId })).structuredContent).toMatchObject({
    integrity: { verdict: 'pass' },
  });
  for (const none of ['receipt://0198c0de-0000-7000-8000-000000000000', 'receipt://..%2f..', 'file:///etc/passwd'])
    await expect(reader.client.readResource({ uri: none })).rejects.toMatchObject({ code: -32_602 });
});

test('a key is never enough for a human step: the answer says what is asked, and where it is approved', async () => {
  await using ada = await session(await world.humanKey());
  const steps = [{ id: 'tell', capability: 'notify.webhook', input: { url: `${origin}/hook`, body: { done: true } } }];
  const { structuredContent: planned } = await ada.call('agent_mission_create', { goal: 'Tell them', steps });
  const { missionId } = planned;
  const asked = await ada.call('agent_mission_execute', { missionId, waitSeconds: 120 }, { timeout: 130_000 });
  const path = `${world.url}/api/v1/missions/${missionId}/steps/tell`;
  expect(asked.isError).toBeFalsy();
  expect(asked.structuredContent).toMatchObject({
    state: 'awaiting_human',
    receipt: null,
    awaiting: [
      {
        step: 'tell',
        capability: 'notify.webhook',
        input: steps[0]?.input,
        challenge: {
          id: expect.any(String),
          sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
          body: { missionId, stepId: 'tell' },
        },
        approveAt: `${path}/approve`,
        declineAt: `${path}/decline`,
      },
    ],
  });
  // asking again moves nothing, however often
  const again = await ada.call('agent_mission_execute', { missionId });
  expect(again.structuredContent).toEqual(asked.structuredContent);
  const declined = await world.call('POST', new URL(`${path}/decline`).pathname, await world.humanKey(), {});
  expect(declined.status).toBe(202);
  await world.until(missionId, await world.humanKey(), 'mission.closed');
  const { structuredContent: status } = await ada.call('agent_mission_status', { missionId });
  expect(status).toMatchObject({ state: 'failed', error: { code: 'declined' } });
});

test('taking a call back ends the wait alone: the mission goes on to its receipt', async () => {
  const headers = await world.humanKey();
  await using ada = await session(headers);
  const asked = Promise.withResolvers<(body: string) => void>();
  onPage = asked.resolve;
  const steps = [{ id: 'read', capability: 'http.fetch', input: { url: `${origin}/slow` } }];
  const { missionId } = (await ada.call('agent_mission_create', { goal: 'Read it', steps })).structuredContent;
  const leave = new AbortController();
  const call = ada.call(
    'agent_mission_execute',
    { missionId, waitSeconds: 120 },
    { signal: leave.signal, timeout: 130_000 },
  );
  const reply = await asked.promise;
  leave.abort(new Error('enough'));
  await expect(call).rejects.toThrow('enough');
  expect((await ada.call('agent_mission_execute', { missionId, waitSeconds: 0 })).structuredContent.state).toBe(
    'executing',
  );
  reply('{"slow":true}');
  await world.until(missionId, headers, 'mission.closed');
  const { structuredContent: executed } = await ada.call('agent_mission_execute', { missionId });
  expect(executed).toMatchObject({ state: 'sealed', receipt: { id: missionId } });
});

test('error: no human, another’s mission, what cannot be planned, what is unknown', async () => {
  await using ada = await session(await world.humanKey());
  const { missionId } = (await ada.call('agent_mission_create', { goal: 'Hash "mine"' })).structuredContent;
  await using bare = await session((await world.key({ owner: 'bare' })).headers);
  expect(problemOf(await bare.call('agent_mission_create', { goal: 'Hash "x"' }))).toMatchObject({
    code: 'human_required',
  });
  await using machine = await session((await world.key({ owner: 'ada' })).headers);
  expect((await machine.call('agent_mission_status', { missionId })).structuredContent).toMatchObject({ missionId });
  expect(problemOf(await machine.call('agent_mission_execute', { missionId }))).toMatchObject({
    code: 'human_required',
  });
  await using eve = await session(await world.humanKey('eve', 3));
  for (const name of ['agent_mission_execute', 'agent_mission_status'])
    expect(problemOf(await eve.call(name, { missionId }))).toMatchObject({ code: 'not_found' });
  expect(problemOf(await ada.call('agent_mission_create', { goal: 'Make me a sandwich' }))).toMatchObject({
    code: 'unplannable',
    status: 422,
  });
  expect(problemOf(await ada.call('agent_receipt_get', { receiptId: missionId }))).toMatchObject({ code: 'not_found' });
  expect((await ada.call('agent_mission_status', { missionId: 'x' })).content[0]?.text).toContain(
    'arguments.missionId: expected',
  );
});

test('one idempotency key is one mission, whether a tool or the route takes it', async () => {
  const headers = await world.humanKey();
  await using ada = await session(headers);
  const goal = 'Hash "once"';
  const idempotencyKey = 'by-tool-and-route';
  const { missionId } = (await ada.call('agent_mission_create', { goal, idempotencyKey })).structuredContent;
  const again = await ada.call('agent_mission_create', { goal, idempotencyKey });
  expect(again.structuredContent.missionId).toBe(missionId);
  const routed = await world.call(
    'POST',
    '/api/v1/missions',
    { ...headers, 'idempotency-key': idempotencyKey },
    { goal },
  );
  expect(routed).toMatchObject({ status: 200, body: { missionId } });
  const other = await ada.call('agent_mission_create', { goal: 'Hash "twice"', idempotencyKey });
  expect(problemOf(other)).toMatchObject({ code: 'idempotency_conflict' });
});
