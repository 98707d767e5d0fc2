import { afterAll, beforeAll, expect, test } from 'vitest';
import { revokeKey } from '#src/access/keys/keys.ts';
import { chunkOf, chunksOf, stalls, streams } from '#test/helpers/vendors/chat-stream.ts';
import { type TextScene, type TextWorld, textWorld } from '#test/platform/text-world.ts';

let shared: TextWorld;
beforeAll(async () => {
  shared = await textWorld([{}, {}]);
});
afterAll(async () => await shared[Symbol.asyncDispose]());

const messages = [{ role: 'user' as const, content: 'What is at the end of the pier?' }];

async function post(world: TextScene, payload: object, headers: Record<string, string> = {}) {
  return await world.api.app.inject({
    method: 'POST',
    url: '/api/v2/chat/completions',
    headers: { 'x-api-key': world.secret, ...headers },
    payload,
  });
}

test('one idempotency key is one call and one answer: at once, later, streamed, and never for another request', async () => {
  const world = await shared.anew([]);
  const key = { 'idempotency-key': 'k-1' };
  const answers = await Promise.all([post(world, { messages }, key), post(world, { messages }, key)]);
  const later = await post(world, { messages }, key);
  for (const answer of [...answers, later]) {
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ id: answers[0]?.json().id, choices: answers[0]?.json().choices });
  }
  expect(later.headers['idempotency-replayed']).toBe('true');
  const other = await post(world, { messages, temperature: 1 }, key);
  expect(other.json()).toMatchObject({ status: 409, code: 'idempotency_conflict' });
  const streamed = { messages, stream: true };
  const first = await post(world, streamed, { 'idempotency-key': 'k-2' });
  const again = await post(world, streamed, { 'idempotency-key': 'k-2' });
  expect(first.body).toMatch(/"content":"dusk."[^]*\[DONE\]/);
  expect(again.body).toMatch(/"content":"A lighthouse at dusk."[^]*\[DONE\]/);
  expect(world.vendors[0]?.received('chat')).toHaveLength(2);
  expect(await world.money()).toEqual({ reserved: 0, spent: 2 * 2_050 });
});

test('the response cache answers the same request of the same owner, at no cost', async () => {
  const world = await shared.anew([]);
  const cache = { ttl_seconds: 60 };
  const miss = await post(world, { messages, cache });
  const hit = await post(world, { cache, messages });
  const streamed = await post(world, { messages, cache, stream: true });
  expect([miss, hit, streamed].map(({ headers }) => headers['x-cache'])).toEqual(['miss', 'hit', 'hit']);
  expect(hit.json()).toMatchObject({ choices: miss.json().choices, usage: miss.json().usage, run: { cost_usd: 0 } });
  expect(streamed.body).toMatch(/"content":"A lighthouse at dusk."[^]*\[DONE\]/);
  expect(world.vendors[0]?.received('chat')).toHaveLength(1);
  const { headers } = await world.api.key({ owner: 'owner-2' });
  expect((await post(world, { messages, cache }, headers)).headers['x-cache']).toBe('miss');
  expect((await post(world, { messages, cache, seed: 7 })).headers['x-cache']).toBe('miss');
  expect((await post(world, { messages })).headers['x-cache']).toBeUndefined();
});

const refused: readonly (readonly [payload: object, field: string])[] = [
  [{ messages: [{ role: 'user', content: 'a\u0000b' }] }, 'body.messages[0].content'],
  [{ messages: [] }, 'body.messages'],
  [{ messages, n: 2 }, 'body.n'],
  [{ messages, colour: 'red' }, 'body.colour'],
  [{ messages, verbosity: 'loud' }, 'body.verbosity'],
  [{ messages, top_logprobs: 2 }, 'body.top_logprobs'],
  [{ messages, web_search_options: {} }, 'body.web_search_options'],
  [{ messages, moderation: { model: 'x' } }, 'body.moderation'],
  [{ messages, functions: [{ name: 'x' }] }, 'body.functions'],
  [{ messages, modalities: ['audio'] }, 'body.modalities[0]'],
  [{ messages: [{ role: 'tool', content: '1' }] }, 'body.messages[0].tool_call_id'],
  [
    { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'http://a.example/1.png' } }] }] },
    'body.messages[0].content[0].image_url.url',
  ],
  [{ messages, cache: { ttl_seconds: 86_401 } }, 'body.cache.ttl_seconds'],
  [{ messages, tool_choice: { type: 'function', function: { name: 'x' } } }, 'body.tool_choice.function.name'],
];

