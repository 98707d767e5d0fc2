import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { refusalsOf } from '#src/access/limits/refusals.ts';
import { openAlerts } from '#src/governance/notifications/alerts/note-alerts.ts';
import { openReceiver } from '#test/studio/receiver.ts';
import { type NotificationWorld, notificationWorld } from './world.ts';

type Receiver = Awaited<ReturnType<typeof openReceiver>>;

const queue = 'acme.resize-image';
const MINUTE = 60_000;
const to = (receiver: Receiver, path: string) =>
  receiver.messages.filter((message) => message.path === path).map(({ raw }) => JSON.parse(raw));

/** Has waiting jobs of a group wait for so many minutes already. */
async function age({ context }: NotificationWorld, group: string, minutes: number): Promise<void> {
  const ago = sql.fragment`${minutes} * interval '1 minute'`;
  await context.db.query(sql.unsafe`
    update jobs set run_at = run_at - ${ago}, queued_at = queued_at - ${ago} where group_key = ${group} and state = 'queued'`);
}

test('a group that starves is told to its owner and to operators when it begins and when it ends, once each, by whichever process looks', async () => {
  await using receiver = await openReceiver();
  await using world = await notificationWorld({ PLATFORM_WEBHOOK_ORIGINS: receiver.origin });
  await world.endpoint({ url: `${receiver.origin}/own`, events: ['alert.group_starves'] });
  await world.endpoint({ url: `${receiver.origin}/other-group`, events: ['alert.*'], groups: ['blue'] });
  const { headers } = await world.key({ owner: 'operators', scopes: ['jobs.manage'], operator: true });
  const made = await world.app.inject({
    method: 'POST',
    url: '/v1/webhook-endpoints',
    headers,
    payload: { url: `${receiver.origin}/operators`, events: ['alert.group_starves'], every_owner: true },
  });
  expect(made.statusCode).toBe(201);
  const alerts = openAlerts(world.context);
  await world.submit(1, { group: 'red' });
  await age(world, 'red', 31);
  // nothing ends: it is the queue that stands still
  await alerts.look(Date.now());
  const noticed = async () => await world.context.db.anyFirst(sql.unsafe`select type from notices`);
  expect(await noticed()).not.toContain('alert.group_starves');
  const ended = await world.submit(2, { group: 'green' });
  await world.call('DELETE', `/v1/jobs/${ended}`);
  await alerts.look(Date.now());
  // another process, and the leader of this one, go on with what is open
  await openAlerts(world.context).look(Date.now());
  await alerts.look(Date.now());
  for (const path of ['/own', '/operators'])
    await expect
      .poll(() => to(receiver, path))
      .toMatchObject([
        { type: 'alert.group_starves', data: { state: 'began', owner: 'owner-1', queue, group: 'red', waiting: 1 } },
      ]);
  await world.context.db.query(sql.unsafe`
    update jobs set state = 'cancelled', finished_at = now() where group_key = 'red'`);
  await openAlerts(world.context).look(Date.now());
  await expect.poll(() => to(receiver, '/own').map(({ data }) => data.state)).toEqual(['began', 'ended']);
  await world.submit(3, { group: 'red' });
  await age(world, 'red', 31);
  await alerts.look(Date.now());
  await expect.poll(() => to(receiver, '/own').map(({ data }) => data.state)).toEqual(['began', 'ended', 'began']);
  expect(to(receiver, '/other-group')).toEqual([]);
});

test('a limit that refuses is told when more than a hundred are refused in five minutes, and when none are any more', async () => {
  // no other process looks, whose five minutes would be others
  await using world = await notificationWorld({}, { notify: false });
  const { count, read } = refusalsOf(world.context);
  const refuse = async (times: number, sum: number) => {
    for (let n = 0; n < times; n++) count('owner-1', 'owner-depth', { queue, group: 'red' });
    await expect.poll(async () => (await read())[0]?.refused).toBe(sum);
  };
  // those of before nobody looked began no alert: when they were is not known
  await refuse(500, 500);
  const alerts = openAlerts(world.context);
  const begun = Date.now();
  await alerts.look(begun);
  await refuse(60, 560);
  await alerts.look(begun + MINUTE);
  const states = async () =>
    await world.context.db.anyFirst(sql.unsafe`
      select data ->> 'state' from notices where type = 'alert.limit_refuses' and owner = 'owner-1' order by at`);
  expect(await states()).toEqual([]);
  await refuse(60, 620);
  await alerts.look(begun + 2 * MINUTE);
  expect(await states()).toEqual(['began']);
  // a process that has just begun to watch does not know that it is over
  await openAlerts(world.context).look(begun + 3 * MINUTE);
  await alerts.look(begun + 4 * MINUTE);
  expect(await states()).toEqual(['began']);
  await alerts.look(begun + 8 * MINUTE);
  expect(await states()).toEqual(['began', 'ended']);
  const data = await world.context.db.oneFirst(
    sql.unsafe`select data from notices where type = 'alert.limit_refuses' order by at limit 1`,
  );
  expect(data).toEqual({ state: 'began', policy: 'owner-depth', queue, refused: 120, within_s: 300 });
});

