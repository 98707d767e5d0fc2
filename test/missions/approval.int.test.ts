import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openProver, type Prover } from '#src/commands/client/prover.ts';
import { canonicalText } from '#src/lib/crypto/canonical-json.ts';
import { enrolled, membersOf, type Person, person } from '#test/access/humans/identities.ts';
import { missionWorld } from './world.ts';

type World = Awaited<ReturnType<typeof missionWorld>>;

let receiver: Server;
let heard: { headers: IncomingMessage['headers']; body: string }[];
/** How the receiver answers: a status, or nothing but a closed connection. */
let verdict: number | 'hang up';
let url: string;
let world: World;
let prover: Prover;
let ada: Person;
let bob: Person;
let headers: Readonly<Record<string, string>>;

beforeAll(async () => {
  const hear = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'GET')
      return response.writeHead(200, { 'content-type': 'application/json' }).end('"https://example.com/"');
    heard.push({ headers: request.headers, body: await text(request) });
    if (verdict === 'hang up') request.socket.destroy();
    else response.writeHead(verdict).end();
    return response;
  };
  receiver = createServer((request, response) => void hear(request, response)).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  url = `${origin}/hook`;
  world = await missionWorld({ FETCH_ORIGINS: origin, WEBHOOK_ORIGINS: origin });
  prover = await openProver();
  [ada, bob] = [person(prover, 1), person(prover, 2)];
  const human = await enrolled(world.context, ada);
  await enrolled(world.context, bob);
  headers = (await world.key({ owner: 'ada', human })).headers;
});

