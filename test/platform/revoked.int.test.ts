import { expect, test } from 'vitest';
import { revokeKey } from '#src/access/keys/keys.ts';
import { chunkOf, stalls, streams } from '#test/helpers/vendors/chat-stream.ts';
import { batchWorld, request } from './batch-world.ts';
import { textWorld } from './text-world.ts';

const messages = [{ role: 'user' as const, content: 'Is there a light?' }];

test('a client that waits for a whole answer waits no more once their key is revoked, and the call is given up', async () => {
  const asked = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  await using world = await textWorld([
    {
      chat: [
        (response, request_) => {
          response.on('close', () => left.resolve());
          streams([chunkOf({ content: 'A light' })], stalls)(response, request_);
          asked.resolve();
        },
      ],
    },
  ]);
  const answer = world.client.chat.completions.create({ messages, model: 'auto' });
  answer.catch(() => {});
  await asked.promise;
  await revokeKey(world.api.context, world.keyId, null);
  await expect(answer).rejects.toMatchObject({ status: 409, code: 'cancelled' });
  await left.promise;
  expect(await world.jobs()).toMatchObject([{ state: 'cancelled' }]);
});

test('a batch ends with the key that made it: no line begins any more, and what is under way is cancelled', async () => {
  await using world = await batchWorld({ BATCH_CONCURRENCY: '2' });
  const prompts = ['cheap', 'wait', 'wait', 'cheap'];
  const begun = await world.start(prompts.map((prompt, index) => request(`line-${index}`, prompt)));
  await world.until(begun.id, ({ request_counts: counts }) => counts?.completed === 1);
  const { keyId } = (await world.jobOf(begun)).payload as { readonly keyId: string };
  await revokeKey(world.context, keyId, null);
  const reader = await world.clientOf();
  const statusOf = async () => (await reader.batches.retrieve(begun.id)).status;
  await expect.poll(statusOf, { timeout: 60_000 }).toBe('cancelled');
  const last = await reader.batches.retrieve(begun.id);
  expect(last.request_counts).toEqual({ total: 4, completed: 1, failed: 3 });
  const failures = await (await reader.files.content(last.error_file_id!)).text();
  expect(failures.match(/batch_revoked/g)).toHaveLength(3);
  expect((await world.children()).every(({ state }) => state === 'succeeded' || state === 'cancelled')).toBe(true);
});
