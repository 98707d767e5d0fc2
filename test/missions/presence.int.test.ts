import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openProver, type Prover } from '#src/commands/client/prover.ts';
import { missionCommand } from '#src/commands/people/mission.ts';
import { enrolled, membersOf, type Person, person } from '#test/access/humans/identities.ts';
import { enrolByWorldId, sessionId, sessionResult, type WorldIdAsk } from '#test/access/humans/idkit.ts';
import { openPortal, type Portal } from '#test/access/humans/world-id-portal.ts';
import { missionWorld } from './world.ts';

type World = Awaited<ReturnType<typeof missionWorld>>;
type Headers = Readonly<Record<string, string>>;

let receiver: Server;
let origin: string;
let portal: Portal;
let world: World;
let prover: Prover;
/** Ada enrolled with World ID; Bob was invited. */
let ada: Person;
let bob: Person;
let headers: Headers;
let bobs: Headers;
let proofs = 100;

/** A session nullifier that no proof had. */
const fresh = (): [string, string] => [`0x${(proofs++).toString(16)}`, '0x7'];

beforeAll(async () => {
  portal = await openPortal();
  receiver = createServer((_request, response) => response.writeHead(204).end()).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  world = await missionWorld(
    {
      WEBHOOK_ORIGINS: origin,
      // no receipt is anchored here, so there is nothing to wait for
      WAIT_MS: '1',
      STEP_ASSURANCE: 'present',
      WORLD_ID_RP_ID: 'rp_test',
      WORLD_ID_SIGNING_KEY: 'ab'.repeat(32),
      WORLD_ID_URL: portal.url,
    },
    { chain: false },
  );
  prover = await openProver();
  [ada, bob] = [person(prover, 1), person(prover, 2)];
  const post = async (url: string, body: object) => (await world.call('POST', url, {}, body)).body;
  const { human } = await enrolByWorldId(post, {
    who: ada,
    nullifier: '0x1',
    session: sessionId(1),
    sessionNullifier: ['0x1', '0x2'],
  });
  headers = (await world.key({ owner: 'ada', human })).headers;
  bobs = (await world.key({ owner: 'bob', human: await enrolled(world.context, bob) })).headers;
});

afterAll(async () => {
  await prover[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
  receiver.close();
});

/** A mission that stops before it tells somebody something. */
async function waiting(by: Headers = headers) {
  const steps = [{ id: 'tell', capability: 'notify.webhook', input: { url: `${origin}/`, body: 1 } }];
  const planned = await world.call('POST', '/api/v1/missions', by, { goal: 'tell them', steps });
  expect(planned.body.plan.steps[0].policy).toMatchObject({ decision: 'human', assurance: 'present' });
  const { missionId } = planned.body;
  await world.call('POST', `/api/v1/missions/${missionId}/execute`, by, {});
  await world.until(missionId, by, 'human.requested');
  const { body } = await world.call('GET', `/api/v1/missions/${missionId}`, by);
  return { missionId, by, challenge: body.steps[0].challenge };
}

type Waiting = Awaited<ReturnType<typeof waiting>>;

const semaphore = async ({ challenge }: Waiting, who: Person = ada) =>
  await who.prove(await membersOf(world.context), { purpose: 'step', body: challenge.body });

/** What World's app gives for `proveSession` over the challenge. */
function proveSession({ challenge }: Waiting, nullifier = fresh()) {
  const { signal, rpContext, sessionId: id } = challenge.worldId;
  const asked: WorldIdAsk = { signal, nonce: rpContext.nonce };
  return sessionResult(asked, id, nullifier);
}

async function approve({ missionId, by, challenge }: Waiting, proof: unknown, worldId?: unknown) {
  const { status, body } = await world.call('POST', `/api/v1/missions/${missionId}/steps/tell/approve`, by, {
    challengeId: challenge.id,
    proof,
    ...(worldId !== undefined && { worldId }),
  });
  return { status, code: body.code, detail: body.detail };
}

const refusal = (status: number, code: string, detail: string) => ({
  status,
  code,
  detail: expect.stringContaining(detail),
});

test('a challenge of a human with a World ID session says what IDKit needs to show them', async () => {
  const { challenge } = await waiting();
  expect(challenge.worldId).toEqual({
    rpId: 'rp_test',
    environment: 'production',
    signal: `0x${challenge.sha256}`,
    sessionId: sessionId(1),
    requireUserPresence: true,
    rpContext: {
      rp_id: 'rp_test',
      nonce: challenge.body.worldIdNonce,
      created_at: expect.any(Number),
      expires_at: Math.floor(Date.parse(challenge.expiresAt) / 1_000),
      signature: expect.stringMatching(/^0x[0-9a-f]{130}$/),
    },
  });
  expect((await waiting(bobs)).challenge.worldId).toBeUndefined();
});

test('a step that needs presence is approved by a human who shows it; event and receipt state what was reached', async () => {
  const asked = await waiting();
  const proof = await semaphore(asked);
  expect(await approve(asked, proof)).toEqual(
    refusal(
      403,
      'human_required',
      'expected a proof with assurance present, got one with unique: prove your World ID session over this challenge as well',
    ),
  );
  const worldId = proveSession(asked);
  // two at once: one of them counts
  const answers = await Promise.all([approve(asked, proof, worldId), approve(asked, proof, worldId)]);
  expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['202', '409']);
  const events = await world.until(asked.missionId, headers, 'receipt.sealed');
  const decision = { assurance: 'unique+present', provider: 'world-id', challengeSha256: asked.challenge.sha256 };
  expect(events.find(({ type }) => type === 'human.verified')?.data).toEqual({ step: 'tell', ...decision });
  const receipt = await world.call('GET', `/api/v1/receipts/${asked.missionId}`);
  expect(receipt.body.statement.predicate.human).toEqual([{ step: 'tell', ...decision }]);
  // nothing that joins the missions of one human is in what everybody can read
  expect(JSON.stringify(receipt.body)).not.toContain(sessionId(1));
});

