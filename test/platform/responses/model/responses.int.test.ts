import type OpenAI from 'openai';
import { sql } from 'slonik';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { revokeKey } from '#src/access/keys/keys.ts';
import { jobOfResponse } from '#src/platform/responses/model/ids.ts';
import { openSpeech, speaks } from '#test/platform/responses/speech.ts';
import { responsesWorld } from '#test/platform/responses/world.ts';

let world: Awaited<ReturnType<typeof responsesWorld>>;
let client: OpenAI;
beforeAll(async () => {
  world = await responsesWorld({}, { fleet: false });
  client = await world.client();
}, 120_000);
afterAll(async () => await world[Symbol.asyncDispose]());

/** The `job` of a response, which clients of OpenAI's kind do not know. */
const workOf = (response: object) => (response as { job?: unknown }).job;
const linkOf = (id: string, state: string) => {
  const job = jobOfResponse(id) ?? '';
  return { id: job, kind: 'job', state, status: state, url: `/v1/jobs/${job}` };
};

test('an answer is whole, stored, read again, and gone once it is deleted', async () => {
  world.upstream.follow({ chat: [speaks('Good ', 'evening')] });
  const made = await client.responses.create({ model: 'auto', input: 'Greet me', metadata: { a: 'b' } });
  expect(made).toMatchObject({
    object: 'response',
    status: 'completed',
    model: 'atlas-2',
    output_text: 'Good evening',
    metadata: { a: 'b' },
    usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
  });
  expect(workOf(made)).toEqual(linkOf(made.id, 'succeeded'));
  const read = await client.responses.retrieve(made.id);
  expect(read).toMatchObject({ id: made.id, output_text: 'Good evening' });
  expect(workOf(read)).toEqual(workOf(made));
  const { data, has_more: more } = await client.responses.inputItems.list(made.id);
  expect(data).toMatchObject([{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Greet me' }] }]);
  expect(more).toBe(false);
  await client.responses.delete(made.id);
  await expect(client.responses.retrieve(made.id)).rejects.toMatchObject({ status: 404, code: 'not_found' });
});

test('events come as the pieces do, and the helper of the client makes the same answer of them', async () => {
  const speech = openSpeech();
  world.upstream.follow({ chat: [speech.turn] });
  void speech.begun.then(() => speech.say('Good '));
  const stream = await client.responses.create({ input: 'Greet me', stream: true });
  const seen: OpenAI.Responses.ResponseStreamEvent[] = [];
  // each piece is said only once the one before has come
  const next = { 'response.output_text.delta': [() => speech.say('evening'), () => speech.finish()] };
  for await (const event of stream) {
    seen.push(event);
    if (event.type === 'response.output_text.delta') next[event.type].shift()?.();
  }
  expect(seen.map(({ sequence_number: n }) => n)).toEqual(seen.map((_event, index) => index));
  expect(seen.at(0)?.type).toBe('response.created');
  expect(seen.at(-1)).toMatchObject({ type: 'response.completed', response: { status: 'completed' } });
  const works = seen.flatMap((event) => ('response' in event ? [[event.response.id, workOf(event.response)]] : []));
  const [id] = works[0] as [string];
  expect(works.map(([, work]) => work)).toEqual(['running', 'running', 'succeeded'].map((state) => linkOf(id, state)));

  world.upstream.follow({ chat: [speaks('Good ', 'evening')] });
  const helped = client.responses.stream({ input: 'Greet me' });
  const pieces: string[] = [];
  helped.on('response.output_text.delta', ({ delta, snapshot }) => pieces.push(delta, snapshot));
  expect(await helped.finalResponse()).toMatchObject({ output_text: 'Good evening', status: 'completed' });
  expect(pieces).toEqual(['Good ', 'Good ', 'evening', 'Good evening']);
});

test('a conversation goes on from a stored response, and not from a deleted one', async () => {
  world.upstream.follow({ chat: [speaks('Blue'), speaks('Because'), speaks('Indeed')] });
  const first = await client.responses.create({ instructions: 'Be brief.', input: 'Which colour has the sky?' });
  const second = await client.responses.create({ input: 'Why?', previous_response_id: first.id });
  const third = await client.responses.create({
    input: [
      { type: 'item_reference', id: first.output[0]?.id ?? '' },
      { role: 'user', content: 'Sure?' },
    ],
    previous_response_id: second.id,
    instructions: 'Be kind.',
  });
  expect(third).toMatchObject({ previous_response_id: second.id, output_text: 'Indeed' });
  const spoken = world.upstream.received('chat').map(({ body }) => body.messages);
  expect(spoken.at(-2)).toEqual([
    { role: 'user', content: 'Which colour has the sky?' },
    { role: 'assistant', content: 'Blue' },
    { role: 'user', content: 'Why?' },
  ]);
  expect(spoken.at(-1)).toEqual([
    { role: 'system', content: 'Be kind.' },
    ...(spoken.at(-2) as object[]),
    { role: 'assistant', content: 'Because' },
    { role: 'assistant', content: 'Blue' },
    { role: 'user', content: 'Sure?' },
  ]);
  await client.responses.delete(first.id);
  const lost = client.responses.create({ input: 'And now?', previous_response_id: third.id });
  await expect(lost).rejects.toMatchObject({ status: 404, param: 'previous_response_id' });
  await expect(lost).rejects.toThrow(first.id);
});

test('tools are called, and their output goes back into the conversation', async () => {
  const speech = openSpeech();
  speech.tell({
    tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'weather', arguments: '' } }],
  });
  speech.tell({ tool_calls: [{ index: 0, function: { arguments: '{"city":"Rome"}' } }] });
  void speech.begun.then(() => speech.finish('tool_calls'));
  world.upstream.follow({ chat: [speech.turn, speaks('Rain')] });
  const tools = [
    {
      type: 'function' as const,
      name: 'weather',
      strict: true,
      parameters: { type: 'object', properties: { city: { type: 'string' } } },
    },
  ];
  const asked = await client.responses.create({ input: 'How is the weather in Rome?', tools, tool_choice: 'required' });
  expect(asked.output).toMatchObject([
    { type: 'function_call', name: 'weather', call_id: 'call_1', arguments: '{"city":"Rome"}' },
  ]);
  expect(asked.tools).toMatchObject(tools);
  expect(world.upstream.received('chat').at(-1)?.body).toMatchObject({
    tools: [{ type: 'function', function: { name: 'weather', strict: true } }],
    tool_choice: 'required',
  });
  const answered = await client.responses.create({
    previous_response_id: asked.id,
    input: [{ type: 'function_call_output', call_id: 'call_1', output: 'heavy rain' }],
    tools,
  });
  expect(answered.output_text).toBe('Rain');
  expect(world.upstream.received('chat').at(-1)?.body.messages).toMatchObject([
    { role: 'user' },
    { role: 'assistant', tool_calls: [{ id: 'call_1', function: { name: 'weather', arguments: '{"city":"Rome"}' } }] },
    { role: 'tool', tool_call_id: 'call_1', content: 'heavy rain' },
  ]);
});

