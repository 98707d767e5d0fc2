import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { startNotifications } from '#src/governance/notifications/start-notifications.ts';
import { answering, openReceiver } from '#test/studio/receiver.ts';
import { notificationWorld } from './world.ts';

test('a receiver that is away for an hour gets every message once it is back', async () => {
  let isDown = true;
  await using receiver = await openReceiver((response) =>
    answering(isDown ? 503 : 204)(response, receiver.messages[0]!),
  );
  await using world = await notificationWorld({ PLATFORM_WEBHOOK_ORIGINS: receiver.origin });
  const { id } = await world.endpoint({ url: `${receiver.origin}/`, events: ['job.*'] });
  const list = async () => await world.deliveries(`&endpoint=${id}`);
  const jobs: string[] = [];
  for (const _one of [1, 2, 3]) jobs.push(await world.end('succeeded'));
  await expect.poll(() => receiver.messages.length).toBeGreaterThan(0);
  // an hour in six parts, each of which brings another attempt
  for (const _part of [1, 2, 3, 4, 5, 6]) {
    await expect.poll(async () => (await list()).some(({ state }) => state === 'sending')).toBe(false);
    const before = receiver.messages.length;
    await world.pass(1 / 6);
    await expect.poll(() => receiver.messages.length).toBeGreaterThan(before);
  }
  jobs.push(await world.end('succeeded'));
  isDown = false;
  await expect
    .poll(async () => {
      await world.pass(1 / 30);
      return (await list()).map(({ state }) => state);
    })
    .toEqual(Array.from({ length: 12 }, () => 'delivered'));
  const ends = receiver.messages.map(({ raw }) => JSON.parse(raw)).filter(({ type }) => type === 'job.succeeded');
  expect(new Set(ends.map(({ data }) => data.id))).toEqual(new Set(jobs));
  expect((await world.call('GET', `/v1/webhook-endpoints/${id}`)).json()).toMatchObject({
    enabled: true,
    failing_since: null,
  });
});

test('an endpoint that fails for a day is disabled, and its deliveries are given up and can be sent again', async () => {
  let isDown = true;
  await using receiver = await openReceiver((response) =>
    answering(isDown ? 500 : 204)(response, receiver.messages[0]!),
  );
  await using calm = await openReceiver();
  await using world = await notificationWorld({ PLATFORM_WEBHOOK_ORIGINS: `${receiver.origin},${calm.origin}` });
  const { id } = await world.endpoint({ url: `${receiver.origin}/` });
  await world.endpoint({ url: `${calm.origin}/`, events: ['endpoint.disabled'] });
  await world.end('failed');
  const read = async () => (await world.call('GET', `/v1/webhook-endpoints/${id}`)).json();
  await expect.poll(async () => (await read()).failing_since).not.toBeNull();
  await world.pass(25);
  await expect.poll(async () => (await read()).enabled).toBe(false);
  expect((await read()).disabled_why).toContain('It took no message for a day');
  await expect.poll(() => calm.messages.length).toBe(1);
  expect((await world.deliveries(`&endpoint=${id}`)).map(({ state }) => state)).toEqual(['failed']);
  isDown = false;
  const { headers } = await world.key({ scopes: ['jobs.manage'] });
  const url = `/v1/webhook-endpoints/${id}`;
  await world.app.inject({ method: 'PATCH', url, headers, payload: { enabled: true } });
  const payload = { from: new Date(Date.now() - 48 * 3_600_000).toISOString(), state: 'failed' };
  const replayed = await world.app.inject({ method: 'POST', url: `${url}/replay`, headers, payload });
  expect(replayed.json()).toEqual({ replayed: 1 });
  await expect
    .poll(async () => (await world.deliveries(`&endpoint=${id}`)).map(({ state }) => state))
    .toEqual(['delivered']);
});

