import { expect, test } from 'vitest';
import { conformanceServer } from './conformance-server.ts';
import { initialize, post } from './mcp-api.ts';

/** Ids and data of the events in a text. */
function eventsOf(text: string): { id: string; data: string; retry: string | undefined }[] {
  return text
    .split('\n\n')
    .filter((block) => block.includes('id: '))
    .map((block) => ({
      id: /^id: (.*)$/m.exec(block)?.[1] ?? '',
      data: /^data: (.*)$/m.exec(block)?.[1] ?? '',
      retry: /^retry: (.*)$/m.exec(block)?.[1],
    }));
}

test('a stream that the server closes is gone on with, and no other stream is shown', async () => {
  await using api = await conformanceServer();
  const begun = await post(api.url, initialize('2025-11-25'));
  await begun.text();
  const session = {
    'mcp-session-id': begun.headers.get('mcp-session-id') ?? '',
    'mcp-protocol-version': '2025-11-25',
  };
  const called = await post(
    api.url,
    { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'test_reconnection', arguments: {} } },
    session,
  );
  // the tool closes the stream before it answers: nothing but the event that gives it an id
  const [primer, ...more] = eventsOf(await called.text());
  expect(more).toEqual([]);
  expect(primer).toMatchObject({ data: '', retry: '1000' });
  const resume = async (id: string) =>
    await fetch(api.url, { headers: { ...session, accept: 'text/event-stream', 'last-event-id': id } });
  const resumed = await resume(primer?.id ?? '');
  expect(resumed.status).toBe(200);
  const reader = resumed.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes('Reconnected.')) text += (await reader.read()).value ?? '';
  await reader.cancel();
  const answer = eventsOf(text).at(-1);
  expect(JSON.parse(answer?.data ?? '')).toMatchObject({ id: 7, result: { content: [{ text: 'Reconnected.' }] } });
  expect((await resume('00000000-0000-4000-8000-000000000000::0000000001')).status).toBe(400);
});
