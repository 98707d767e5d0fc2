import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { notifyMissions } from '#src/platform/webhooks/notify-missions.ts';
import { missionWorld } from '#test/missions/world.ts';
import { mediaWorld } from '#test/platform/media-world.ts';
import { textVendors } from '#test/platform/text-world.ts';
import { openReceiver } from '#test/studio/receiver.ts';

test('the ends of a background response and of a batch are reported, as the ends of media are', async () => {
  await using stack = new AsyncDisposableStack();
  const receiver = stack.use(await openReceiver());
  const { env } = stack.use(await textVendors([{}]));
  const world = stack.use(await mediaWorld({ ...env, PLATFORM_WEBHOOK_ORIGINS: receiver.origin }));
  const webhook = { url: `${receiver.origin}/done` };
  const response = await world.post('/responses', { input: 'Greet me', background: true, webhook });
  expect(response.status, JSON.stringify(response.body)).toBe(200);
  const line = {
    custom_id: 'a',
    method: 'POST',
    url: '/v1/chat/completions',
    body: { messages: [{ role: 'user', content: 'x' }] },
  };
  const batch = await world.post('/batch', { requests: [line], webhook });
  expect(batch.status, JSON.stringify(batch.body)).toBe(200);
  await expect.poll(() => receiver.messages.length, { timeout: 60_000 }).toBe(2);
  const told = receiver.messages.map(({ raw }) => JSON.parse(raw));
  expect(told).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        type: 'job.completed',
        data: expect.objectContaining({
          queue: 'platform.respond',
          result: expect.objectContaining({ message: null }),
        }),
      }),
      expect.objectContaining({
        type: 'job.completed',
        data: expect.objectContaining({
          id: batch.body.run.id,
          result: { status: 'completed', total: 1, completed: 1, failed: 0 },
        }),
      }),
    ]),
  );
  // endpoints are notified of its end too
  const noted = await world.context.db.any(sql.unsafe`select type, data ->> 'id' as id from notices`);
  expect(noted).toEqual([{ type: 'batch.completed', id: batch.body.run.id }]);
  const foreground = await world.post('/responses', { input: 'Greet me', webhook });
  expect(foreground).toMatchObject({ status: 400, body: { error: { param: 'webhook' } } });
  for (const [path, body] of [
    ['/responses', { input: 'x', background: true }],
    ['/batch', { requests: [line] }],
  ] as const) {
    const refused = await world.post(path, { ...body, webhook: { url: 'https://10.0.0.1/' } });
    expect(refused, path).toMatchObject({ status: 400, body: { error: { param: 'webhook.url' } } });
  }
});

test('the end of an orchestration is reported once', async () => {
  await using world = await missionWorld({ PLATFORM_WEBHOOK_ORIGINS: 'http://127.0.0.1:9' }, { chain: false });
  const ada = await world.humanKey();
  const webhook = { url: 'http://127.0.0.1:9/done' };
  const { status, body } = await world.call('POST', '/api/v2/orchestrate/run', ada, { query: 'Hash "hello"', webhook });
  expect(status, JSON.stringify(body)).toBe(200);
  await Promise.all([notifyMissions(world.context), notifyMissions(world.context)]);
  await notifyMissions(world.context);
  const { data } = (await world.call('GET', '/api/v2/webhooks', ada)).body;
  // as the answer has it, but for its times
  const { created_at: _created, finished_at: _finished, ...job } = body.job;
  expect(data).toMatchObject([{ job, url: webhook.url, event: 'completed', state: 'pending' }]);
});
