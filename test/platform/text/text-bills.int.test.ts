import { expect, test } from 'vitest';
import { chunkOf, chunksOf, done, streams } from '#test/helpers/vendors/chat-stream.ts';
import { textWorld } from '#test/platform/text-world.ts';

const messages = [{ role: 'user' as const, content: 'What is at the end of the pier?' }];
const words = 'Hello there friend.';
/** 10 tokens of the question, as the provider counts, and 7 of the answer by its characters: at one and two dollars a million. */
const byCharacters = 10 + 2 * 7;

const claims = (tokens: string) => [
  ...chunksOf([words], null).slice(0, -1),
  `data: {"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":${tokens}}}\n\n`,
  done,
];

const counts = ['1e300', '9007199254740993', '2000000000', '900000000', '5000'];

test('a provider that reports an impossible count of tokens is paid by the words, and its count is not shown', async () => {
  await using world = await textWorld([{ chat: counts.map((tokens) => streams(claims(tokens))) }]);
  for (const tokens of counts) {
    const { data, response } = await world.client.chat.completions.create({ messages, model: 'auto' }).withResponse();
    expect(data, tokens).toMatchObject({ choices: [{ message: { content: words } }] });
    expect(data.usage, tokens).toBeUndefined();
    expect(await world.calls(response.headers.get('x-job-id') ?? '')).toEqual([`one settled ${byCharacters}`]);
  }
  expect(await world.money()).toEqual({ reserved: 0, spent: counts.length * byCharacters });
  // cut off, and paid up to the tokens that were asked for
  world.vendors[0]?.follow({
    chat: [streams(Array.from({ length: 100 }, () => chunkOf({ content: 'z'.repeat(1_000) })))],
  });
  const asked = { messages, model: 'auto', max_completion_tokens: 10 };
  const { data, response } = await world.client.chat.completions.create(asked).withResponse();
  expect(data.choices[0]).toMatchObject({ finish_reason: 'length', message: { content: 'z'.repeat(1_280) } });
  expect(await world.calls(response.headers.get('x-job-id') ?? '')).toEqual(['one settled 31']);
});

test('what a provider had read before is billed at its own price, and at the ordinary one where the offer has none', async () => {
  const cached = (tokens: number) => [
    ...chunksOf([words], null).slice(0, -1),
    `data: {"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":10,"prompt_tokens_details":{"cached_tokens":${tokens}}}}\n\n`,
    done,
  ];
  const offered = (price: object) => ({
    capabilities: { 'text.generate': { model: 'm', price, latency: { base: 1 }, quality: 0.9 } },
  });
  const prices = { perMillionInput: 1, perMillionOutput: 2 };
  const vendor = { chat: [80, 80].map((tokens) => streams(cached(tokens))) };
  await using world = await textWorld([vendor, vendor], {
    entries: [offered({ ...prices, perMillionCachedInput: 0.1 }), offered(prices)],
  });
  const cost = async (provider: string) => {
    const body = { messages, model: 'auto', routing: { providers: [provider] } } as never;
    const answer: any = await world.client.chat.completions.create(body).withResponse();
    expect(answer.data.usage.prompt_tokens_details).toBeDefined();
    return await world.calls(answer.response.headers.get('x-job-id') ?? '');
  };
  expect(await cost('one')).toEqual([`one settled ${20 + 8 + 20}`]);
  expect(await cost('two')).toEqual([`two settled ${100 + 20}`]);
});

const questionTokens = 11;
const answerTokens = 7;

test.for([
  ['fewer than no cached tokens', { prompt_tokens_details: { cached_tokens: -5 } }, 1_000 + 200],
  ['more cached tokens than the prompt has', { prompt_tokens_details: { cached_tokens: 1_001 } }, 1_000 + 200],
  ['half a cached token', { prompt_tokens_details: { cached_tokens: 0.5 } }, 1_000 + 200],
  ['cached tokens that are text', { prompt_tokens_details: { cached_tokens: 'NaN' } }, 1_000 + 200],
  ['details that are none', { prompt_tokens_details: 7, completion_tokens_details: 'none' }, 1_000 + 200],
  ['fewer than no reasoning tokens', { completion_tokens_details: { reasoning_tokens: -1 } }, 1_000 + 200],
  ['a prompt of fewer than no tokens', { prompt_tokens: -1_000 }, questionTokens + 200],
  ['a prompt of no tokens', { prompt_tokens: 0 }, questionTokens + 200],
  [
    'a cached prompt of no tokens',
    { prompt_tokens: null, prompt_tokens_details: { cached_tokens: 5 } },
    questionTokens + 200,
  ],
  ['an answer of fewer than no tokens', { completion_tokens: -100 }, 1_000 + 2 * answerTokens],
  ['a written answer of no tokens', { completion_tokens: 0 }, 1_000 + 2 * answerTokens],
  ['nothing but impossible counts', { prompt_tokens: -1, completion_tokens: -1 }, questionTokens + 2 * answerTokens],
] as const)('a provider that reports %s is paid as if it had not said so', async ([, wrong, cost]) => {
  const usage = { prompt_tokens: 1_000, completion_tokens: 100, ...wrong };
  const said = [...chunksOf([words], null).slice(0, -1), `data: ${JSON.stringify({ choices: [], usage })}\n\n`, done];
  const price = { perMillionInput: 1, perMillionCachedInput: 0.1, perMillionOutput: 2 };
  await using world = await textWorld([{ chat: [streams(said)] }], {
    entries: [{ capabilities: { 'text.generate': { model: 'm', price, latency: { base: 1 }, quality: 0.9 } } }],
  });
  const { data, response } = await world.client.chat.completions.create({ messages, model: 'auto' }).withResponse();
  expect(await world.calls(response.headers.get('x-job-id') ?? '')).toEqual([`one settled ${cost}`]);
  expect(data.usage?.prompt_tokens_details).toBeUndefined();
  expect(data.usage?.completion_tokens_details).toBeUndefined();
});

test('a turn that the budget cannot pay at the best provider is written by the next one', async () => {
  const price = { perMillionInput: 1, perMillionOutput: 200 };
  const dear = { capabilities: { 'text.generate': { model: 'm', price, latency: { base: 1 }, quality: 0.9 } } };
  const settings = { SPEND_KEY_MONTHLY_USD: '0.02' };
  await using world = await textWorld([{}, {}], { entries: [dear], settings });
  const asked = { messages, model: 'auto', routing: { policy: 'quality_first' } } as never;
  const answer: any = await world.client.chat.completions.create(asked).withResponse();
  expect(await world.calls(answer.response.headers.get('x-job-id'))).toEqual(['two settled 2050']);
  expect(world.vendors[0]?.received('chat')).toEqual([]);
  // and the budget says so where it can pay nobody
  const most = { messages, model: 'auto', max_completion_tokens: 100_000 } as never;
  await expect(world.client.chat.completions.create(most)).rejects.toMatchObject({
    status: 422,
    code: 'budget_exceeded',
  });
});