test('an answer of a schema is parsed', async () => {
  world.upstream.follow({ chat: [speaks('{"city":', '"Rome"}')] });
  const schema = {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  };
  const format = { type: 'json_schema' as const, name: 'place', schema, strict: true };
  const parsed = await client.responses.parse({ input: 'Which city?', text: { format } });
  expect(parsed.output_parsed).toEqual({ city: 'Rome' });
  expect(parsed.text).toMatchObject({ format: { type: 'json_schema', name: 'place' } });
  expect(world.upstream.received('chat').at(-1)?.body.response_format).toMatchObject({
    type: 'json_schema',
    json_schema: { name: 'place', schema, strict: true },
  });
});

test('a request that is repeated under its key is the same response, and once deleted it leaves no word', async () => {
  world.upstream.follow({ chat: [speaks('Lighthouses')] });
  const options = { headers: { 'idempotency-key': 'once' } };
  const first = await client.responses.create({ input: 'What shines?' }, options);
  const asked = world.upstream.received('chat').length;
  expect((await client.responses.create({ input: 'What shines?' }, options)).id).toBe(first.id);
  expect(world.upstream.received('chat')).toHaveLength(asked);
  await client.responses.delete(first.id);
  const again = client.responses.create({ input: 'What shines?' }, options);
  await expect(again).rejects.toMatchObject({ status: 409, code: 'state_conflict' });
  const left = sql.unsafe`select j.payload, j.result, e.outcome from jobs j join effects e on e.job = j.id
    where j.id = ${jobOfResponse(first.id)}`;
  expect(JSON.stringify(await world.context.db.any(left))).not.toMatch(/shine|Lighthouse/);
});

test('a response that is not to be stored is not stored', async () => {
  world.upstream.follow({ chat: [speaks('Good evening')] });
  const made = await client.responses.create({ input: 'Greet me', store: false });
  expect(made).toMatchObject({ store: false, output_text: 'Good evening' });
  await expect(client.responses.retrieve(made.id)).rejects.toMatchObject({ status: 404 });
});