test('a request that cannot be met is refused, naming the field', async () => {
  await using world = await textWorld([]);
  for (const [payload, field] of refused) {
    const answer = await post(world, payload);
    expect(answer.json()).toMatchObject({
      status: 400,
      errors: [{ field }],
      error: { type: 'invalid_request_error', param: field.replace('body.', '') },
    });
  }
});

test('models and routing restrict the providers that are called', async () => {
  const world = await shared.anew([{}, {}]);
  const provider = async (more: object) => {
    const { headers, statusCode } = await post(world, { messages, ...more });
    return headers['x-provider'] ?? statusCode;
  };
  expect(await provider({ model: 'model-2' })).toBe('two');
  expect(await provider({ model: 'two/model-2' })).toBe('two');
  expect(await provider({ model: 'one/model-2' })).toBe(404);
  expect(await provider({ routing: { exclude: ['one'] } })).toBe('two');
  expect(await provider({ routing: { providers: ['two'] } })).toBe('two');
  expect(await provider({ routing: { max_cost_usd: 0 } })).toBe(503);
});

test('with nothing configured the answer is 503, whatever model is named', async () => {
  await using world = await textWorld([]);
  expect((await post(world, { messages, model: 'gpt-4o' })).json()).toMatchObject({
    status: 503,
    code: 'providers_exhausted',
    title: 'Provider Unavailable',
    details: { providers: [] },
  });
});

test('a budget that is used up refuses the call before it is made', async () => {
  await using world = await textWorld([{}], { settings: { SPEND_KEY_MONTHLY_USD: '0.009' } });
  expect((await post(world, { messages })).statusCode).toBe(200);
  expect((await post(world, { messages })).json()).toMatchObject({ status: 422, code: 'budget_exceeded' });
  expect(world.vendors[0]?.received('chat')).toHaveLength(1);
  expect(await world.jobs()).toHaveLength(1);
});

test('a provider that takes one call a minute: the next goes to another', async () => {
  await using world = await textWorld([{}, {}], { entries: [{ perMinute: 1 }] });
  const providers = [await post(world, { messages }), await post(world, { messages })];
  expect(providers.map(({ headers }) => headers['x-provider'])).toEqual(['one', 'two']);
});

test('a provider whose slots are taken: another is called after a bounded wait', async () => {
  const holds = streams([chunkOf({ content: 'A light' })], stalls);
  await using world = await textWorld([{ chat: [holds] }, {}], { entries: [{ concurrency: 1 }] });
  const stream = await world.client.chat.completions.create({ messages, model: 'auto', stream: true });
  expect((await post(world, { messages })).headers['x-provider']).toBe('two');
  stream.controller.abort();
});

test('streams of a key are counted, and end when it is revoked', async () => {
  const holds = streams([chunkOf({ content: 'A light' })], stalls);
  await using world = await textWorld([{ chat: [holds] }], { settings: { STREAMS_PER_KEY: '1' } });
  const stream = await world.client.chat.completions.create({ messages, model: 'auto', stream: true });
  expect((await post(world, { messages, stream: true })).json()).toMatchObject({ status: 429, code: 'quota_exceeded' });
  const read = async () => {
    for await (const { choices } of stream)
      if (choices[0]?.delta.content) await revokeKey(world.api.context, world.keyId, null);
  };
  await expect(read()).rejects.toMatchObject({ code: 'cancelled' });
  expect(await world.jobs()).toMatchObject([{ state: 'cancelled' }]);
});

test('a process that stops ends its streams, with what came paid', async () => {
  const world = await textWorld([{ chat: [streams([chunkOf({ content: 'A light' })], stalls)] }]);
  await using _all = world;
  const stream = await world.client.chat.completions.create({ messages, model: 'auto', stream: true });
  const read = async () => {
    for await (const { choices } of stream) if (choices[0]?.delta.content) void world.api.app.close();
  };
  await expect(read()).rejects.toMatchObject({ code: 'cancelled' });
  expect(await world.jobs()).toMatchObject([{ state: 'cancelled' }]);
  expect(await world.money()).toEqual({ reserved: 0, spent: 17 });
});

test('a text that a database cannot hold is stored without its unstorable characters', async () => {
  const world = await shared.anew([{ chat: [streams(chunksOf(['a\u0000', '\ud83d', '\ude00', '\ud83d']))] }]);
  const answer = await post(world, { messages }, { 'idempotency-key': 'odd' });
  expect(answer.json().choices[0].message.content).toBe('a😀\ufffd');
  expect((await world.jobs())[0]?.state).toBe('succeeded');
});