test('a version that no worker takes is told to its owner until one does', async () => {
  await using receiver = await openReceiver();
  await using world = await notificationWorld({ PLATFORM_WEBHOOK_ORIGINS: receiver.origin });
  await world.endpoint({ url: `${receiver.origin}/`, events: ['alert.version_not_taken'] });
  const alerts = openAlerts(world.context);
  await world.submit(1, { group: 'red' });
  await alerts.look(Date.now());
  await age(world, 'red', 3);
  await alerts.look(Date.now());
  await expect
    .poll(() => to(receiver, '/'))
    .toMatchObject([{ type: 'alert.version_not_taken', data: { state: 'began', queue, version: 1, waiting: 1 } }]);
  const worker = await world.worker();
  await worker.take();
  await alerts.look(Date.now());
  await expect.poll(() => to(receiver, '/').map(({ data }) => data.state)).toEqual(['began', 'ended']);
});

test('a paused queue is told to its owner while jobs wait in it, until it is resumed', async () => {
  await using receiver = await openReceiver();
  await using world = await notificationWorld({ PLATFORM_WEBHOOK_ORIGINS: receiver.origin });
  await world.endpoint({ url: `${receiver.origin}/`, events: ['alert.queue_paused'] });
  const { headers } = await world.key({ owner: 'operators', scopes: ['jobs.manage'], operator: true });
  const turn = async (verb: 'pause' | 'resume', payload: object) =>
    await world.app.inject({ method: 'POST', url: `/v1/queues/${queue}/${verb}`, headers, payload });
  const paused = await turn('pause', { reason: 'a new model' });
  expect([paused.statusCode, paused.body]).toEqual([200, paused.body]);
  const alerts = openAlerts(world.context);
  const begun = Date.now();
  // nobody waits yet; then a job does, but not for long
  await alerts.look(begun + 10 * MINUTE);
  await world.submit(1, { group: 'red' });
  await alerts.look(begun);
  const noticed = async () =>
    await world.context.db.anyFirst(
      sql.unsafe`select data ->> 'state' from notices where type = 'alert.queue_paused' order by at`,
    );
  expect(await noticed()).toEqual([]);
  await alerts.look(begun + 6 * MINUTE);
  await openAlerts(world.context).look(begun + 6 * MINUTE);
  await expect
    .poll(() => to(receiver, '/'))
    .toMatchObject([
      {
        type: 'alert.queue_paused',
        data: { state: 'began', queue, reason: 'a new model', by: 'operators', waiting: 1 },
      },
    ]);
  expect((await turn('resume', {})).statusCode).toBe(200);
  await alerts.look(begun + 7 * MINUTE);
  await expect.poll(() => to(receiver, '/').map(({ data }) => data.state)).toEqual(['began', 'ended']);
});

test('a fleet without a worker is told to operators once a job has waited for it, until a worker is there', async () => {
  await using world = await notificationWorld({}, { notify: false });
  const { db } = world.context;
  const alerts = openAlerts(world.context);
  const told = async () =>
    await db.any(sql.unsafe`
      select owner, data ->> 'state' as state, data ->> 'fleet' as fleet, data ->> 'waiting' as waiting from notices
      where type = 'alert.fleet_gone' order by at`);
  await alerts.look(Date.now());
  expect(await told()).toEqual([]);
  await db.query(sql.unsafe`
    insert into jobs (id, owner, queue, state, priority, payload, request_hash, feed, queued_at, run_at)
    select ${randomUUIDv7()}, 'owner-1', 'missions.execute', 'queued', 0, '{}', '', 'ready', ago, ago
    from (select now() - interval '3 minutes' as ago) a`);
  await alerts.look(Date.now());
  await alerts.look(Date.now());
  const began = { owner: '', state: 'began', fleet: 'missions', waiting: '1' };
  expect(await told()).toEqual([began]);
  // the job goes, the fleet is still gone
  await db.query(sql.unsafe`update jobs set state = 'cancelled', finished_at = now() where queue = 'missions.execute'`);
  await alerts.look(Date.now());
  expect(await told()).toEqual([began]);
  await db.query(sql.unsafe`
    insert into workers (id, fleet, host, pid, beat_at) values (${randomUUIDv7()}, 'missions', 'here', 1, now() + interval '1 hour')`);
  await expect
    .poll(async () => {
      await alerts.look(Date.now());
      return await told();
    })
    .toEqual([began, { ...began, state: 'ended' }]);
});
