import { sql } from 'slonik';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openProver, type Prover } from '#src/commands/client/prover.ts';
import { readOwnerEvents } from '#src/governance/owners/owner-log.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { startStudio } from '#src/studio/live/start-studio.ts';
import { enrolled, membersOf, type Person, person } from '#test/access/humans/identities.ts';
import { type IdentityWorld, identityWorld, origin, people, type Service } from '#test/access/sessions/world.ts';
import type { Answer, Browser } from '#test/helpers/browser.ts';
import { errorMisfit } from '#test/studio/documented-errors.ts';
import { type Rendered, renderedWork } from '#test/studio/work.ts';

/** Approvals as people decide them: signed in at the identity provider, by HTTP, with proofs where those are needed. */
const owner = 'user:ada@example.com';
const root = '/api/studio/v1';

let world: IdentityWorld;
let service: Service;
let work: Rendered;
let prover: Prover;
/** Who prove; each is also somebody who signs in. */
let adaProves: Person;
let bobProves: Person;
let ada: Browser;
/** On the allowlist, and nothing to Ada. */
let boole: Browser;
let operator: Browser;

beforeAll(async () => {
  world = await identityWorld();
  service = await world.service({
    OIDC_ALLOWLIST: 'ada@example.com, boole@logic.example, eve@elsewhere.example',
    OIDC_OPERATORS: 'eve@elsewhere.example',
  });
  // cancels what waits for an approval that is declined
  startStudio(service.context);
  prover = await openProver();
  [adaProves, bobProves] = [person(prover, 1), person(prover, 2)];
  await enrolled(service.context, adaProves);
  await enrolled(service.context, bobProves);
  [ada, boole, operator] = [service.browser(), service.browser(), service.browser()];
  await ada.signIn(people.ada);
  await boole.signIn(people.boole);
  await operator.signIn(people.stranger);
  work = await renderedWork(service, (await service.keyFor({ owner })).headers, owner);
}, 120_000);

