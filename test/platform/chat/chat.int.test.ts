import { afterAll, beforeAll, expect, test } from 'vitest';
import { respond } from '#queues/platform.ts';
import { pauseQueue, resumeQueue } from '#src/jobs/broker/queue-pauses.ts';
import { chunkOf, chunksOf, done, streams, usageChunk } from '#test/helpers/vendors/chat-stream.ts';
import { away, busy } from '#test/helpers/vendors/vendor-server.ts';
import { type TextWorld, textWorld } from '#test/platform/text-world.ts';

let shared: TextWorld;
beforeAll(async () => {
  shared = await textWorld([{}, {}]);
});
afterAll(async () => await shared[Symbol.asyncDispose]());

const messages = [{ role: 'user' as const, content: 'What is at the end of the pier?' }];

test('the official client gets a whole answer, whose job, call and money stand in the books', async () => {
  const world = await shared.anew([]);
  const { data, response } = await world.client.chat.completions.create({ messages, model: 'auto' }).withResponse();
  expect(data).toMatchObject({
    object: 'chat.completion',
    model: 'model-1',
    choices: [{ message: { role: 'assistant', content: 'A lighthouse at dusk.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 50, completion_tokens: 1_000, total_tokens: 1_050 },
    run: { provider: 'one', model: 'model-1', cost_usd: 0.00205 },
    audit_receipt: null,
  });
  const [job] = await world.jobs();
  expect(job).toMatchObject({ state: 'succeeded', id: response.headers.get('x-job-id') });
  expect(response.headers.get('x-provider')).toBe('one');
  expect(await world.calls(job?.id ?? '')).toEqual(['one settled 2050']);
  expect(await world.money()).toEqual({ reserved: 0, spent: 2_050 });
  const metrics = await world.api.context.metrics.registry.metrics();
  expect(metrics).toContain('proofline_text_first_piece_seconds_count{provider="one"} 1');
  expect(metrics).toContain('proofline_text_tokens_total{provider="one",direction="in"} 50');
  expect(metrics).toContain('proofline_text_tokens_total{provider="one",direction="out"} 1000');
  expect(metrics).toMatch(/cost_dollars_total\{provider="one",capability="text.generate",surface="platform"\} 0.00205/);
  expect(world.vendors[0]?.received('chat')[0]?.body).toMatchObject({
    model: 'model-1',
    stream: true,
    stream_options: { include_usage: true },
    max_completion_tokens: 4_096,
    messages,
  });
});

test('a stream has the chunks of OpenAI, the usage where it is wanted, and its end', async () => {
  const world = await shared.anew([]);
  const body = JSON.stringify({ messages, stream: true, stream_options: { include_usage: true } });
  const response = await fetch(`${world.url}/api/v2/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.secret}`, 'content-type': 'application/json' },
    body,
  });
  expect(response.headers.get('content-type')).toMatch('text/event-stream');
  const events = (await response.text()).trim().split('\n\n');
  expect(events.pop()).toBe('data: [DONE]');
  const chunks = events.map((event) => JSON.parse(event.replace(/^data: /, '')));
  expect(new Set(chunks.map(({ id, object }) => `${id} ${object}`)).size).toBe(1);
  expect(chunks.map(({ choices }) => choices[0]?.delta ?? null)).toEqual([
    { role: 'assistant', content: '', refusal: null },
    { content: 'A ' },
    { content: 'lighthouse ' },
    { content: 'at ' },
    { content: 'dusk.' },
    {},
    null,
  ]);
  expect(chunks.map(({ usage }) => usage?.total_tokens ?? null)).toEqual([null, null, null, null, null, null, 1_050]);
  expect(chunks.at(-1)).toMatchObject({
    run: { cost_usd: 0.00205 },
    job: { kind: 'job', state: 'succeeded', status: 'succeeded', url: expect.stringMatching(/^\/v1\/jobs\//) },
  });
});

test('the client’s own streams, tools and structured output work', async () => {
  const call = { index: 0, id: 'call-1', type: 'function', function: { name: 'height', arguments: '' } };
  const asks = streams([
    chunkOf({ role: 'assistant', tool_calls: [call] }),
    chunkOf({ tool_calls: [{ index: 0, function: { arguments: '{"of":' } }] }),
    chunkOf({ tool_calls: [{ index: 0, function: { arguments: '"pier"}' } }] }),
    chunkOf({}, 'tool_calls'),
    usageChunk(10, 5),
    done,
  ]);
  const says = streams(chunksOf(['{"metres":', '30}']));
  const world = await shared.anew([{ chat: [asks, 'usual', says] }]);
  const runner = world.client.chat.completions.runTools({
    model: 'model-1',
    messages,
    tools: [
      {
        type: 'function',
        function: {
          name: 'height',
          description: 'The height of something',
          parameters: { type: 'object', properties: { of: { type: 'string' } } },
          function: (given: string) => `${given} is 30 m high`,
        },
      },
    ],
  });
  expect(await runner.finalContent()).toBe('A lighthouse at dusk.');
  expect(world.vendors[0]?.received('chat')[1]?.body.messages.slice(1)).toMatchObject([
    { role: 'assistant', tool_calls: [{ id: 'call-1', function: { name: 'height', arguments: '{"of":"pier"}' } }] },
    { role: 'tool', tool_call_id: 'call-1', content: '{"of":"pier"} is 30 m high' },
  ]);
  const schema = { type: 'object', properties: { metres: { type: 'number' } }, required: ['metres'] };
  const parsed = await world.client.chat.completions.parse({
    model: 'one/model-1',
    messages,
    response_format: { type: 'json_schema', json_schema: { name: 'height', schema, strict: true } },
  });
  expect(parsed.choices[0]?.message.parsed).toEqual({ metres: 30 });
  const stream = world.client.chat.completions.stream({ model: 'auto', messages });
  expect((await stream.finalChatCompletion()).choices[0]?.message.content).toBe('A lighthouse at dusk.');
});

test('another provider is called after the first fails, and none twice', async () => {
  const world = await shared.anew([{ chat: [busy] }, {}]);
  const { data, response } = await world.client.chat.completions.create({ messages, model: 'auto' }).withResponse();
  expect(response.headers.get('x-provider')).toBe('two');
  expect(data).toMatchObject({ model: 'model-2' });
  const [job] = await world.jobs();
  expect(await world.calls(job?.id ?? '')).toEqual(['one released', 'two settled 2050']);
  expect(await world.money()).toEqual({ reserved: 0, spent: 2_050 });
});

test('where no provider can, every provider’s reason is reported', async () => {
  const world = await shared.anew([{ chat: [away] }, { chat: [busy] }]);
  const failure = await world.client.chat.completions
    .create({ messages, model: 'auto' })
    .then(() => null)
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ status: 503, code: 'providers_exhausted', type: 'api_error' });
  const response = await world.api.app.inject({
    method: 'POST',
    url: '/api/v2/chat/completions',
    headers: { 'x-api-key': world.secret },
    payload: { messages, routing: { exclude: ['one', 'two'] } },
  });
  expect(response.json()).toMatchObject({
    status: 503,
    title: 'Provider Unavailable',
    details: { providers: [{ provider: 'one' }, { provider: 'two' }] },
  });
  expect(response.headers).toMatchObject({ 'retry-after': '1', 'x-should-retry': 'true' });
});

test('while its queue is paused a turn is refused: it would run here and now instead of waiting', async () => {
  const world = await shared.anew([]);
  const ask = async () =>
    await world.api.app.inject({
      method: 'POST',
      url: '/api/v2/chat/completions',
      headers: { 'x-api-key': world.secret },
      payload: { messages },
    });
  await pauseQueue(world.api.context, respond.name, { by: 'op', reason: null });
  const refused = await ask();
  expect([refused.statusCode, refused.json<{ detail: string }>().detail]).toEqual([
    503,
    expect.stringMatching(/^The queue platform\.respond is paused by an operator/),
  ]);
  expect(await world.jobs()).toEqual([]);
  await resumeQueue(world.api.context, respond.name, { by: 'op' });
  expect((await ask()).statusCode).toBe(200);
});
