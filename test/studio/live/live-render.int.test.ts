import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepIdentity } from '#src/access/sessions/identity-store.ts';
import { openProver, type Prover } from '#src/commands/client/prover.ts';
import { readApproval } from '#src/governance/approvals/approval-row.ts';
import { challengeApproval } from '#src/governance/approvals/challenge-approval.ts';
import { decideApproval } from '#src/governance/approvals/decide-approval.ts';
import { isTerminal } from '#src/jobs/model/states.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { readReceipt } from '#src/receipts/receipt-store.ts';
import { ownAttest } from '#src/receipts/verify/own-attest.ts';
import { enrolled, membersOf, type Person, person as prove } from '#test/access/humans/identities.ts';
import { openSse } from '#test/http/streams.ts';
import { person, studioWorld } from '#test/studio/world.ts';

let world: Awaited<ReturnType<typeof studioWorld>>;
let ada: Readonly<Record<string, string>>;
let prover: Prover;
let proves: Person;
beforeAll(async () => {
  world = await studioWorld();
  ada = (await world.key({ owner: 'ada' })).headers;
  prover = await openProver();
  proves = prove(prover, 1);
  await enrolled(world.context, proves);
  const { issuer, subject, email } = person('ada');
  await keepIdentity(world.context, { issuer, subject, email }, false);
});
afterAll(async () => {
  await prover[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

const ended = async (id: string) => {
  await expect
    .poll(async () => isTerminal((await readJob(world.context, id))?.state ?? ''), { timeout: 55_000 })
    .toBe(true);
  return (await world.call('GET', `/v1/jobs/${id}`, ada)).body;
};

/** Grants it as a person does who also proves to be one, since the film has a voice. */
async function grant(id: string): Promise<void> {
  const approval = await readApproval(world.context, id, 'ada');
  if (!approval) throw new Error(`no approval ${id}`);
  const challenge = await challengeApproval(world.context, approval, person('ada'));
  const body = { ...challenge.body };
  const proof = await proves.prove(await membersOf(world.context), { purpose: 'approval', body });
  const proven = { challengeId: challenge.id, proof };
  await decideApproval(world.context, id, person('ada'), { decision: 'grant', proof: proven });
}

/** A live render of a brief, approved as it has to be. */
const rendered = async (brief: object) => {
  const { plan, approval } = await world.plan(ada, brief);
  await grant(approval.id);
  const live = { planId: plan.id, dryRun: false, approvalRef: approval.id };
  const dry = await world.call('POST', '/api/studio/v1/render', ada, { planId: plan.id, dryRun: true });
  const { status, body } = await world.call('POST', '/api/studio/v1/render', ada, live);
  // what is said when it is planned is said at every gate after it
  expect({ status, warnings: body.warnings }).toEqual({ status: 200, warnings: plan.warnings });
  expect(dry.body.warnings.slice(0, plan.warnings.length)).toEqual(plan.warnings);
  return { plan, approval, job: await ended(body.output.job.id) };
};

test('an approved plan becomes a film, with a receipt that says how, and events of it', async () => {
  const brief = {
    mode: 'video',
    prompt: 'A harbour wakes. Boats go out.',
    title: 'Harbour',
    targetFormats: ['16:9 144p 2s'],
  };
  const { job, approval } = await rendered(brief);
  expect(job).toMatchObject({ state: 'succeeded', error: null });
  const { result } = job;
  expect(result).toMatchObject({ cost: 0, receiptId: job.id });
  const film = result.assets.find(({ name }: { name: string }) => name === 'video-16x9');
  expect(film).toMatchObject({ kind: 'video', mediaType: 'video/mp4' });

  const receipt = await readReceipt(world.context, job.id);
  expect(receipt).not.toBeNull();
  if (!receipt) return;
  const names = receipt.statement.subject.map(({ name }) => name);
  expect(names).toContain('assets/video-16x9');
  expect(receipt.events.map(({ type }) => type)).toEqual(
    expect.arrayContaining([
      'execution.accepted',
      'approval.used',
      'call.settled',
      'asset.made',
      'execution.succeeded',
    ]),
  );
  expect(receipt.events.find(({ type }) => type === 'approval.used')?.data).toEqual({
    approval: approval.id,
    effectSha256: approval.effectSha256,
  });
  expect(await ownAttest(world.context).offline(receipt, job.id)).toMatchObject({
    integrity: { verdict: 'pass' },
    authenticity: { verdict: 'pass' },
  });
  const open = await world.call('GET', `/api/v1/receipts/${job.id}`);
  expect(open.status).toBe(200);
  // public, so nothing of what was asked for
  expect(JSON.stringify(open.body)).not.toContain('harbour');

  const stream = await openSse(`${world.url}/api/studio/v1/events`, ada);
  const told: { n: string; type: string }[] = [];
  for await (const { event = '', id = '' } of stream.events) {
    told.push({ n: id, type: event });
    if (event === 'job.succeeded' && told.filter(({ type }) => type === 'job.succeeded').length === 5) break;
  }
  stream.close();
  expect(told[0]?.type).toBe('studio_stream_ready');
  const types = told.map(({ type }) => type);
  for (const type of [
    'brief.created',
    'plan.created',
    'approval.requested',
    'approval.granted',
    'approval.used',
    'job.queued',
    'job.started',
    'spend.settled',
    'asset.created',
  ])
    expect(types).toContain(type);
  const numbers = told.slice(1).map(({ n }) => Number(n.split('.').at(-1)));
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
});

const text = async (id: string) => {
  const { body } = await world.call('GET', `/api/studio/v1/assets/${id}`, ada);
  // at the address that this process listens on, whatever the public one is
  const { pathname, search } = new URL(body.url, world.url);
  return await (await fetch(new URL(`${pathname}${search}`, world.url))).text();
};
const assetsOf = async (job: string) =>
  (await world.call('GET', `/api/studio/v1/assets?job=${job}&limit=100`, ada)).body.assets as readonly {
    readonly id: string;
    readonly name: string;
    readonly kind: string;
    readonly duration: number | null;
  }[];
const sentences =
  'The harbour wakes. Boats leave before dawn. The lamp lights up. The town hears them go. Open from May.';

test('a film without a length is as long as its narration, and its captions stand while it is said', async () => {
  const brief = { mode: 'video', prompt: sentences, title: 'Harbour', targetFormats: ['144p'] };
  const { plan, job } = await rendered(brief);
  expect([plan.warnings, job.result.warnings]).toEqual([[], []]);
  const assets = await assetsOf(job.id);
  const named = (name: string) => assets.find((asset) => asset.name === name);
  const [film, narration] = [named('video-16x9')?.duration ?? 0, named('narration')?.duration ?? 99];
  expect(plan.narrationSeconds).toBeGreaterThan(narration * 0.75);
  expect(plan.narrationSeconds).toBeLessThan(narration * 1.25);
  // a card for the title before it, a moment after it
  expect(film).toBeGreaterThan(narration + 1.8);
  expect(film).toBeLessThan(narration + 3);
  const { words } = JSON.parse(await text(named('narration-words')?.id ?? ''));
  const captions = await text(named('video-16x9-captions')?.id ?? '');
  const begins = [...captions.matchAll(/^00:00:(\d\d\.\d{3}) -->/gmu)].map(([, at]) => Number(at));
  const said = [...captions.matchAll(/-->.*\n(.*)\n/gu)].map(([, line = '']) => line);
  expect(said.join(' ')).toBe(sentences);
  let index = 0;
  for (const [cue, line] of said.entries()) {
    expect(begins[cue]).toBeCloseTo(1.8 + words[index].from, 2);
    index += line.split(' ').length;
  }
});

test('a film that is requested shorter than its narration is longer, and plan, dry run and result say by how much', async () => {
  const brief = { mode: 'avatar', prompt: `${sentences} हिन्दी`, targetFormats: ['144p 3s gif landscape 1:1'] };
  const { plan, job } = await rendered(brief);
  for (const warnings of [plan.warnings, job.result.warnings]) {
    const said = warnings.join('\n');
    expect(said).toContain('"gif" in "144p 3s gif landscape 1:1" names no aspect ratio');
    expect(said).toContain('names shapes that contradict each other (landscape: 16:9, 1:1); a film of each is made.');
    expect(said).toMatch(
      /avatar-16x9 (will be|is) \d+(\.\d)? s long, \d+(\.\d)? s longer than the requested 3 s, because its narration takes/,
    );
    expect(said).toContain('No font here can draw ह (U+0939)');
  }
  const assets = await assetsOf(job.id);
  const film = assets.find(({ kind }) => kind === 'video')?.duration ?? 0;
  expect(film).toBeGreaterThan(assets.find(({ name }) => name === 'narration')?.duration ?? 99);
});

test('a render that is cancelled takes its calls with it, and leaves a receipt of what was done', async () => {
  const { plan, approval } = await world.plan(ada, { mode: 'video', targetFormats: ['16:9 60s 720p'] });
  await grant(approval.id);
  const { body } = await world.call('POST', '/api/studio/v1/render', ada, {
    planId: plan.id,
    dryRun: false,
    approvalRef: approval.id,
  });
  const { id } = body.output.job;
  const child = async () => (await world.jobsOf('providers.generate')).find(({ state }) => state === 'running');
  await expect.poll(child).toBeDefined();
  expect((await world.call('DELETE', `/v1/jobs/${id}`, ada)).status).toBe(200);
  await expect.poll(async () => (await readReceipt(world.context, id))?.statement.predicate.outcome).toBe('cancelled');
  await expect
    .poll(async () => (await world.jobsOf('providers.generate')).filter(({ state }) => !isTerminal(state)))
    .toEqual([]);
});
