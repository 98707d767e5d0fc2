import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TextWorld, textWorld } from '#test/platform/text-world.ts';

/**
 * What clients of OpenAI's kind send beside the words: handed on, taken and not used, or refused. See docs/platform.md.
 */
let world: TextWorld;
const offer = { model: 'm', price: { perMillionInput: 1, perMillionOutput: 2 }, latency: { base: 1 }, quality: 0.5 };
const plain = { capabilities: { 'text.generate': { ...offer, ignores: ['verbosity', 'seed'] } } };
beforeAll(async () => {
  world = await textWorld([{}, {}], { entries: [{}, plain] });
});
afterAll(async () => await world[Symbol.asyncDispose]());

const messages = [{ role: 'user' as const, content: 'What is at the end of the pier?' }];
const post = async (path: string, payload: object) =>
  await world.api.app.inject({
    method: 'POST',
    url: `/api/v2/${path}`,
    headers: { 'x-api-key': world.secret },
    payload,
  });
const lastOf = (n: number) => world.vendors[n]?.received('chat').at(-1)?.body as Record<string, unknown>;

test.each([
  ['chat/completions', { messages, verbosity: 'low' }],
  ['responses', { input: 'x', text: { verbosity: 'low' } }],
])('%s hands on how much is to be said', async (path, body) => {
  const answer = await post(path, { ...body, routing: { providers: ['one'] } });
  expect(answer.statusCode).toBe(200);
  expect(lastOf(0)).toMatchObject({ verbosity: 'low' });
  expect(answer.headers).not.toHaveProperty('x-parameters-ignored');
});

test('a value that models use by default is not sent', async () => {
  await post('chat/completions', { messages, verbosity: 'medium', routing: { providers: ['one'] } });
  expect(lastOf(0)).not.toHaveProperty('verbosity');
  const answer = await post('responses', { input: 'x', text: { verbosity: 'high' }, routing: { providers: ['one'] } });
  expect(answer.json()).toMatchObject({ text: { verbosity: 'high' } });
});

test.each([
  ['chat/completions', { messages, verbosity: 'high', seed: 7, temperature: 1 }, 'verbosity, seed'],
  ['responses', { input: 'x', text: { verbosity: 'high' }, temperature: 1 }, 'verbosity'],
])('%s: what a model does not know is left out of the call, and the answer says so', async (path, body, ignored) => {
  const answer = await post(path, { ...body, routing: { providers: ['two'] } });
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['x-parameters-ignored']).toBe(ignored);
  const sent = lastOf(1);
  expect(sent).toMatchObject({ temperature: 1 });
  for (const name of ['verbosity', 'seed']) expect(sent).not.toHaveProperty(name);
});

test.each([
  [
    'chat/completions',
    {
      messages,
      audio: null,
      moderation: null,
      web_search_options: null,
      top_logprobs: 0,
      logprobs: false,
      n: 1,
      prompt_cache_options: { mode: 'implicit' },
      prompt_cache_key: 'k',
      prompt_cache_retention: '24h',
      store: true,
      metadata: { a: 'b' },
      service_tier: 'fast',
      safety_identifier: 'u',
      prediction: null,
    },
  ],
  [
    'responses',
    {
      input: 'x',
      truncation: 'auto',
      service_tier: 'fast',
      moderation: null,
      context_management: null,
      prompt_cache_options: { mode: 'implicit' },
      reasoning: {
        effort: 'low',
        context: 'auto',
        mode: 'standard',
      },
      include: ['reasoning.encrypted_content'],
      prompt_cache_retention: 'in_memory',
      top_logprobs: 0,
    },
  ],
])('%s takes what changes nothing in the answer', async (path, body) => {
  const answer = await post(path, { ...body, routing: { providers: ['one'] } });
  expect(answer.json(), answer.body).not.toHaveProperty('code');
  expect(answer.statusCode).toBe(200);
});