test('the command line approves with what IDKit gave, from a file', async () => {
  const asked = await waiting();
  const folder = await mkdtemp(join(tmpdir(), 'presence-'));
  const [identity, result] = [join(folder, 'me.json'), join(folder, 'result.json')];
  await writeFile(identity, JSON.stringify({ kind: 'proofline-identity', secret: '01'.repeat(32) }));
  vi.stubEnv('PROOFLINE_KEY', headers['x-api-key']);
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const shown = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const approved = async () =>
    await missionCommand().parseAsync(
      [
        'approve',
        asked.missionId,
        'tell',
        '--url',
        world.url,
        '--identity',
        identity,
        '--world-id',
        result,
        '--yes',
        '--json',
      ],
      { from: 'user' },
    );
  await expect(approved()).rejects.toThrow('--world-id: expected a file with the JSON that IDKit gave');
  await writeFile(result, JSON.stringify(proveSession(asked)));
  await approved();
  expect(JSON.parse(String(shown.mock.calls[0]?.[0]))).toMatchObject({ missionId: asked.missionId });
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  const events = await world.until(asked.missionId, headers, 'human.verified');
  expect(events.at(-1)?.data).toMatchObject({ assurance: 'unique+present' });
  await rm(folder, { recursive: true });
});

test('error: presence of another session, without its user, from elsewhere, over another challenge, or used before', async () => {
  const used = await waiting();
  const nullifier = fresh();
  expect(await approve(used, await semaphore(used), proveSession(used, nullifier))).toMatchObject({ status: 202 });
  const asked = await waiting();
  const proof = await semaphore(asked);
  const right = proveSession(asked);
  const refused: readonly [object, string][] = [
    [{ ...right, session_id: sessionId(2) }, 'the session that this human enrolled with, got one of another session'],
    [{ ...right, user_presence_completed: false }, 'whose user was there'],
    [{ ...right, protocol_version: '3.0' }, 'a proof of protocol 4.0, got 3.0'],
    [{ ...right, environment: 'staging' }, 'a proof from production, got staging'],
    [proveSession(used), 'the nonce of this challenge'],
    [{ ...proveSession(used), nonce: right.nonce }, 'binds this challenge as its signal'],
    [proveSession(asked, nullifier), 'a session proof that was not used before'],
    [proveSession(asked, [`0x0${nullifier[0].slice(2)}`, '07']), 'a session proof that was not used before'],
    [proveSession(asked, ['0x1', '0x2']), 'a session proof that was not used before'],
  ];
  for (const [worldId, detail] of refused)
    expect(await approve(asked, proof, worldId)).toEqual(refusal(422, 'invalid_proof', detail));
  // presence does not stand in for the proof of who it is
  const bobsProof = await semaphore(asked, bob);
  expect(await approve(asked, bobsProof, right)).toEqual(refusal(422, 'invalid_proof', "another human's"));
  // none of this used the challenge or the proof up
  expect(await approve(asked, proof, right)).toMatchObject({ status: 202 });
});

test('error: a human who was invited cannot show presence, and is told how to', async () => {
  const asked = await waiting(bobs);
  const proof = await semaphore(asked, bob);
  expect(await approve(asked, proof)).toEqual(refusal(403, 'human_required', 'enrol an identity with World ID'));
  const lent = await waiting();
  expect(await approve(asked, proof, proveSession(lent))).toEqual(
    refusal(422, 'invalid_proof', 'expected a challenge with worldId'),
  );
});
