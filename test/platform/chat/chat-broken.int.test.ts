import { afterAll, beforeAll, expect, test } from 'vitest';
import { chunkOf, chunksOf, done, resets, stalls, streams } from '#test/helpers/vendors/chat-stream.ts';
import {
  answersJson,
  away,
  breaks,
  broken,
  floods,
  page,
  refuses,
  type Turn,
} from '#test/helpers/vendors/vendor-server.ts';
import { type TextWorld, textWorld } from '#test/platform/text-world.ts';

let shared: TextWorld;
beforeAll(async () => {
  shared = await textWorld([{}, {}]);
});
afterAll(async () => await shared[Symbol.asyncDispose]());

const messages = [{ role: 'user' as const, content: 'What is at the end of the pier?' }];
const event = (text: string) => `data: ${text}\n\n`;

const beforeAnything: readonly (readonly [string, Turn, 'released' | 'unknown'])[] = [
  ['has no room (503)', away, 'released'],
  ['fails (500)', broken, 'unknown'],
  ['breaks the connection', breaks, 'unknown'],
  ['answers 200 with a page', page, 'unknown'],
  ['answers 200 with an error', answersJson(200, { error: { message: 'overloaded' } }), 'unknown'],
  ['streams an error first', streams([event('{"error":{"message":"overloaded"}}'), done]), 'unknown'],
  ['streams what is no JSON', streams([event('{"choices":[{"del')]), 'unknown'],
  ['streams what are no events', streams(['nothing of this is an event\n\n', '<html>\n\n']), 'unknown'],
  ['ends its stream with nothing', streams([]), 'unknown'],
  ['resets its stream at once', streams([], resets), 'unknown'],
  ['streams one event of 10 MB', streams([event(`{"x":"${'x'.repeat(10_000_000)}"}`)]), 'unknown'],
  ['floods with JSON', floods(), 'unknown'],
];

test.each(beforeAnything)(
  'a provider that %s before its first piece: the next one is asked',
  async (_, turn, state) => {
    const world = await shared.anew([{ chat: [turn] }, {}]);
    const { data, response } = await world.client.chat.completions.create({ messages, model: 'auto' }).withResponse();
    expect(data.choices[0]?.message.content).toBe('A lighthouse at dusk.');
    expect(await world.calls(response.headers.get('x-job-id') ?? '')).toEqual([`one ${state}`, 'two settled 2050']);
  },
);

const inTheMiddle: readonly (readonly [string, Turn])[] = [
  ['resets the connection', streams([chunkOf({ content: 'A light' })], resets)],
  ['ends without a reason', streams([chunkOf({ content: 'A light' })])],
  ['says that it is done without a reason', streams([chunkOf({ content: 'A light' }), done])],
  ['tells of an error', streams([chunkOf({ content: 'A light' }), event('{"error":{"message":"overloaded"}}')])],
  ['sends what is no JSON', streams([chunkOf({ content: 'A light' }), event('{"choices":[{"del')])],
  ['sends one event of 10 MB', streams([chunkOf({ content: 'A light' }), event('x'.repeat(10_000_000))])],
];

test.each(inTheMiddle)(
  'a provider that %s in the middle: the stream ends with an error, no other provider is called, what it can have cost is held',
  async (_, turn) => {
    const world = await shared.anew([{ chat: [turn] }, {}]);
    const stream = await world.client.chat.completions.create({ messages, model: 'auto', stream: true });
    const got: string[] = [];
    const read = async () => {
      for await (const { choices } of stream) got.push(choices[0]?.delta.content ?? '');
    };
    await expect(read()).rejects.toMatchObject({ code: 'provider_failed', type: 'api_error' });
    expect(got.join('')).toBe('A light');
    expect(world.vendors[1]?.received('chat')).toEqual([]);
    const [job] = await world.jobs();
    expect(job?.state).toBe('failed');
    expect(await world.calls(job?.id ?? '')).toEqual(['one unknown']);
    const { reserved, spent } = await world.money();
    expect(spent).toBe(0);
    // 31 characters at 3 a token and one dollar a million, 7 at two; and no more than it was quoted at
    expect(reserved).toBeGreaterThanOrEqual(17);
    expect(reserved).toBeLessThan(2 * 4_096);
  },
);

