import { afterAll, beforeAll, expect, test } from 'vitest';
import { openProver, type Prover } from '#src/commands/client/prover.ts';
import { enrolled, membersOf, type Person, person } from '#test/access/humans/identities.ts';
import type { Browser } from '#test/helpers/browser.ts';
import { type IdentityWorld, identityWorld, people, type Service } from './world.ts';

let world: IdentityWorld;
let service: Service;
let prover: Prover;
let one: Person;
let other: Person;
let ada: Browser;
beforeAll(async () => {
  world = await identityWorld();
  service = await world.service();
  prover = await openProver();
  [one, other] = [person(prover, 1), person(prover, 2)];
  await enrolled(service.context, one);
  await enrolled(service.context, other);
  ada = service.browser();
  await ada.signIn(people.ada);
}, 120_000);
afterAll(async () => {
  await prover[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

interface Challenge {
  readonly challengeId: string;
  readonly body: Readonly<Record<string, string>>;
}

const challengeOf = async (browser: Browser): Promise<Challenge> =>
  (await browser.send('POST', '/auth/human/challenge', {})).json() as unknown as Challenge;
/** As the command line sends it: by nobody who is signed in. */
const sent = async (who: Person, { challengeId, body }: Challenge, purpose: 'person' | 'key' = 'person') => {
  const proof = await who.prove(await membersOf(service.context), { purpose, body });
  const answer = await service.app.inject({ method: 'POST', url: '/auth/human', payload: { challengeId, proof } });
  return [answer.statusCode, answer.json()];
};
const isHuman = async (browser: Browser) => (await browser.get('/auth/session')).json()['human'];

test('who is signed in becomes known as the human who proves over their challenge, and as no other', async () => {
  const challenge = await challengeOf(ada);
  expect(challenge.body).toMatchObject({ email: 'ada@example.com', subject: 'ada', aud: 'http://127.0.0.1:4999' });
  expect(await isHuman(ada)).toBe(false);
  expect(await sent(one, challenge)).toEqual([200, { email: 'ada@example.com' }]);
  expect(await isHuman(ada)).toBe(true);
  // in another browser of theirs too, and nobody else
  const [elsewhere, boole] = [service.browser(), service.browser()];
  await elsewhere.signIn(people.ada);
  await boole.signIn(people.boole);
  expect([await isHuman(elsewhere), await isHuman(boole)]).toEqual([true, false]);

  expect(await sent(one, challenge)).toEqual([409, expect.objectContaining({ code: 'invalid_challenge' })]);
  expect(await sent(other, await challengeOf(ada))).toEqual([
    422,
    expect.objectContaining({ code: 'invalid_proof', detail: expect.stringContaining("another human's") }),
  ]);
});

test('error: a challenge for a key or without credentials, and a proof made for another purpose', async () => {
  const { headers } = await service.keyFor({ owner: 'user:ada@example.com' });
  const asked = await service.app.inject({ method: 'POST', url: '/auth/human/challenge', headers, payload: {} });
  expect([asked.statusCode, asked.json().detail]).toEqual([403, expect.stringContaining('signed in')]);
  const nobody = await service.app.inject({ method: 'POST', url: '/auth/human/challenge', payload: {} });
  expect(nobody.statusCode).toBe(401);
  const boole = service.browser();
  await boole.signIn(people.boole);
  expect(await sent(one, await challengeOf(boole), 'key')).toEqual([
    422,
    expect.objectContaining({ code: 'invalid_proof' }),
  ]);
  expect(await isHuman(boole)).toBe(false);
});
