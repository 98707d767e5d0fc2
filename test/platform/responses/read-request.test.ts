import { expect, test } from 'vitest';
import { idOfItem, jobOfResponse, placeOfItem, responseId } from '#src/platform/responses/model/ids.ts';
import type { Item } from '#src/platform/responses/model/items.ts';
import { type Input, readItems, referredItems } from '#src/platform/responses/model/read-items.ts';
import { checkRequest, settingsOf, textWork } from '#src/platform/responses/model/read-request.ts';
import { toMessages } from '#src/platform/responses/model/to-messages.ts';

const nothing = () => undefined;
const read = (input: Input) => readItems(input, nothing).items;
const job = '019aa000-0000-7000-8000-000000000001';

test('a text is one message of the user, after the instructions', () => {
  expect(toMessages('Be brief.', [], read('Good evening'))).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Good evening' },
  ]);
});

test('a conversation with a picture, calls and their outputs is one of chat', () => {
  const input = [
    {
      role: 'user',
      content: [
        { type: 'input_text', text: 'Where is this?' },
        { type: 'input_image', image_url: 'https://x.example/a.png' },
      ],
    },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Let me see.', annotations: [] }] },
    { type: 'function_call', call_id: 'a', name: 'look', arguments: '{}' },
    { type: 'function_call', call_id: 'b', name: 'ask', arguments: '{"who":"you"}' },
    { type: 'reasoning', summary: [] },
    { type: 'function_call_output', call_id: 'b', output: 'nobody' },
    { type: 'function_call_output', call_id: 'a', output: [{ type: 'input_text', text: 'a tower' }] },
  ];
  const { items, warnings } = readItems(input, nothing);
  expect(warnings).toEqual(['input[4] was ignored: what a model thought is not handed to another.']);
  expect(toMessages(null, [], items)).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Where is this?' },
        { type: 'image', url: 'https://x.example/a.png', detail: 'auto' },
      ],
    },
    {
      role: 'assistant',
      content: 'Let me see.',
      toolCalls: [
        { id: 'a', name: 'look', arguments: '{}' },
        { id: 'b', name: 'ask', arguments: '{"who":"you"}' },
      ],
    },
    { role: 'tool', toolCallId: 'b', content: 'nobody' },
    { role: 'tool', toolCallId: 'a', content: 'a tower' },
  ]);
});

test('an output may answer a call of an earlier response', () => {
  const earlier = read([{ type: 'function_call', call_id: 'a', name: 'look', arguments: '{}' }]);
  const input = read([{ type: 'function_call_output', call_id: 'a', output: 'a tower' }]);
  expect(toMessages(null, earlier, input).map(({ role }) => role)).toEqual(['assistant', 'tool']);
});

test('a reference stands for the item that has the name', () => {
  const item: Item = {
    type: 'message',
    id: 'msg_1',
    role: 'user',
    status: 'completed',
    content: [{ type: 'input_text', text: 'Hm' }],
  };
  const input = [{ type: 'item_reference', id: 'msg_1' }];
  expect(referredItems(input)).toEqual(['msg_1']);
  expect(readItems(input, (id) => (id === 'msg_1' ? item : undefined)).items).toEqual([item]);
  expect(() => read(input)).toThrow('input[0].id: expected the id of an item of a response of yours that is stored');
});

test.each([
  [[{ type: 'web_search_call' }], 'input[0].type: expected one of message, function_call'],
  [[{ type: 'toString' }], 'input[0].type: expected one of message'],
  [[{ role: 'tool', content: 'x' }], 'input[0].role: expected one of user, assistant, system, developer, got "tool".'],
  [[{ role: 'user' }], 'input[0].content: expected text or a list of parts, got nothing.'],
  [[{ role: 'user', content: [null] }], 'input[0].content[0]: expected an object, got null.'],
  [
    [{ role: 'user', content: [{ type: 'input_file' }] }],
    'input[0].content[0].type: expected one of input_text, input_image',
  ],
  [
    [{ role: 'system', content: [{ type: 'input_image' }] }],
    'expected one of input_text, output_text, refusal for the role system',
  ],
  [
    [{ role: 'user', content: [{ type: 'input_image', image_url: 'http://x' }] }],
    'input[0].content[0].image_url: expected an address',
  ],
  [[{ type: 'function_call', name: 'x', arguments: '{}' }], 'input[0].call_id: expected text, got nothing.'],
])('error: an input of %j is refused with its place', (input, message) => {
  expect(() => read(input)).toThrow(message);
});

test('error: an output that answers no call is refused', () => {
  const input = read([{ type: 'function_call_output', call_id: 'a', output: 'x' }]);
  expect(() => toMessages(null, [], input)).toThrow('input[0].call_id: expected the call_id of a function_call');
});

const tool = { type: 'function', name: 'look', parameters: { type: 'object' }, strict: true };

test('the settings of a request go on to the provider, and are shown again', () => {
  const body = {
    model: 'atlas/atlas-2',
    input: 'x',
    tools: [tool],
    tool_choice: { type: 'function' as const, name: 'look' },
    max_output_tokens: 50,
    temperature: 0,
    reasoning: { effort: 'low' },
    user: 'u',
    text: { format: { type: 'json_schema' as const, name: 'answer', schema: { type: 'object' }, strict: true } },
    routing: { policy: 'cost_guarded' as const, max_cost_usd: 0.25, fallback: false },
  };
  expect(textWork(body, [])).toEqual({
    model: 'atlas/atlas-2',
    routing: { policy: 'cost_guarded', maxCost: 250_000, fallback: false },
    request: {
      messages: [],
      tools: [{ name: 'look', parameters: { type: 'object' }, strict: true }],
      toolChoice: { name: 'look' },
      maxTokens: 50,
      temperature: 0,
      reasoningEffort: 'low',
      user: 'u',
      format: { type: 'json_schema', name: 'answer', schema: { type: 'object' }, strict: true },
    },
  });
  expect(settingsOf(body)).toMatchObject({
    temperature: 0,
    top_p: 1,
    tools: [{ ...tool, description: null }],
    text: { format: { name: 'answer', description: null } },
    reasoning: { effort: 'low', summary: null },
  });
});

test.each([null, 'auto', '', undefined])('a model of %j is left to the policy', (model) => {
  expect(textWork({ input: 'x', ...(model !== undefined && { model }) }, []).model).toBeNull();
});

test.each([
  [{ background: true, store: false }, 'store: expected true with background'],
  [
    { tools: [{ type: 'web_search' }] },
    'tools[0].type: expected function (tools that run on our side are not offered here), got "web_search".',
  ],
  [{ tools: [{ type: 'function' }] }, 'tools[0].name: expected a name, got nothing.'],
  [
    { tools: [tool], tool_choice: { type: 'function' as const, name: 'hear' } },
    'tool_choice.name: expected the name of one of the tools, got "hear".',
  ],
])('error: a body with %j is refused', (part, message) => {
  expect(() => checkRequest({ input: 'x', ...part })).toThrow(message);
});

test('names of responses and items lead back to their job and place', () => {
  expect(responseId(job)).toBe('resp_019aa000000070008000000000000001');
  expect(jobOfResponse(responseId(job))).toBe(job);
  expect(jobOfResponse('resp_1')).toBeNull();
  expect(placeOfItem(idOfItem(job, 'function_call', 'input', 12))).toEqual({ job, side: 'input', index: 12 });
  expect(placeOfItem(idOfItem(job, 'message', 'output', 0))).toEqual({ job, side: 'output', index: 0 });
  expect(placeOfItem('msg_68a')).toBeNull();
});
