import { randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import { describe, expect, test } from 'vitest';
import type { Provider } from '#src/providers/catalogue/catalogue.ts';
import type { Context } from '#src/system/context.ts';
import { startFalLike } from '#test/helpers/vendors/fal-like.ts';
import { pngOf, wavOf } from '#test/helpers/vendors/media.ts';
import { startReplicateLike } from '#test/helpers/vendors/replicate-like.ts';
import {
  always,
  answersJson,
  away,
  breaks,
  broken,
  busy,
  floods,
  foreign,
  half,
  hangs,
  page,
  refuses,
  rubbish,
  says,
  type Turn,
} from '#test/helpers/vendors/vendor-server.ts';
import { callOf, failureOf, KEY } from '#test/providers/calls.ts';
import { at, generate, tasks, twoContexts } from '#test/providers/tasks.ts';

const { open, closed } = twoContexts();

const nothing = { code: 'provider_failed', owed: 'nothing' };
const perhaps = { code: 'provider_failed', owed: 'perhaps' };
const png = pngOf(64, 64);

/** Faults that submissions, looks and files can meet; the routes of the two vendors beside each other. */
const misbehaviours: readonly (readonly [
  what: string,
  where: 'submit' | 'look' | 'file',
  turns: readonly Turn[],
  expected: object,
])[] = [
  ['429', 'submit', [busy], nothing],
  ['503', 'submit', [away], nothing],
  ['500', 'submit', [broken], perhaps],
  ['a refusal', 'submit', [refuses], { code: 'provider_refused', owed: 'nothing' }],
  ['402', 'submit', [answersJson(402, { detail: 'no credit' })], nothing],
  ['a broken connection', 'submit', [breaks], perhaps],
  ['no answer', 'submit', [hangs], perhaps],
  ['rubbish', 'submit', [rubbish], perhaps],
  ['JSON of another protocol', 'submit', [foreign], perhaps],
  ['a page', 'submit', [page], perhaps],
  ['an answer that says it is too long', 'submit', [says(20_000_000)], perhaps],
  ['an endless answer', 'submit', [floods()], perhaps],
  ['a task that is not known any more', 'look', [answersJson(404, { detail: 'Not found' })], perhaps],
  ['a status that is none', 'look', [answersJson(200, { id: 'x', status: 'DANCING' })], perhaps],
  ['a file that is not there', 'file', always(answersJson(404, {})), perhaps],
  ['half a file', 'file', always(half('image/png', png)), perhaps],
  ['a file that was cut', 'file', always((response) => response.end(png.subarray(0, 100))), perhaps],
  ['a page for a file', 'file', always(page), perhaps],
  ['a file that says it is too long', 'file', always(says(300_000_000, 'image/png')), perhaps],
  ['sound for a picture', 'file', always((response) => response.end(wavOf())), perhaps],
];
const routes = {
  'replicate-style': { submit: 'create', look: 'get', file: 'file' },
  'fal-style': { submit: 'submit', look: 'status', file: 'file' },
} as const;

describe.each(['replicate-style', 'fal-style'] as const)('%s', (style) => {
  const start = async (script: object) =>
    style === 'fal-style' ? await startFalLike(script) : await startReplicateLike(script);

  test.each(misbehaviours)('error: %s (%s)', async (_what, where, turns, expected) => {
    await using server = await start({ [routes[style][where]]: turns });
    const more = turns[0] === hangs ? { timeoutSeconds: 1 } : {};
    const call = callOf(closed(), {
      provider: at(style, server.url, 'image.generate', {}, more),
      capability: 'image.generate',
    });
    const failure = await failureOf(generate(call));
    expect(failure).toMatchObject(expected);
    expect(failure.message).not.toContain(KEY);
  });

  test('error: a provider whose task’s status cannot be read any more is unavailable, and the task may be owed', async () => {
    await using server = await start({ [routes[style].look]: always(broken) });
    const call = callOf(closed(), { provider: at(style, server.url, 'image.generate'), capability: 'image.generate' });
    expect(await failureOf(generate(call))).toMatchObject({ code: 'unavailable', owed: 'perhaps' });
  });

  test('looks and files that fail now and then do not end a task that runs', async () => {
    const look = [broken, busy, breaks, rubbish];
    await using server = await start({ [routes[style].look]: look, file: [breaks, half('image/png', png)] });
    const made = await generate(
      callOf(closed(), { provider: at(style, server.url, 'image.generate'), capability: 'image.generate' }),
    );
    expect(made.produced).toHaveLength(1);
  });

  test('error: what takes too long is cancelled there, and may be owed', async () => {
    await using server = await start({ statuses: style === 'fal-style' ? ['IN_PROGRESS'] : ['processing'] });
    const late = at(style, server.url, 'image.generate', {}, { timeoutSeconds: 1 });
    const failure = await failureOf(generate(callOf(closed(), { provider: late, capability: 'image.generate' })));
    expect(failure).toMatchObject({ ...perhaps, message: expect.stringContaining('within 1 s') });
    expect(server.received('cancel')).toHaveLength(1);
  });

  test('a task is cancelled, and one that is over or forgotten needs no cancelling', async () => {
    await using server = await start({});
    const call = callOf(closed(), { provider: at(style, server.url, 'image.generate'), capability: 'image.generate' });
    const adapter = tasks(style);
    const id = await adapter.submit(call);
    await adapter.cancel(call, id);
    const [cancel] = server.received('cancel');
    expect(cancel?.method).toBe(style === 'fal-style' ? 'PUT' : 'POST');
    await adapter.cancel(call, 'forgotten');
    server.follow({ cancel: [answersJson(400, { status: 'ALREADY_COMPLETED' }), broken] });
    await adapter.cancel(call, id);
    expect(await failureOf(adapter.cancel(call, id))).toMatchObject(perhaps);
  });

  test('a lost submission is found by the provider’s report, also while it is waited for', async () => {
    const call = callOf(open(), {
      provider: at(style, 'http://127.0.0.1:9', 'image.generate'),
      capability: 'image.generate',
      key: `${randomUUID()}.one`,
    });
    const finding = tasks(style).find?.(call);
    await open().db.query(sql.unsafe`
      insert into provider_messages (job, provider, body) values (${call.key.slice(0, 36)}, 'one', '{"id":"task-1"}')`);
    expect(await finding).toBe('task-1');
  });

  test('error: a submission without a report is not made again', async () => {
    const mute = at(style, 'http://127.0.0.1:9', 'image.generate', {}, { timeoutSeconds: 1 });
    const find = async (context: Context, one: Provider) =>
      await tasks(style).find?.(callOf(context, { provider: one, capability: 'image.generate' }));
    await expect(find(open(), mute)).rejects.toMatchObject({ code: 'outcome_unknown' });
    await expect(find(closed(), { ...mute, timeoutSeconds: 900 })).rejects.toMatchObject({ code: 'outcome_unknown' });
    // one that takes our key does the same thing once
    expect(await find(open(), { ...mute, idempotent: true })).toBeNull();
  });

  test('a provider that takes keys makes one task of two submissions', async () => {
    await using server = await start({ idempotent: true });
    const call = callOf(closed(), {
      provider: at(style, server.url, 'image.generate', {}, { idempotent: true }),
      capability: 'image.generate',
    });
    expect(await tasks(style).submit(call)).toBe(await tasks(style).submit(call));
  });
});

test.each([
  ['failed', 'CUDA out of memory', perhaps],
  ['failed', 'NSFW content detected', { code: 'provider_refused', owed: 'perhaps' }],
  ['canceled', '', perhaps],
  ['aborted', '', nothing],
])('error: a prediction that ends as %s (%s)', async (status, error, expected) => {
  await using server = await startReplicateLike({ statuses: ['starting', status], error });
  const call = callOf(closed(), {
    provider: at('replicate-style', server.url, 'image.generate'),
    capability: 'image.generate',
  });
  expect(await failureOf(generate(call))).toMatchObject(expected);
  expect(server.received('get')).toHaveLength(1);
});

test.each([
  ['a result that is refused', { result: [refuses] }, 'provider_refused'],
  [
    'a picture that is not handed out',
    { output: () => ({ images: [{ url: 'https://a.example' }], has_nsfw_concepts: [true] }) },
    'provider_refused',
  ],
  ['no file', { output: () => ({ seed: 1 }) }, 'provider_failed'],
  ['a file inside', { output: () => ({ images: [{ url: 'http://10.0.0.1/a.png' }] }) }, 'provider_failed'],
  ['a file of this machine', { output: () => ({ image: { url: 'https://localhost/a.png' } }) }, 'provider_failed'],
  [
    'more files than a job may have',
    { output: (base: string) => ({ images: Array.from({ length: 65 }, (_, n) => `${base}/files/${n}`) }) },
    'provider_failed',
  ],
])('error: a finished request with %s', async (_what, script, code) => {
  await using server = await startFalLike(script);
  const call = callOf(closed(), {
    provider: at('fal-style', server.url, 'image.generate'),
    capability: 'image.generate',
  });
  expect(await failureOf(generate(call))).toMatchObject({ code, owed: 'perhaps' });
});

test('a file at another origin, though of the same machine, is not requested, and the key goes to the own one alone', async () => {
  await using elsewhere = await startReplicateLike();
  await using own = await startReplicateLike({
    output: (base) => [`${base}/files/0.png`, `${elsewhere.url}/files/1.png`],
  });
  const call = callOf(closed(), {
    provider: at('replicate-style', own.url, 'image.generate'),
    capability: 'image.generate',
  });
  expect(await failureOf(generate(call))).toMatchObject(perhaps);
  expect(own.received('file')[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  expect(elsewhere.received()).toEqual([]);
});