afterAll(async () => {
  await prover[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
  receiver.close();
});

/** A mission that stops before it tells the receiver something. */
async function waiting(body: unknown = { hello: 'there' }) {
  heard = [];
  verdict = 204;
  const steps = [{ id: 'tell', capability: 'notify.webhook', input: { url, body } }];
  const planned = await world.call('POST', '/api/v1/missions', headers, { goal: 'tell them', steps });
  const { missionId } = planned.body;
  expect(planned.body.plan.steps[0]).toMatchObject({ sensitivity: 'outside', policy: { decision: 'human' } });
  const { status, body: mission } = await world.call('POST', `/api/v1/missions/${missionId}/execute`, headers, {});
  expect({ status, state: mission.state }).toEqual({ status: 202, state: 'awaiting_human' });
  return { missionId, step: mission.steps[0], path: `/api/v1/missions/${missionId}/steps/tell` };
}

const proofOf = async (who: Person, challenge: { body: Record<string, string | number | null> }) =>
  await who.prove(await membersOf(world.context), { purpose: 'step', body: challenge.body });

test('a step with an effect outside happens once its human has proven to agree, and never before', async () => {
  const { missionId, step, path } = await waiting();
  expect(heard).toEqual([]);
  expect(step.challenge.body).toMatchObject({ missionId, stepId: 'tell', effectSha256: step.effectSha256 });
  const proof = await proofOf(ada, step.challenge);
  const approval = { challengeId: step.challenge.id, proof };
  // two at once: the proof is used by one of them
  const answers = await Promise.all([
    world.call('POST', `${path}/approve`, headers, approval),
    world.call('POST', `${path}/approve`, headers, approval),
  ]);
  expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409']);
  const receipt = answers.find(({ status }) => status === 200)?.body;
  const challengeSha256 = step.challenge.sha256;
  expect(receipt.statement.predicate.human).toEqual([
    { step: 'tell', assurance: 'enrolled', provider: 'operator-invite', challengeSha256 },
  ]);
  expect(receipt.events.map(({ type }: { type: string }) => type)).toEqual([
    'mission.created',
    'policy.evaluated',
    'mission.started',
    'human.requested',
    'human.verified',
    'effect.dispatched',
    'effect.confirmed',
    'mission.succeeded',
  ]);
  expect(heard.map(({ body }) => JSON.parse(body))).toEqual([{ hello: 'there' }]);
  // what was sent can be told from anybody else's
  const { secret } = (await world.call('GET', '/api/v1/webhook-secret', headers)).body;
  const [message] = heard;
  const { 'webhook-id': id, 'webhook-timestamp': at } = message?.headers ?? {};
  const signed = [id, at, message?.body].join('.');
  const hmac = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(signed)
    .digest('base64');
  expect(message?.headers['webhook-signature']).toBe(`v1,${hmac}`);
  // nothing that names the human is in what everybody can read
  expect(JSON.stringify(receipt)).not.toContain((step.challenge.body as { humanId: string }).humanId);
});

test('error: a proof of another human, of another mission, over another body, or a key alone', async () => {
  const one = await waiting();
  const two = await waiting();
  const approve = async (path: string, challengeId: string, proof: unknown) => {
    const { status, body } = await world.call('POST', `${path}/approve`, headers, { challengeId, proof });
    return { status, code: body.code };
  };
  const right = await proofOf(ada, one.step.challenge);
  expect(await approve(one.path, one.step.challenge.id, await proofOf(bob, one.step.challenge))).toEqual({
    status: 422,
    code: 'invalid_proof',
  });
  expect(await approve(two.path, one.step.challenge.id, right)).toEqual({ status: 409, code: 'invalid_challenge' });
  expect(await approve(two.path, two.step.challenge.id, right)).toEqual({ status: 422, code: 'invalid_proof' });
  for (const nullifier of [`0${right.nullifier}`, `0x${BigInt(right.nullifier).toString(16)}`])
    expect(await approve(one.path, one.step.challenge.id, { ...right, nullifier })).toMatchObject({ status: 400 });
  expect(await approve(one.path.replace('tell', 'other'), one.step.challenge.id, right)).toMatchObject({ status: 404 });
  expect(await world.call('POST', `${one.path}/approve`, headers, {})).toMatchObject({ status: 400 });
  expect(heard).toEqual([]);
  // none of this used the challenge up
  expect(await approve(one.path, one.step.challenge.id, right)).toMatchObject({ status: 200 });
  expect(await approve(one.path, one.step.challenge.id, right)).toEqual({ status: 409, code: 'state_conflict' });
  await world.call('DELETE', `/api/v1/missions/${two.missionId}`, headers);
});

test('no human is asked about a message that would be refused, wherever its address comes from', async () => {
  const tell = (where: unknown) => ({ id: 'tell', capability: 'notify.webhook', input: { url: where, body: 1 } });
  const given = await world.call('POST', '/api/v1/missions', headers, {
    goal: 'tell them',
    steps: [tell('https://example.com/')],
  });
  expect(given).toMatchObject({
    status: 422,
    body: { code: 'unplannable', detail: expect.stringMatching(/tell: expected an address of http/) },
  });
  const page = { id: 'page', capability: 'http.fetch', input: { url } };
  const steps = [page, tell({ $from: 'page', path: 'content' })];
  const { body: planned } = await world.call('POST', '/api/v1/missions', headers, { goal: 'tell them', steps });
  const failed = await world.call('POST', `/api/v1/missions/${planned.missionId}/execute`, headers, {});
  expect(failed).toMatchObject({ status: 422, body: { details: { cause: { code: 'forbidden' } } } });
  const types = (await world.until(planned.missionId, headers, 'mission.closed')).map(({ type }) => type);
  expect(types).not.toContain('human.requested');
});

test('a step that is declined ends its mission, with nothing done', async () => {
  const { missionId, path } = await waiting();
  expect(await world.call('POST', `${path}/decline`, headers, {})).toMatchObject({ status: 202 });
  const types = (await world.until(missionId, headers, 'mission.closed')).map(({ type }) => type);
  expect(types).toEqual(expect.arrayContaining(['human.declined', 'mission.failed', 'receipt.sealed']));
  expect(heard).toEqual([]);
});

test('a receiver that refuses is asked again; one that hangs up is told at most once, and the mission says that it is not known', async () => {
  const refused = await waiting();
  verdict = 503;
  const proof = await proofOf(ada, refused.step.challenge);
  const failing = await world.call('POST', `${refused.path}/approve`, headers, {
    challengeId: refused.step.challenge.id,
    proof,
  });
  expect(failing).toMatchObject({
    status: 422,
    body: { code: 'mission_failed', details: { cause: { code: 'unavailable' } } },
  });
  expect(heard.length).toBe(3);
  expect(new Set(heard.map(({ headers: sent }) => sent['webhook-id'])).size).toBe(1);

  const lost = await waiting({ more: canonicalText(['é']) });
  verdict = 'hang up';
  const second = await proofOf(ada, lost.step.challenge);
  const unknown = await world.call('POST', `${lost.path}/approve`, headers, {
    challengeId: lost.step.challenge.id,
    proof: second,
  });
  expect(unknown).toMatchObject({ status: 422, body: { details: { cause: { code: 'outcome_unknown' } } } });
  expect(heard.length).toBe(1);
});