test('Retry-After is waited for, by every message to that endpoint', async () => {
  await using receiver = await openReceiver(
    (response) => void response.writeHead(429, { 'retry-after': '3600' }).end(),
    answering(204),
  );
  await using world = await notificationWorld({ PLATFORM_WEBHOOK_ORIGINS: receiver.origin });
  const { id } = await world.endpoint({ url: `${receiver.origin}/` });
  await world.end('failed');
  const list = async () => await world.deliveries(`&endpoint=${id}`);
  await expect.poll(async () => (await list())[0]?.last_status).toBe(429);
  const [{ next_at: next, attempted_at: at }] = await list();
  expect(Date.parse(next) - Date.parse(at)).toBeGreaterThanOrEqual(3_600_000);
  await world.end('failed');
  await expect.poll(async () => (await list()).length).toBe(2);
  expect(receiver.messages).toHaveLength(1);
  await world.pass(1.1);
  await expect.poll(async () => (await list()).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
});

test('a receiver that asks for years of rest gets an hour, and views say until when it rests', async () => {
  await using receiver = await openReceiver(
    (response) => void response.writeHead(503, { 'retry-after': '99999999999' }).end(),
    answering(204),
  );
  await using world = await notificationWorld({ PLATFORM_WEBHOOK_ORIGINS: receiver.origin });
  const { id, rests_until: before } = await world.endpoint({ url: `${receiver.origin}/` });
  expect(before).toBeNull();
  const list = async () => await world.deliveries(`&endpoint=${id}`);
  const read = async () => (await world.call('GET', `/v1/webhook-endpoints/${id}`)).json();
  await world.end('failed');
  await expect.poll(async () => (await list())[0]?.last_status).toBe(503);
  await world.end('failed');
  await expect.poll(async () => (await list()).length).toBe(2);
  const { rests_until: until } = await read();
  // also the one that was never tried says when it is: not at once
  const [other, first] = await list();
  expect([other.attempts, first.attempts]).toEqual([0, 1]);
  expect(Date.parse(other.next_at)).toBeGreaterThanOrEqual(Date.parse(until));
  expect(Date.parse(until) - Date.parse(first.attempted_at)).toBeLessThanOrEqual(3_600_000);
  await world.pass(1);
  await expect.poll(async () => (await list()).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
  expect((await read()).rests_until).toBeNull();
});

test('events of a time in which nobody looked are delivered once, whoever looks again and again', async () => {
  await using receiver = await openReceiver();
  await using world = await notificationWorld({ PLATFORM_WEBHOOK_ORIGINS: receiver.origin }, { notify: false });
  // somebody has looked before: the position of events is known from then on
  {
    await using _first = startNotifications(world.context);
    await world.endpoint({ url: `${receiver.origin}/`, events: ['job.succeeded'] });
    await world.end('succeeded');
    await expect.poll(() => receiver.messages.length).toBe(1);
  }
  const cursor = await world.context.db.oneFirst(
    sql.unsafe`select position from notification_cursors where name = 'ledger'`,
  );
  const missed = [await world.end('succeeded'), await world.end('succeeded')];
  {
    await using _second = startNotifications(world.context);
    await expect.poll(() => receiver.messages.length).toBe(3);
  }
  // as a leader leaves it that died after the deliveries and before its position was stored
  await world.context.db.query(sql.unsafe`
    update notification_cursors set position = ${String(cursor)} where name = 'ledger'`);
  await using _third = startNotifications(world.context);
  missed.push(await world.end('succeeded'));
  await expect.poll(() => receiver.messages.length).toBe(4);
  const told = receiver.messages.map(({ raw }) => JSON.parse(raw).data.id);
  expect(new Set(told)).toEqual(new Set([told[0], ...missed]));
});

test('a delivery whose process died is gone on with: before its job was made, and after', async () => {
  await using receiver = await openReceiver();
  await using world = await notificationWorld({ PLATFORM_WEBHOOK_ORIGINS: receiver.origin });
  const { id } = await world.endpoint({ url: `${receiver.origin}/` });
  await world.end('failed');
  const list = async () => await world.deliveries(`&endpoint=${id}`);
  await expect.poll(async () => (await list())[0]?.state).toBe('delivered');
  await world.context.db.query(sql.unsafe`
    update webhook_deliveries set state = 'sending', dispatch = dispatch + 1, sender = null, batch = gen_random_uuid(), delivered_at = null,
      attempted_at = now() - interval '1 minute'`);
  await expect.poll(async () => (await list())[0]?.state).toBe('delivered');
  expect(receiver.messages).toHaveLength(2);
  await world.context.db.query(sql.unsafe`
    update webhook_deliveries set state = 'sending', delivered_at = null where sender is not null`);
  await expect.poll(async () => (await list())[0]?.state).toBe('pending');
  expect((await list())[0].last_error).toContain('whether the message arrived is not known');
  await world.pass(1);
  await expect.poll(async () => (await list())[0]?.state).toBe('delivered');
  expect(new Set(receiver.messages.map((message) => message.id)).size).toBe(1);
});
