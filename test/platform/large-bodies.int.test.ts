import { expect, test } from 'vitest';
import { runJobs } from '#test/helpers/run-jobs.ts';
import { chunkOf, stalls, streams } from '#test/helpers/vendors/chat-stream.ts';
import { handlers } from './line-handlers.ts';
import { textWorld } from './text-world.ts';

const settings = {
  BODY_LIMIT_BYTES: '20000',
  TEXT_BODY_LIMIT_BYTES: '100000',
  UPLOAD_TOTAL_BYTES: '100000',
};
/** A question about a picture of so many characters. */
const asking = (size: number) => {
  const url = `data:image/png;base64,${'A'.repeat(size)}`;
  return { messages: [{ role: 'user' as const, content: [{ type: 'image_url' as const, image_url: { url } }] }] };
};

test('bodies with pictures may be longer than others, within what a process takes at once', async () => {
  const holds = streams([chunkOf({ content: 'A light' })], stalls);
  await using world = await textWorld([{ chat: [holds] }], { settings });
  const { client } = world;
  const body = { ...asking(60_000), model: 'auto' };
  const stream = await client.chat.completions.create({ ...body, stream: true });
  // its body is in memory as long as it goes on
  await expect(client.chat.completions.create(body)).rejects.toMatchObject({ status: 503, code: 'unavailable' });
  expect(await client.chat.completions.create({ ...asking(1_000), model: 'auto' })).toMatchObject({
    object: 'chat.completion',
  });
  stream.controller.abort();
  const again = async () =>
    await client.chat.completions.create(body).then(
      () => 200,
      ({ status }) => status,
    );
  await expect.poll(again, { timeout: 30_000 }).toBe(200);
  expect(JSON.stringify(world.vendors[0]?.received('chat').at(-1)?.body)).toContain('A'.repeat(60_000));
  const tooLong = { status: 413, code: 'payload_too_large' };
  await expect(client.chat.completions.create({ ...asking(100_000), model: 'auto' })).rejects.toMatchObject(tooLong);
  const input = [{ role: 'user' as const, content: 'x'.repeat(60_000) }];
  expect(await client.responses.create({ input })).toMatchObject({ status: 'completed' });
  await expect(client.post('/batches', { body: { requests: [{}, 'x'.repeat(100_000)] } })).rejects.toMatchObject(
    tooLong,
  );
});

test('lines with pictures are done although not all of them have room at once', async () => {
  await using world = await textWorld([{}], { settings });
  const { api, client } = world;
  const module = new URL('./line-handlers.ts', import.meta.url);
  await using _running = await runJobs(api.context, { name: 'platform', handlers, module });
  const lines = Array.from({ length: 4 }, (_, index) => ({
    custom_id: `line-${index}`,
    method: 'POST',
    url: '/v1/chat/completions',
    body: asking(60_000),
  }));
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const file = await client.files.create({ file: new File([text], 'requests.jsonl'), purpose: 'batch' });
  const begun = await client.post<{ id: string }>('/batch', { body: { input_file_id: file.id } });
  const statusOf = async () => (await client.batches.retrieve(begun.id)).status;
  await expect.poll(statusOf, { timeout: 60_000 }).toBe('completed');
  const done = await client.batches.retrieve(begun.id);
  expect(done.request_counts).toEqual({ total: 4, completed: 4, failed: 0 });
});
