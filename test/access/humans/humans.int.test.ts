import { once } from 'node:events';
import { Group } from '@semaphore-protocol/group';
import { sql } from 'slonik';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountScope } from '#src/access/humans/challenges/challenge-message.ts';
import { type ChallengeRequest, makeChallenge } from '#src/access/humans/challenges/challenges.ts';
import { checkProof } from '#src/access/humans/check-proof.ts';
import { removeHuman } from '#src/access/humans/remove-human.ts';
import { toBytes32 } from '#src/access/humans/semaphore/field.ts';
import { verifyProof } from '#src/access/humans/semaphore/verify-proof.ts';
import { createKey, listKeys } from '#src/access/keys/keys.ts';
import { openProver, type Prover } from '#src/commands/client/prover.ts';
import { type Context, openContext } from '#src/system/context.ts';
import { type TestConfig, testConfig } from '#test/helpers/config.ts';
import { enrolledByProof, enrolling, membersOf, type Person, person, secretOf } from './identities.ts';

// proofs take most of the time, so all tests share one group: Ada, Bob and Cyd are enrolled, each once
let settings: TestConfig;
let context: Context;
let prover: Prover;
let ada: Person;
let adaId: string;
let bob: Person;
let bobId: string;

beforeAll(async () => {
  settings = await testConfig();
  context = await openContext(settings.config, 'api');
  if (context.redis.status !== 'ready') await once(context.redis, 'ready');
  prover = await openProver();
  [ada, bob] = [person(prover, 1), person(prover, 2)];
  adaId = await enrolledByProof(context, ada);
  bobId = await enrolledByProof(context, bob);
});

afterAll(async () => {
  await prover[Symbol.asyncDispose]();
  await context[Symbol.asyncDispose]();
  await settings[Symbol.asyncDispose]();
});

test('what other tests take for granted of the fixed secrets is what proofs show', () => {
  expect([adaId, bobId]).toEqual([ada.human, bob.human]);
  expect(([1, 2, 3] as const).map((seed) => prover.commitmentOf(secretOf(seed)))).toEqual(
    ([1, 2, 3] as const).map((seed) => enrolling(seed).commitment),
  );
});

const check = async (request: Omit<Parameters<typeof checkProof>[1], 'purpose'>, purpose: 'key' | 'step' = 'key') =>
  await context.db.transaction((tx) => checkProof(tx, { purpose, ...request }));

async function answered(who: Person, request: ChallengeRequest) {
  const challenge = await makeChallenge(context, request);
  const proof = await who.prove(await membersOf(context), challenge);
  return { challengeId: challenge.id, challenge, proof: await verifyProof(context, proof) };
}

/** What `answered` gives, without the seconds of proving: a proof that has been verified is these numbers. */
async function claimed(human: string, request: ChallengeRequest) {
  const challenge = await makeChallenge(context, request);
  const { root } = new Group([...(await membersOf(context))]);
  const proof = {
    root,
    nullifier: BigInt(`0x${human}`),
    message: BigInt(`0x${challenge.sha256}`),
    scope: accountScope,
  };
  return { challengeId: challenge.id, challenge, proof };
}

