import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { publishLive } from '#src/analytics/live/publish-live.ts';
import { decideApproval } from '#src/governance/approvals/decide-approval.ts';
import { openBudget, reserve } from '#src/governance/budgets/budgets.ts';
import { openReceiver } from '#test/studio/receiver.ts';
import { notificationWorld } from './world.ts';

const read = (receiver: Awaited<ReturnType<typeof openReceiver>>, path: string) =>
  receiver.messages.filter((message) => message.path === path).map(({ raw }) => JSON.parse(raw));

test('an approval that waits reaches its owner and the operators, with a link to its page, and its decision too', async () => {
  await using receiver = await openReceiver();
  await using world = await notificationWorld({
    PLATFORM_WEBHOOK_ORIGINS: receiver.origin,
    PUBLIC_URL: 'https://proofline.example',
  });
  const events = ['approval.waiting', 'approval.decided'];
  await world.endpoint({ url: `${receiver.origin}/owner`, events });
  const operator = await world.key({ owner: 'olga', scopes: ['jobs.manage'], operator: true });
  for (const [path, every_owner] of [
    ['/operator', true],
    ['/operator-own', false],
  ] as const) {
    const payload = { url: `${receiver.origin}${path}`, events, every_owner };
    const made = await world.app.inject({
      method: 'POST',
      url: '/v1/webhook-endpoints',
      headers: operator.headers,
      payload,
    });
    expect(made.statusCode).toBe(201);
  }
  const submitted = await world.call(
    'POST',
    '/v1/queues/acme.resize-image/jobs',
    { payload: { width: 7 }, approval: { why: 'It writes to customers.' } },
    { prefer: 'respond-async' },
  );
  const { id, approval_id: approval } = submitted.json();
  const waiting = {
    type: 'approval.waiting',
    data: {
      id: approval,
      owner: 'owner-1',
      kind: 'job',
      job: id,
      title: 'run acme.resize-image: Resize an image',
      why: 'It writes to customers.',
      url: `https://proofline.example/studio/approvals/${approval}`,
    },
  };
  for (const path of ['/owner', '/operator']) await expect.poll(() => read(receiver, path)).toMatchObject([waiting]);
  const decider = {
    owner: 'owner-1',
    operator: false,
    email: 'ada@example.com',
    issuer: 'i',
    subject: 's',
    human: null,
  };
  await decideApproval(world.context, approval, decider, { decision: 'decline', reason: 'not now' });
  await expect
    .poll(() => read(receiver, '/operator')[1])
    .toMatchObject({ type: 'approval.decided', data: { id: approval, decision: 'declined', by: 'ada@example.com' } });
  expect(read(receiver, '/operator-own')).toEqual([]);
  // another key of the same owner, without the flag, sends none of it elsewhere and reads none of it
  const { headers } = await world.key({ owner: 'olga', scopes: ['jobs.manage'] });
  const list = (await world.app.inject({ url: '/v1/webhook-endpoints', headers })).json().data;
  const wide = list.find((one: { every_owner: boolean }) => one.every_owner);
  const url = `/v1/webhook-endpoints/${wide.id}`;
  const payload = { url: `${receiver.origin}/elsewhere` };
  expect((await world.app.inject({ method: 'PATCH', url, headers, payload })).statusCode).toBe(403);
  const { data } = (await world.app.inject({ url: `/v1/webhook-deliveries?endpoint=${wide.id}`, headers })).json();
  expect((await world.app.inject({ url: `/v1/webhook-deliveries/${data[0].id}`, headers })).statusCode).toBe(403);
  // whoever is no operator any more sees their own alone
  await world.context.db.query(sql.unsafe`update keys set revoked_at = now() where id = ${operator.id}`);
  await world.context.db.query(sql.unsafe`update webhook_revision set revision = revision + 1`);
  await world.call(
    'POST',
    '/v1/queues/acme.resize-image/jobs',
    { payload: { width: 7 }, approval: true },
    { prefer: 'respond-async' },
  );
  await expect.poll(() => read(receiver, '/owner').length).toBe(3);
  expect(read(receiver, '/operator')).toHaveLength(2);
});