afterAll(async () => {
  await prover[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

interface Outcome {
  readonly status: number;
  readonly body: any;
}

/** What was answered; an error has to be exactly the studio's. */
function outcomeOf({ status, headers, text }: Answer): Outcome {
  if (status >= 400) expect(errorMisfit({ statusCode: status, headers, body: text })).toEqual([]);
  return { status, body: JSON.parse(text) };
}

/** The approval of publishing on these channels: another set of channels is another effect. */
async function publishing(...channels: string[]): Promise<string> {
  const asked = { assetId: work.asset, channels, dryRun: true };
  const { body } = outcomeOf(await ada.send('POST', `${root}/publish`, asked));
  expect(body.output.approval).toMatchObject({ status: 'pending', kind: 'publish', needsProofOfPersonhood: true });
  return body.output.approval.id;
}

/** The approval of rendering a new plan, which takes no proof. */
async function rendering(): Promise<{ plan: string; approval: string }> {
  const asked = { mode: 'publish', prompt: 'A harbour wakes' };
  const { body } = outcomeOf(await ada.send('POST', `${root}/plan`, asked));
  return { plan: body.output.plan.id, approval: body.output.approval.id };
}

const decide = async (id: string, body: object, who = ada, headers?: object) =>
  outcomeOf(await who.send('POST', `${root}/approvals/${id}/decision`, body, headers));
const read = async (id: string, who = ada) => outcomeOf(await who.get(`${root}/approvals/${id}`));
const challenge = async (id: string, who = ada) =>
  outcomeOf(await who.send('POST', `${root}/approvals/${id}/challenge`, {}));
const proofOver = async (who: Person, { body }: Outcome) =>
  await who.prove(await membersOf(service.context), { purpose: 'approval', body: body.body });
const told = async (id: string) =>
  (await readOwnerEvents(service.context, owner, 0, 1_000)).filter(
    ({ data }) => (data as { approval?: string }).approval === id,
  );

test('a signed-in person decides once, with the token of the session and from a page of ours', async () => {
  const { approval: id } = await rendering();
  const token = (await ada.get('/auth/session')).json()['csrf_token'];
  const refused: object[] = [{}, { origin }, { 'x-csrf-token': token }, { origin, 'x-csrf-token': 'another' }];
  for (const headers of refused)
    expect([headers, (await decide(id, { decision: 'grant' }, ada, headers)).status]).toEqual([headers, 403]);
  expect((await read(id)).body.status).toBe('pending');

  const answers = await Promise.all([
    decide(id, { decision: 'grant', reason: 'fine' }),
    decide(id, { decision: 'grant', reason: 'fine' }),
  ]);
  expect(
    answers
      .map(({ status }) => String(status))
      .toSorted()
      .join(' '),
  ).toBe('200 409');
  const granted = answers.find(({ status }) => status === 200)?.body;
  expect(granted).toMatchObject({
    id,
    status: 'granted',
    decidedBy: 'ada@example.com',
    reason: 'fine',
    // no proof was needed, and none was given
    needsProofOfPersonhood: false,
    assurance: null,
  });
  expect((await read(id)).body).toEqual(granted);
  expect(await told(id)).toMatchObject([
    { type: 'approval.requested' },
    { type: 'approval.granted', data: { by: 'ada@example.com', reason: 'fine' } },
  ]);
});

test('to a person who is no owner and no operator, an approval is one that does not exist', async () => {
  const { approval: id } = await rendering();
  const nobody = '0198c0de-0000-7000-8000-000000000000';
  const answers = async (approval: string) => [
    await read(approval, boole),
    await challenge(approval, boole),
    await decide(approval, { decision: 'grant' }, boole),
    await decide(approval, { decision: 'decline' }, boole),
  ];
  const mine = await answers(id);
  expect(mine.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  const words = (all: readonly Outcome[], approval: string) =>
    all.map(({ body }) => body.error.message.replaceAll(approval, 'ID'));
  expect(words(mine, id)).toEqual(words(await answers(nobody), nobody));
  expect((await boole.get(`${root}/approvals`)).json()).toMatchObject({ approvals: [] });
  expect((await read(id)).body.status).toBe('pending');

  expect(await decide(id, { decision: 'grant' }, operator)).toMatchObject({
    status: 200,
    body: { status: 'granted', decidedBy: 'eve@elsewhere.example' },
  });
});

test('what is declined is over: nothing runs by it, what waited for it is cancelled', async () => {
  const id = await publishing('manual_export');
  // to say no takes no proof
  const declined = await decide(id, { decision: 'decline', reason: 'not our voice' });
  expect(declined).toMatchObject({
    status: 200,
    body: { status: 'declined', reason: 'not our voice', assurance: null },
  });
  expect((await decide(id, { decision: 'grant' })).status).toBe(409);
  const live = { assetId: work.asset, channels: ['manual_export'], dryRun: false, approvalRef: id };
  const published = outcomeOf(await ada.send('POST', `${root}/publish`, live));
  expect(published.status).toBe(403);
  expect(published.body.error.message).toContain('one that is declined');

  const { plan } = await rendering();
  const asked = outcomeOf(await ada.send('POST', `${root}/render`, { planId: plan, dryRun: false }));
  const { job } = asked.body.output;
  expect((await decide(job.approvalRef, { decision: 'decline' })).status).toBe(200);
  await expect.poll(async () => (await readJob(service.context, job.id))?.state).toBe('cancelled');
});

test('publishing is granted by a proof over a challenge of exactly this approval, fresh, once, of one human', async () => {
  const first = await publishing('tiktok');
  const second = await publishing('linkedin');
  const third = await publishing('pinterest');
  const missing = await decide(first, { decision: 'grant' });
  expect(missing.status).toBe(403);
  expect(missing.body.error.message).toContain('proof of personhood');

  const asked = await challenge(first);
  expect(asked).toMatchObject({ status: 201, body: { purpose: 'approval', body: { approvalId: first } } });
  // before she has proven who she is, a challenge of hers names no human
  const early = await challenge(third);
  const proof = await proofOver(adaProves, asked);
  const challengeId = asked.body.id;
  const half = [{ challengeId }, { proof }];
  for (const body of half) expect((await decide(first, { decision: 'grant', ...body })).status).toBe(400);

  const grant = async (id: string, given: string, proven: unknown) => {
    const { status, body } = await decide(id, { decision: 'grant', challengeId: given, proof: proven });
    return [status, body.error?.code ?? body.status];
  };
  const seconds = await challenge(second);
  const nobodys = '0198c0de-0000-7000-8000-000000000000';
  expect(await grant(second, challengeId, proof)).toEqual([409, 'invalid_challenge']);
  expect(await grant(second, seconds.body.id, proof)).toEqual([422, 'invalid_proof']);
  expect(await grant(first, nobodys, proof)).toEqual([409, 'invalid_challenge']);
  await expire(seconds.body.id);
  expect(await grant(second, seconds.body.id, proof)).toEqual([409, 'invalid_challenge']);
  const stale = await decide(second, { decision: 'grant', challengeId: seconds.body.id, proof });
  expect(stale.body.error.message).toContain('one that has expired');

  // none of this used it up; of two at once one is taken
  const both = await Promise.all([grant(first, challengeId, proof), grant(first, challengeId, proof)]);
  expect(both.toSorted()).toEqual([
    [200, 'granted'],
    [409, 'state_conflict'],
  ]);
  expect((await read(first)).body).toMatchObject({
    status: 'granted',
    decidedBy: 'ada@example.com',
    assurance: 'enrolled',
  });
  expect((await ada.get('/auth/session')).json()).toMatchObject({ human: true });
  expect(await grant(second, challengeId, proof)).toEqual([409, 'invalid_challenge']);

  // she is known as a human now: another's proof is refused, over a challenge of before and over one of now
  const now = await challenge(third);
  expect(now.body.body.humanId).toMatch(/^[0-9a-f]{64}$/);
  expect(early.body.body.humanId).toBeUndefined();
  const others = await Promise.all([proofOver(bobProves, early), proofOver(bobProves, now)]);
  expect(await grant(third, early.body.id, others[0])).toEqual([422, 'invalid_proof']);
  expect(await grant(third, now.body.id, others[1])).toEqual([422, 'invalid_proof']);
  expect((await read(third)).body).toMatchObject({ status: 'pending', decidedBy: null });
  expect(await told(third)).toMatchObject([{ type: 'approval.requested' }]);

  const { id: job, status } = await publish(first, 'tiktok');
  expect(status).toBe('queued');
  expect((await read(first)).body).toMatchObject({ status: 'used', jobId: job });
}, 120_000);

test('an expired approval cannot be decided', async () => {
  const { approval: id } = await rendering();
  await service.context.db.query(sql.unsafe`update approvals set expires_at = now() where id = ${id}`);
  const late = await decide(id, { decision: 'grant' });
  expect(late.status).toBe(409);
  expect(late.body.error.message).toContain('expired');
  expect((await read(id)).body.status).toBe('expired');
});

async function expire(challengeId: string): Promise<void> {
  await service.context.db.query(
    sql.unsafe`update human_challenges set expires_at = now() - interval '1 second' where id = ${challengeId}`,
  );
}

async function publish(approvalRef: string, ...channels: string[]) {
  const live = { assetId: work.asset, channels, dryRun: false, approvalRef };
  const { status, body } = outcomeOf(await ada.send('POST', `${root}/publish`, live));
  expect(status).toBe(200);
  return body.output.job as { id: string; status: string };
}

test('an asset is published with the words of the plan that made it, and with no other plan', async () => {
  const asked = { assetId: work.asset, channels: ['pinterest'], dryRun: true };
  const alone = outcomeOf(await ada.send('POST', `${root}/publish`, asked));
  const named = outcomeOf(await ada.send('POST', `${root}/publish`, { ...asked, planId: work.plan }));
  expect(alone.body.output.approval).toMatchObject({ subject: work.plan, id: named.body.output.approval.id });
  expect(JSON.stringify(alone.body.output.outbox.effect)).toContain('A harbour wakes');
  const { plan } = await rendering();
  const other = outcomeOf(await ada.send('POST', `${root}/publish`, { ...asked, planId: plan }));
  expect(other).toMatchObject({ status: 400 });
  expect(other.body.error.message).toContain(`got "${work.asset}", which the plan ${work.plan} has made.`);
});
