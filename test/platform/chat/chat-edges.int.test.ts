import { expect, test } from 'vitest';
import { chunkOf, chunksOf, streams } from '#test/helpers/vendors/chat-stream.ts';
import { textWorld } from '#test/platform/text-world.ts';

const messages = [{ role: 'user' as const, content: 'Is there a light?' }];

test('a stream in which nothing happens is kept open by comments, which the official client passes by', async () => {
  const heard = Promise.withResolvers<void>();
  const [first = '', ...rest] = chunksOf(['A light']);
  await using world = await textWorld(
    [
      {
        chat: [
          streams([first, chunkOf({ content: 'Wait: ' })], (response) => {
            void heard.promise.then(() => response.end(rest.join('')));
          }),
        ],
      },
    ],
    { settings: { STREAM_HEARTBEAT_MS: '1000' } },
  );
  const seen: string[] = [];
  const client = world.client.withOptions({
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      const spy = new TransformStream<Uint8Array, Uint8Array>({
        transform: (bytes, controller) => {
          const text = Buffer.from(bytes).toString();
          seen.push(text);
          if (text.includes(':\n\n')) heard.resolve();
          controller.enqueue(bytes);
        },
      });
      return new Response(response.body!.pipeThrough(spy), response);
    },
  });
  const stream = await client.chat.completions.create({ messages, model: 'auto', stream: true });
  let text = '';
  for await (const { choices } of stream) text += choices[0]?.delta.content ?? '';
  expect(text).toBe('Wait: A light');
  expect(seen.join('')).toMatch(/(^|\n\n):\n\n/);
});

test('error: a text that cannot be stored is refused with the fault and its place', async () => {
  await using world = await textWorld();
  const said = (content: string) =>
    world.client.chat.completions.create({ messages: [{ role: 'user', content }], model: 'auto' });
  await expect(said('a\u0000b')).rejects.toMatchObject({
    status: 400,
    param: 'messages[0].content',
    message: `400 body.messages[0].content: expected text without the character U+0000 and lone surrogates, got one with U+0000.`,
  });
  const refused = await world.api.app.inject({
    method: 'POST',
    url: '/api/v2/batch',
    headers: { authorization: `Bearer ${world.secret}` },
    payload: { requests: [{}], metadata: { note: 'a\u0000b' } },
  });
  expect(refused.json()).toMatchObject({ status: 400, errors: [{ field: 'body.metadata.note' }] });
});