test('a response is its owner’s alone', async () => {
  world.upstream.follow({ chat: [speaks('Good evening')] });
  const made = await client.responses.create({ input: 'Greet me' });
  const other = await world.client('eve');
  await expect(other.responses.retrieve(made.id)).rejects.toMatchObject({ status: 404 });
  await expect(other.responses.delete(made.id)).rejects.toMatchObject({ status: 404 });
  await expect(other.responses.create({ input: 'x', previous_response_id: made.id })).rejects.toMatchObject({
    status: 404,
  });
  const stolen = other.responses.create({ input: [{ type: 'item_reference', id: made.output[0]?.id ?? '' }] });
  await expect(stolen).rejects.toMatchObject({ status: 400, param: 'input[0].id' });
});

test.each([
  [{ input: [] }, 'input'],
  [{ input: 'x', tools: [{ type: 'web_search' }] }, 'tools[0].type'],
  [{ input: 'x', background: true, store: false }, 'store'],
  [{ input: 'x', conversation: 'conv_1' }, 'conversation'],
  [{ input: 'x', truncation: 'middle' }, 'truncation'],
  [{ input: 'x', text: { verbosity: 'loud' } }, 'text.verbosity'],
  [{ input: 'x', reasoning: { mode: 'pro' } }, 'reasoning.mode'],
  [{ input: 'a\u0000b' }, 'input'],
  [{ input: [{ type: 'function_call_output', call_id: 'none', output: '' }] }, 'input[0].call_id'],
])('error: a body of %j is refused with the field that is wrong', async (body, param) => {
  const refused = client.responses.create(body as never);
  await expect(refused).rejects.toMatchObject({
    status: 400,
    code: 'invalid_request',
    type: 'invalid_request_error',
    param,
  });
});

test('error: a turn that breaks off in the middle has failed, with what had come', async () => {
  const speech = openSpeech();
  world.upstream.follow({ chat: [speech.turn] });
  const stream = client.responses.stream({ input: 'Greet me' });
  stream.on('response.output_text.delta', () => speech.cut());
  void speech.begun.then(() => speech.say('Good '));
  const response = await stream.finalResponse();
  expect(response).toMatchObject({ status: 'failed', error: { code: 'provider_failed' }, output_text: 'Good ' });
  expect(await client.responses.retrieve(response.id)).toMatchObject({ status: 'failed', output_text: 'Good ' });
});

test('a client that leaves ends the call of the provider, and the part that had come is stored as cancelled', async () => {
  const speech = openSpeech();
  world.upstream.follow({ chat: [speech.turn] });
  void speech.begun.then(() => speech.say('Good '));
  const stream = await client.responses.create({ input: 'Greet me', stream: true });
  let id = '';
  for await (const event of stream) {
    if (event.type === 'response.created') id = event.response.id;
    if (event.type === 'response.output_text.delta') break;
  }
  await speech.left;
  await expect.poll(async () => (await client.responses.retrieve(id)).status, { timeout: 30_000 }).toBe('cancelled');
  expect((await client.responses.retrieve(id)).output_text).toBe('Good ');
});

test('a stream ends when its key is revoked', async () => {
  const speech = openSpeech();
  world.upstream.follow({ chat: [speech.turn] });
  const guest = await world.client();
  void speech.begun.then(() => speech.say('Good '));
  const stream = await guest.responses.create({ input: 'Greet me', stream: true });
  const seen: OpenAI.Responses.ResponseStreamEvent[] = [];
  for await (const event of stream) {
    seen.push(event);
    if (event.type === 'response.output_text.delta') await revokeKey(world.context, guest.key.id, null);
  }
  expect(seen.at(-1)).toMatchObject({ type: 'response.failed', response: { error: { code: 'unauthorized' } } });
  await speech.left;
});

test('a stream ends when the process stops', async () => {
  await using other = await responsesWorld({}, { fleet: false });
  const speech = openSpeech();
  other.upstream.follow({ chat: [speech.turn] });
  speech.say('Good ');
  const stream = await (await other.client()).responses.create({ input: 'Greet me', stream: true });
  const seen: OpenAI.Responses.ResponseStreamEvent[] = [];
  const stops: Promise<void>[] = [];
  for await (const event of stream) {
    seen.push(event);
    if (event.type === 'response.output_text.delta') stops.push(other.hub.shutdown());
  }
  expect(seen.at(-1)).toMatchObject({ type: 'response.failed', response: { error: { code: 'unavailable' } } });
  await speech.left;
  await Promise.all(stops);
});