test.each(inTheMiddle)(
  'a provider that %s in the middle of an answer that is wanted in one: the next one is asked',
  async (_, turn) => {
    const world = await shared.anew([{ chat: [turn] }, {}]);
    const { data, response } = await world.client.chat.completions.create({ messages, model: 'auto' }).withResponse();
    expect(data.choices[0]?.message.content).toBe('A lighthouse at dusk.');
    expect(response.headers.get('x-provider')).toBe('two');
    expect(await world.calls(response.headers.get('x-job-id') ?? '')).toEqual(['one unknown', 'two settled 2050']);
    expect((await world.money()).spent).toBe(2_050);
  },
);

test('a response that is wanted in one goes on at the next provider too', async () => {
  const world = await shared.anew([{ chat: [streams([chunkOf({ content: 'A light' })], resets)] }, {}]);
  const response = await world.client.responses.create({ model: 'auto', input: 'What is there?' });
  expect(response.output_text).toBe('A lighthouse at dusk.');
});

test('a provider that says after which statuses it bills nothing has its hold back at once', async () => {
  await using world = await textWorld([{ chat: [broken, away] }, {}], { entries: [{ unbilledStatuses: [500] }] });
  const asked = async () => {
    const { response } = await world.client.chat.completions.create({ messages, model: 'auto' }).withResponse();
    return await world.calls(response.headers.get('x-job-id') ?? '');
  };
  expect(await asked()).toEqual(['one released', 'two settled 2050']);
  // what it does not name is not known
  expect(await asked()).toEqual(['one unknown', 'two settled 2050']);
});

test('an end without [DONE] is one where its reason has come', async () => {
  const [last, ...rest] = chunksOf(['A light']).toReversed();
  expect(last).toBe(done);
  const world = await shared.anew([{ chat: [streams(rest.toReversed())] }]);
  const data = await world.client.chat.completions.create({ messages, model: 'auto' });
  expect(data.choices[0]).toMatchObject({ message: { content: 'A light' }, finish_reason: 'stop' });
});

test('a service that answers in one although a stream was requested is read', async () => {
  const choices = [{ index: 0, message: { role: 'assistant', content: 'A light' }, finish_reason: 'length' }];
  const world = await shared.anew([{ chat: [answersJson(200, { id: 'c', choices })] }]);
  const stream = world.client.chat.completions.stream({ messages, model: 'auto' });
  expect((await stream.finalChatCompletion()).choices[0]).toMatchObject({
    message: { content: 'A light' },
    finish_reason: 'length',
  });
});

test('a request that is refused goes to no other provider', async () => {
  const world = await shared.anew([{ chat: [refuses] }, {}]);
  const asked = world.client.chat.completions.create({ messages, model: 'auto' });
  await expect(asked).rejects.toMatchObject({ status: 422, code: 'provider_refused' });
  expect(world.vendors[1]?.received('chat')).toEqual([]);
  expect(await world.money()).toEqual({ reserved: 0, spent: 0 });
});

test('a client that leaves in the middle: the provider’s connection ends, what came is paid, the job is cancelled', async () => {
  const left = Promise.withResolvers<void>();
  const holds = streams([chunkOf({ content: 'A light' })], (response) => response.once('close', () => left.resolve()));
  const world = await shared.anew([{ chat: [holds] }]);
  const stream = await world.client.chat.completions.create({ messages, model: 'auto', stream: true });
  for await (const { choices } of stream) if (choices[0]?.delta.content) break;
  await left.promise;
  await expect.poll(world.jobs, { timeout: 20_000 }).toMatchObject([{ state: 'cancelled' }]);
  expect(await world.money()).toEqual({ reserved: 0, spent: 17 });
});

test('a job that is cancelled from outside ends its stream', async () => {
  const world = await shared.anew([{ chat: [streams([chunkOf({ content: 'A light' })], stalls)] }]);
  const stream = await world.client.chat.completions.create({ messages, model: 'auto', stream: true });
  const read = async () => {
    for await (const { choices } of stream) {
      if (!choices[0]?.delta.content) continue;
      const [job] = await world.jobs();
      await world.api.app.inject({
        method: 'DELETE',
        url: `/v1/jobs/${job?.id}`,
        headers: { 'x-api-key': world.secret },
      });
    }
  };
  await expect(read()).rejects.toMatchObject({ code: 'cancelled' });
  expect(await world.jobs()).toMatchObject([{ state: 'cancelled' }]);
  expect(await world.money()).toEqual({ reserved: 0, spent: 17 });
});
