import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type IdentityWorld, identityWorld, origin, people, type Service } from '#test/access/sessions/world.ts';
import { inlineRefs } from '#test/helpers/documents/inline-refs.ts';
import type { ErrorAnswer } from './documented-errors.ts';
import { answerChecks } from './fuzz/answers.ts';
import { type Document, routesOf } from './fuzz/document.ts';
import { type Caller, type Known, type Shot, shots } from './fuzz/requests.ts';
import { grant, outputOf, renderedWork } from './work.ts';

/*
 * Requests made from the document that the studio serves. `FUZZ_REQUESTS` says how many, `PROPERTY_SEED` which; what fails
 * says its seed.
 */
const count = Number(process.env['FUZZ_REQUESTS'] ?? 1_500);
const seed = fc.readConfigureGlobal().seed ?? Date.now();
const owner = 'user:ada@example.com';
const proofFile = new URL('../vectors/semaphore/proof-depth20-offline.json', import.meta.url);

type Headers = Readonly<Record<string, string>>;

let world: IdentityWorld;
let service: Service;
let document: Document;
let credentials: Readonly<Record<Caller, Headers>>;
let known: Known;

beforeAll(async () => {
  world = await identityWorld();
  service = await world.service({
    // approved jobs wait, so that a worker run does not
    PROVIDER_CALLS: 'off',
    RATE_STANDARD_PER_MINUTE: '100000000',
    RATE_STANDARD_PER_DAY: '10000000000',
  });
  document = (await service.app.inject('/api/studio/v1/openapi')).json();
  const full = (await service.keyFor({ owner })).headers;
  const other = (await service.keyFor({ owner: 'eve' })).headers;
  credentials = {
    full,
    other,
    person: await signedIn(),
    scopeless: (await service.keyFor({ owner, scopes: [] })).headers,
    nobody: {},
    unknown: { authorization: `Bearer sk-platform-${'0'.repeat(49)}` },
  };
  known = await things(full, other);
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

async function signedIn(): Promise<Headers> {
  const browser = service.browser();
  await browser.signIn(people.ada);
  const token = (await browser.get('/auth/session')).json()['csrf_token'];
  const cookie = [...(browser.jar.get('service') ?? [])].map((pair) => pair.join('=')).join('; ');
  return { cookie, origin, 'x-csrf-token': String(token) };
}

/** Ids of what exists, the caller's own and another's, and values that mean something. */
async function things(full: Headers, other: Headers): Promise<Known> {
  const mine = await renderedWork(service, full, owner);
  const hers = await renderedWork(service, other, 'eve');
  const planned = async (mode: string) => {
    const { brief } = await outputOf(service, full, 'brief', { mode, prompt: 'A harbour wakes' });
    const { plan, approval } = await outputOf(service, full, 'plan', { briefId: brief?.['id'] });
    return { plan: String(plan?.['id']), approval: String(approval?.['id']) };
  };
  const waiting = await Promise.all(Array.from({ length: 12 }, () => planned('video')));
  const spoken = await planned('voice');
  const granted = await planned('publish');
  await grant(service.context, granted.approval, owner);
  const live = await outputOf(service, full, 'render', { planId: granted.plan, dryRun: false });
  const job = String(live['job']?.['id']);
  const keys = await Promise.all(Array.from({ length: 24 }, () => service.keyFor({ owner, scopes: ['studio.read'] })));
  const ids = keys.map(({ id }) => id);
  // what is one's own most often, so that much of it is found
  const mostly = (own: string, others: string) => [own, own, own, own, others];
  const plans = [...mostly(mine.plan, hers.plan), spoken.plan, granted.plan];
  const approvals = [...waiting.map(({ approval }) => approval), spoken.approval, granted.approval, hers.approval];
  const all = [mine, hers].flatMap((one) => Object.values(one));
  return {
    briefs: [mine.brief, hers.brief],
    plans,
    jobs: [mine.render, mine.call, hers.render, job],
    assets: [mine.asset, hers.asset],
    approvals,
    keys: [...ids, (await service.keyFor({ owner: 'eve' })).id],
    id: all,
    briefId: mostly(mine.brief, hers.brief),
    planId: plans,
    assetId: mostly(mine.asset, hers.asset),
    approvalRef: approvals,
    targetId: all,
    cursor: all,
    challengeId: all,
    proof: [JSON.parse(readFileSync(proofFile, 'utf8'))],
    prompt: ['A harbour wakes. Boats go out.', 'שלום 🌊 \u202e', '<script>', 'a'.repeat(4_000)],
    title: ['Harbour', 'a'.repeat(140)],
    name: ['laptop'],
    reason: ['it is right'],
    targetFormats: ['16:9 144p 2s', '9:16', 'png', 'what nobody knows'],
    maxCostUsd: [1, 10_000, 0.000_000_1, 1e-300],
    budgetUsd: [0, 2.5, 10_000, 0.000_000_1],
    limit: [1, 100, 20],
  };
}

/** What a request is answered; of a stream its head alone. */
async function send({ route, caller, url, headers, payload }: Shot, index: number): Promise<ErrorAnswer> {
  const answer = await service.app.inject({
    method: route.method,
    url,
    headers: { ...headers, ...credentials[caller] },
    ...(payload !== undefined && { payload }),
    // nobody who has no key stands in another's way; who guesses keys does
    remoteAddress: caller === 'nobody' ? `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}` : '10.255.0.1',
    payloadAsStream: true,
  });
  const stream: Readable = answer.stream();
  const isStream = String(answer.headers['content-type']).startsWith('text/event-stream');
  const body = isStream ? '' : Buffer.concat(await stream.toArray()).toString();
  stream.destroy();
  return { statusCode: answer.statusCode, headers: answer.headers, body };
}

test(`${count} requests made from the document are answered as it says, and none breaks anything`, {
  timeout: 60_000 + count * 60,
  retry: 0,
}, async () => {
  const check = answerChecks(inlineRefs(document));
  const routes = routesOf(inlineRefs(document));
  const wrong = new Map<string, string>();
  const reached = new Map(routes.map(({ operation }) => [operation.operationId, 0]));
  const statuses = new Map<number, number>();
  for (const [index, shot] of fc.sample(shots(routes, known), { numRuns: count, seed }).entries()) {
    const answer = await send(shot, index);
    const name = shot.route.operation.operationId;
    statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1);
    if (answer.statusCode < 300) reached.set(name, (reached.get(name) ?? 0) + 1);
    for (const problem of check(shot, answer)) {
      const { route, caller, url, headers, payload } = shot;
      const asked = JSON.stringify({ index, caller, method: route.method, url, headers, payload }).slice(0, 1_500);
      wrong.getOrInsert(`${name} ${answer.statusCode} ${problem.slice(0, 60)}`, `${problem}\n    ${asked}`);
    }
  }
  expect([...wrong.values()], `PROPERTY_SEED=${seed} FUZZ_REQUESTS=${count}`).toEqual([]);
  // at every route some came in
  expect(
    [...reached].filter(([, times]) => times === 0),
    JSON.stringify([...statuses]),
  ).toEqual([]);
  if (process.env['FUZZ_TELL']) console.log(JSON.stringify([...reached]), JSON.stringify([...statuses]));
});
