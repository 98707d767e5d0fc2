import { expect, test } from 'vitest';
import { askText, type TextEndpoint } from '#src/providers/text/ask-text.ts';
import type { TextMessage } from '#src/providers/text/text.ts';
import { answers, breaks, calls, chatServer, hangs, says, type Turn } from '#test/providers/chat-server.ts';

const KEY = 'sk-upstream-0123456789';
const never = new AbortController().signal;
const request = {
  messages: [{ role: 'user', content: 'Where is the flip?' }] as TextMessage[],
  tools: [{ name: 'levels', description: 'Levels', parameters: { type: 'object' } }],
  toolChoice: 'auto' as const,
  maxTokens: 100,
};
const soon = 60_000;

test('a conversation is sent as the protocol has it, and calls and texts come back', async () => {
  await using server = await chatServer();
  const endpoint: TextEndpoint = { url: `${server.url}/`, model: 'm', key: KEY };
  server.script(calls(['levels', { symbol: 'SPX' }]), says('At 6000.'));
  const first = await askText(endpoint, request, soon, never);
  expect(first).toEqual({
    ok: true,
    content: null,
    toolCalls: [{ id: 'call-0', name: 'levels', arguments: '{"symbol":"SPX"}' }],
  });
  if (!first.ok) throw new Error('expected calls');
  const messages = [
    ...request.messages,
    { role: 'assistant', content: null, toolCalls: first.toolCalls } as const,
    { role: 'tool', toolCallId: 'call-0', content: '{"flip":6000}' } as const,
  ];
  expect(
    await askText({ ...endpoint, key: undefined }, { ...request, messages, toolChoice: 'none' }, soon, never),
  ).toEqual({ ok: true, content: 'At 6000.', toolCalls: [] });
  const [one, two] = server.received();
  expect(one).toMatchObject({
    path: '/v1/chat/completions',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: {
      model: 'm',
      max_completion_tokens: 100,
      tool_choice: 'auto',
      tools: [{ type: 'function', function: { name: 'levels', parameters: { type: 'object' } } }],
    },
  });
  expect(two?.headers).not.toHaveProperty('authorization');
  expect(two?.body).toMatchObject({
    tool_choice: 'none',
    messages: [
      request.messages[0],
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call-0', type: 'function', function: { name: 'levels', arguments: '{"symbol":"SPX"}' } }],
      },
      { role: 'tool', tool_call_id: 'call-0', content: '{"flip":6000}' },
    ],
  });
});

const message = (content: unknown) => JSON.stringify({ choices: [{ message: { content } }] });

test.each<[string, Turn, string]>([
  ['too many requests', answers(429, '', { 'retry-after': '1' }), 'busy'],
  ['a key that is not known', answers(401, `Incorrect API key provided: ${KEY}`), 'refused'],
  ['a server that fails', answers(503, 'no'), 'failed'],
  ['an answer that is no JSON', answers(200, '<html>'), 'unreadable'],
  ['an answer without a choice', answers(200, '{"choices":[]}'), 'unreadable'],
  ['a content of another kind', answers(200, message(42)), 'unreadable'],
  ['an answer above 1 MiB', answers(200, message('a'.repeat(1_100_000))), 'unreadable'],
  ['an answer cut off', says('The flip is at 60', 'length'), 'unreadable'],
  ['a connection that breaks', breaks, 'unreachable'],
])('error: %s is reported without what the server said', async (_, turn, reason) => {
  await using server = await chatServer();
  server.script(turn);
  const outcome = await askText({ url: server.url, model: 'm', key: KEY }, request, soon, never);
  expect(outcome).toEqual({ ok: false, reason });
});

test('error: a redirect is not followed, as it would carry the key elsewhere', async () => {
  await using server = await chatServer();
  await using other = await chatServer();
  other.script(says('Here.'));
  server.script(answers(307, '', { location: `${other.url}/chat/completions` }));
  const outcome = await askText({ url: server.url, model: 'm', key: KEY }, request, soon, never);
  expect(outcome).toEqual({ ok: false, reason: 'refused' });
  expect(other.received()).toEqual([]);
});

test('error: a server that never answers is slow; a caller who leaves gets the reason why', async () => {
  await using server = await chatServer();
  server.script(hangs);
  const endpoint = { url: server.url, model: 'm' };
  expect(await askText(endpoint, request, 50, never)).toMatchObject({ reason: 'slow' });
  const gone = new AbortController();
  server.script(() => gone.abort(new Error('gone')));
  await expect(askText(endpoint, request, soon, gone.signal)).rejects.toThrow('gone');
});

test('error: an address without a listener is unreachable', async () => {
  const { url } = await (async () => {
    await using server = await chatServer();
    return server;
  })();
  expect(await askText({ url, model: 'm' }, request, soon, never)).toMatchObject({ reason: 'unreachable' });
});