test('a budget is told of at 80 % and at 100 %, once each', async () => {
  await using receiver = await openReceiver();
  await using world = await notificationWorld({
    PLATFORM_WEBHOOK_ORIGINS: receiver.origin,
    SPEND_OWNER_MONTHLY_USD: '10',
  });
  await world.endpoint({ url: `${receiver.origin}/`, events: ['budget.*'] });
  const spend = async (n: number, quoted: number) =>
    await reserve(world.context, {
      job: crypto.randomUUID(),
      provider: `p${n}`,
      owner: 'owner-1',
      keyId: null,
      surface: 'jobs',
      capability: 'test',
      budgets: [],
      quoted,
    });
  await openBudget(world.context.db, 'job:other', 1);
  await spend(1, 7_900_000);
  await spend(2, 200_000);
  const types = () => read(receiver, '/').map(({ type, data }) => [type, data.percent, data.budget]);
  const budget = `owner:owner-1:${new Date().toISOString().slice(0, 7)}`;
  await expect.poll(types).toEqual([['budget.80', 80, budget]]);
  // what does not fit any more is as good as 100 %
  await expect(spend(3, 2_000_000)).rejects.toMatchObject({ code: 'budget_exceeded' });
  await expect.poll(types).toEqual([
    ['budget.80', 80, budget],
    ['budget.100', 100, budget],
  ]);
  await spend(4, 1_900_000);
  await expect(spend(5, 2_000_000)).rejects.toMatchObject({ code: 'budget_exceeded' });
  await world.end('succeeded');
  expect(types()).toHaveLength(2);
});

test('market signals reach who wants them, by symbol and kind, under both names', async () => {
  await using receiver = await openReceiver();
  await using world = await notificationWorld({ PLATFORM_WEBHOOK_ORIGINS: receiver.origin });
  await world.endpoint({ url: `${receiver.origin}/spx`, events: ['signal.*'], symbols: ['SPX'] });
  await world.endpoint({ url: `${receiver.origin}/pins`, events: ['alert.pin'] });
  const signal = (symbol: string, kind: string) => [kind, { id: `${symbol} ${kind}`, symbol, kind }] as const;
  const publish = async (order: number, ...events: (readonly [string, object])[]) =>
    await publishLive(world.context, 'alerts', { id: `tick ${order}`, order, source: 'test', events });
  const cursor = async () =>
    await world.context.db.maybeOneFirst(sql.unsafe`select position from notification_cursors where name = 'alerts'`);
  await expect.poll(cursor).not.toBeNull();
  await publish(1, signal('SPX', 'pin'), signal('NDX', 'pin'), signal('SPX', 'wall_break'));
  await expect
    .poll(() => new Set(read(receiver, '/spx').map(({ type }) => type)))
    .toEqual(new Set(['signal.pin', 'signal.wall_break']));
  await expect
    .poll(() => new Set(read(receiver, '/pins').map(({ data }) => data.symbol)))
    .toEqual(new Set(['NDX', 'SPX']));
  expect(read(receiver, '/pins')[0].data.url).toMatch(/\/market\/(SPX|NDX)$/);
});

test('the end of a mission, and its steps, reach its owner', async () => {
  await using receiver = await openReceiver();
  await using world = await notificationWorld({ PLATFORM_WEBHOOK_ORIGINS: receiver.origin });
  await world.endpoint({ url: `${receiver.origin}/`, events: ['mission.succeeded', 'mission.step.failed'] });
  const { db } = world.context;
  const id = crypto.randomUUID();
  await db.query(sql.unsafe`
    insert into missions (id, owner, human, goal, inputs, plan, salt, state, timeout_s, genesis, head, chained, events,
      request_hash, created_at)
    values (${id}, 'owner-1', 'h', 'g', '{}', '{}', sha256(''), 'executing', 60, '', '', 0, 0,
      sha256(''), now())`);
  for (const [seq, type] of [
    [0, 'mission.created'],
    [1, 'step.failed'],
    [2, 'mission.succeeded'],
  ] as const)
    await db.query(sql.unsafe`
      insert into mission_events (mission, seq, type, at, data) values (${id}, ${seq}, ${type}, ${new Date().toISOString()}, '{}')`);
  await expect
    .poll(() => read(receiver, '/').map(({ type, data }) => [type, data.id]))
    .toEqual(
      expect.arrayContaining([
        ['mission.step.failed', id],
        ['mission.succeeded', id],
      ]),
    );
  expect(read(receiver, '/')).toHaveLength(2);
});
