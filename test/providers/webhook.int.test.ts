import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'slonik';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { adapterOf } from '#src/providers/adapters/adapter-of.ts';
import { effectNames } from '#src/providers/calls/paying-effects.ts';
import { catalogueOf, providerOf } from '#src/providers/catalogue/catalogue-load.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { startFalLike } from '#test/helpers/vendors/fal-like.ts';
import { startReplicateLike } from '#test/helpers/vendors/replicate-like.ts';
import { testApi } from '#test/http/api.ts';
import { callOf, failureOf, KEY_NAME } from './calls.ts';
import { offer, provider } from './offers.ts';

const SECRET = 'whsec_c2VjcmV0LW9mLXRoZS13ZWJob29rcw==';
process.env['PROVIDER_TEST_SECRET'] = SECRET;
const message = row(Type.Object({ body: Type.Unknown() }));

/** An API with a provider of each style, and what it takes to submit a task to one and hear of it. */
async function listening() {
  await using stack = new AsyncDisposableStack();
  const replicate = stack.use(await startReplicateLike({ secret: SECRET }));
  const fal = stack.use(await startFalLike());
  const capabilities = { 'image.generate': offer({ model: 'maker/flux' }) };
  const common = { credential: KEY_NAME, capabilities };
  const providers = [
    provider({ id: 'rep', url: replicate.url, webhookSecret: 'PROVIDER_TEST_SECRET', ...common }),
    provider({ id: 'fal', url: fal.url, style: 'fal-style', ...common }),
  ];
  const folder = mkdtempSync(join(tmpdir(), 'proofline-webhook-'));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'providers.json');
  writeFileSync(file, JSON.stringify({ providers }));
  const api = stack.use(await testApi({ PROVIDERS_FILE: file, PUBLIC_URL: 'https://studio.example' }));
  const base = await api.app.listen({ port: 0, host: '127.0.0.1' });
  const { context } = api;

  /** A call whose submission is meant and made, and whose answer is lost. */
  const submit = async (id: 'rep' | 'fal') => {
    const job = randomUUID();
    const effect = effectNames.submission(id);
    await context.db.query(sql.unsafe`
      insert into effects (job, effect, request_hash, state, attempt) values (${job}, ${effect}, ''::bytea, 'intended', 1)`);
    const one = providerOf(catalogueOf(context), id);
    const adapter = adapterOf(one.style);
    if (adapter.kind !== 'task') throw new Error('expected tasks');
    const call = callOf(context, {
      provider: { ...one, timeoutSeconds: 1 },
      capability: 'image.generate',
      key: `${job}.${effect}`,
    });
    const task = await adapter.submit(call);
    const webhook = id === 'rep' ? replicate.predictions().at(-1)?.webhook : fal.requests().at(-1)?.webhook;
    const address = new URL(webhook ?? '');
    return {
      job,
      task,
      url: `${base}${address.pathname}${address.search}`,
      find: async () => await adapter.find?.(call),
    };
  };
  const kept = async (job: string) =>
    (await context.db.any(sql.type(message)`select body from provider_messages where job = ${job}`)).map(
      ({ body }) => body,
    );
  const all = stack.move();
  return { replicate, fal, submit, kept, context, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

test('a lost prediction is found by the message that its provider signed, sent once or twice', async () => {
  await using system = await listening();
  const { task, url, job, find } = await system.submit('rep');
  expect(await failureOf(find())).toMatchObject({ code: 'outcome_unknown' });
  expect(await system.replicate.notify(task, { url })).toBe(204);
  expect(await system.replicate.notify(task, { url })).toBe(204);
  expect(await find()).toBe(task);
  expect(await system.kept(job)).toEqual([{ id: task, status: 'starting' }]);
});

test('a lost request is found by the message to an address that only its provider was given', async () => {
  await using system = await listening();
  const { task, url, job, find } = await system.submit('fal');
  expect(await system.fal.notify(task, { url })).toBe(204);
  expect(await find()).toBe(task);
  expect(await system.kept(job)).toEqual([{ id: task, status: 'OK' }]);
});

test('error: a forged, a repeated, an altered or a foreign message is refused, and nothing of it is stored', async () => {
  await using system = await listening();
  const mine = await system.submit('rep');
  const other = await system.submit('rep');
  const { replicate, fal } = system;
  const { task, url } = mine;
  expect(await replicate.notify(task, { url, secret: 'whsec_YW5vdGhlciBzZWNyZXQ=' })).toBe(403);
  expect(await replicate.notify(task, { url, at: new Date(Date.now() - 600_000) })).toBe(403);
  expect(await replicate.notify(task, { url, body: {} })).toBe(400);
  // signed by the same provider, to the address of another job: with its token, and with the own one
  const otherToken = url.replace(mine.job, other.job);
  expect(await replicate.notify(task, { url: otherToken })).toBe(403);
  const unsigned = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: task }),
  });
  expect(unsigned.status).toBe(403);
  expect(await system.kept(mine.job)).toEqual([]);
  const queued = await system.submit('fal');
  for (const wrong of [
    queued.url.replace(/token=./, 'token=~'),
    queued.url.replace(/\?.*/, ''),
    `${queued.url}&token=a`,
  ]) {
    expect([400, 403]).toContain(await fal.notify(queued.task, { url: wrong }));
  }
  expect(await system.kept(queued.job)).toEqual([]);
});

test('error: once a task is known, a message of another one is refused', async () => {
  await using system = await listening();
  const { task, url, job } = await system.submit('fal');
  expect(await system.fal.notify(task, { url })).toBe(204);
  expect(await system.fal.notify(task, { url, body: { request_id: 'another', status: 'OK' } })).toBe(409);
  await system.context.db.query(sql.unsafe`update effects set external_id = 'recorded' where job = ${job}`);
  expect(await system.fal.notify(task, { url })).toBe(409);
  expect(await system.fal.notify(task, { url, body: { request_id: 'recorded', status: 'OK' } })).toBe(204);
  expect(await system.kept(job)).toEqual([{ id: 'recorded', status: 'OK' }]);
  await system.context.db.query(sql.unsafe`delete from effects where job = ${job}`);
  expect(await system.fal.notify(task, { url })).toBe(404);
});