test('a proof over a fresh challenge names its human, once: of two uses at the same time one wins', async () => {
  const { challengeId, challenge, proof } = await answered(ada, { purpose: 'key', body: {} });
  const results = await Promise.allSettled([check({ challengeId, proof }), check({ challengeId, proof })]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const won = results.find((result) => result.status === 'fulfilled');
  expect(won?.value).toMatchObject({
    nullifier: adaId,
    assurance: 'enrolled',
    provider: 'operator-invite',
    challengeSha256: challenge.sha256,
  });
  await expect(check({ challengeId, proof })).rejects.toThrow('got one that was used');
});

test('a check that fails uses nothing up: the challenge waits for the right proof', async () => {
  const { challengeId, proof } = await claimed(adaId, { purpose: 'key', body: {} });
  const wrong = [
    [{ ...proof, scope: proof.scope + 1n }, 'one in another scope'],
    [{ ...proof, message: proof.message + 1n }, 'one over something else'],
    [{ ...proof, root: proof.root + 1n }, 'one against another root'],
    [{ ...proof, nullifier: proof.nullifier + 1n }, 'a member of the group that no human is known by'],
  ] as const;
  for (const [given, message] of wrong) {
    await expect(check({ challengeId, proof: given })).rejects.toThrow(message);
  }
  expect(await check({ challengeId, proof })).toMatchObject({ nullifier: adaId });
});

test('error: a challenge that is unknown, expired, for another purpose, or about something else', async () => {
  const about = { missionId: 'm1', stepId: 's1', humanId: adaId };
  const { challengeId, challenge, proof } = await claimed(adaId, { purpose: 'step', body: about });
  const fails = async (request: object, message: string, purpose: 'key' | 'step' = 'step') =>
    await expect(check({ challengeId, proof, ...request }, purpose)).rejects.toMatchObject({
      code: 'invalid_challenge',
      message: expect.stringContaining(message),
    });
  await fails({ challengeId: '00000000-0000-4000-8000-000000000000' }, 'one that does not exist');
  await fails({}, 'one for another purpose (step)', 'key');
  await fails({ about: { missionId: 'm2' } }, 'one that is about something else');
  await context.db.query(sql.unsafe`update human_challenges set expires_at = now() where id = ${challengeId}`);
  await fails({}, 'one that has expired');
  await context.db.query(sql.unsafe`
    update human_challenges set expires_at = now() + interval '1 minute' where id = ${challengeId}`);
  expect(await check({ challengeId, proof, about: { missionId: 'm1', stepId: 's1' } }, 'step')).toMatchObject({
    nullifier: adaId,
    body: challenge.body,
  });
});

test("error: another human's proof does not answer a challenge that is for one human; a step that names no human is answered by none", async () => {
  const foreign = await claimed(bobId, { purpose: 'step', body: { humanId: adaId } });
  await expect(check(foreign, 'step')).rejects.toThrow("another human's");
  const nobodys = await claimed(bobId, { purpose: 'step', body: { missionId: 'm' } });
  await expect(check(nobodys, 'step')).rejects.toThrow("another human's");
});

test('a proof of the group as it was counts for an hour after it has changed, then no more', async () => {
  const root = toBytes32(new Group([...(await membersOf(context))]).root);
  const changedAgo = async (age: string) =>
    await context.db.query(sql.unsafe`
      update human_roots set until = now() - ${age}::interval where root = ${sql.binary(root)}`);
  const claim = await claimed(adaId, { purpose: 'key', body: {} });
  await changedAgo('61 minutes');
  await expect(check(claim)).rejects.toThrow('one against another root; read the group again');
  await changedAgo('59 minutes');
  expect(await check(claim)).toMatchObject({ nullifier: adaId });
  await context.db.query(sql.unsafe`update human_roots set until = null where root = ${sql.binary(root)}`);
});

test('a human who is removed loses their place and their keys, and every proof made before has to be made again', async () => {
  const inFlight = await claimed(adaId, { purpose: 'key', body: {} });
  const theirs = await claimed(bobId, { purpose: 'key', body: {} });
  const key = await createKey(context, { owner: 'bob', name: 'n', scopes: [], human: bobId });
  const other = await createKey(context, { owner: 'ada', name: 'n', scopes: [], human: adaId });
  const { keys } = await removeHuman(context, bobId);
  expect(keys).toEqual([key.key.id]);
  const revoked = (await listKeys(context, null)).filter(({ revoked_at }) => revoked_at !== null);
  expect(revoked.map(({ id }) => id)).toEqual([key.key.id]);
  expect(other.key.revoked_at).toBeNull();
  await expect(check(theirs)).rejects.toThrow('one that was removed');
  await expect(check(inFlight)).rejects.toThrow('one against another root');
  await expect(bob.prove(await membersOf(context), theirs.challenge)).rejects.toThrow(
    'expected an identity that is enrolled here',
  );
  expect(await check(await claimed(adaId, { purpose: 'key', body: {} }))).toMatchObject({ nullifier: adaId });
  await expect(removeHuman(context, bobId)).rejects.toMatchObject({ code: 'not_found' });
  await expect(removeHuman(context, 'bob')).rejects.toMatchObject({ code: 'not_found' });
  await expect(enrolledByProof(context, bob)).rejects.toMatchObject({ code: 'state_conflict' });
});

test('the root that is kept is the one that a client builds from the list, after any additions and removals', async () => {
  const cyd = person(prover, 3);
  expect(await enrolledByProof(context, cyd)).toBe(cyd.human);
  const members = await membersOf(context);
  expect(members).toEqual([ada.commitment, cyd.commitment]);
  const root = new Group([...members]).root;
  const kept = await context.db.anyFirst(sql.unsafe`select root from human_roots where until is null`);
  expect(kept).toEqual([toBytes32(root)]);
});
