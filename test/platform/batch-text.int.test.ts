import { toFile } from 'openai';
import { expect, test } from 'vitest';
import { startPlatform } from '#src/platform/start-platform.ts';
import { runJobs } from '#test/helpers/run-jobs.ts';
import { textWorld } from './text-world.ts';

const asked = (id: string, url: string, body: object) =>
  `${JSON.stringify({ custom_id: id, method: 'POST', url, body })}\n`;
const said = 'What is at the end of the pier?';
const chat = '/v1/chat/completions';

test('lines of a batch are turns of text, answered as requests of their own are, and paid for', async () => {
  await using world = await textWorld();
  const { api, client } = world;
  await using _running = await runJobs(api.context, { name: 'platform', starts: [startPlatform] });
  const lines = [
    asked('chat', chat, { model: 'auto', messages: [{ role: 'user', content: said }] }),
    asked('streamed', chat, { stream: true, messages: [{ role: 'user', content: said }] }),
    asked('response', '/api/v2/responses', { input: said, metadata: { of: 'mine' } }),
    asked('alone', '/v1/responses', { input: said, background: true }),
  ];
  const file = await client.files.create({
    file: await toFile(Buffer.from(lines.join('')), 'requests.jsonl'),
    purpose: 'batch',
  });
  // the endpoint is left out: each line says its own
  const begun = await client.post<{ id: string }>('/batch', { body: { input_file_id: file.id } });
  await expect.poll(async () => (await client.batches.retrieve(begun.id)).status).toBe('completed');
  const done = await client.batches.retrieve(begun.id);
  expect(done.request_counts).toEqual({ total: 4, completed: 2, failed: 2 });
  const read = async (id: string | null | undefined) =>
    (await (await client.files.content(id ?? '')).text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  const [completion, response] = await read(done.output_file_id);
  expect(completion).toMatchObject({
    custom_id: 'chat',
    response: {
      status_code: 200,
      body: {
        object: 'chat.completion',
        choices: [{ message: { role: 'assistant', content: 'A lighthouse at dusk.' }, finish_reason: 'stop' }],
        run: { provider: 'one', model: 'model-1' },
      },
    },
  });
  expect(response).toMatchObject({
    custom_id: 'response',
    response: {
      body: {
        object: 'response',
        status: 'completed',
        store: false,
        metadata: { of: 'mine' },
        output: [{ type: 'message', content: [{ type: 'output_text', text: 'A lighthouse at dusk.' }] }],
      },
    },
  });
  expect((await read(done.error_file_id)).map(({ custom_id: id, response: { body } }) => [id, body.error])).toEqual([
    ['streamed', expect.objectContaining({ message: expect.stringContaining('stream: expected false in a batch') })],
    ['alone', expect.objectContaining({ message: expect.stringContaining('background: expected false in a batch') })],
  ]);
  const tokens = completion.response.body.usage.total_tokens + response.response.body.usage.total_tokens;
  expect(done.usage?.total_tokens).toBe(tokens);
  const { reserved, spent } = await world.money();
  expect({ reserved, isPaid: spent > 0 }).toEqual({ reserved: 0, isPaid: true });
});
