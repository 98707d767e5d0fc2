import { expect, test } from 'vitest';
import { chunkOf, chunksOf, done, streams } from '#test/helpers/vendors/chat-stream.ts';
import { textWorld } from './text-world.ts';

const messages = [{ role: 'user' as const, content: 'What is at the end of the pier?' }];
const words = 'Hello there friend.';
/** 11 tokens of the question and 7 of the answer, at one and two dollars a million. */
const byCharacters = 11 + 2 * 7;

const claims = (tokens: string) => [
  ...chunksOf([words], null).slice(0, -1),
  `data: {"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":${tokens}}}\n\n`,
  done,
];

const counts = ['1e300', '9007199254740993', '2000000000', '900000000', '5000'];

test('a provider that says it took tokens that cannot be is paid by the words, and nobody is shown its count', async () => {
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
