import { sql } from 'slonik';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { advanceFlow } from '#src/jobs/flows/advance-flow.ts';
import { countEnds } from '#src/jobs/flows/count-ends.ts';
import { lockFlow } from '#src/jobs/flows/flow-rows.ts';
import { openNode } from '#src/jobs/flows/submit-node.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { startChild } from '#test/helpers/child.ts';
import { until } from '#test/helpers/processes.ts';
import { type FlowApi, flowApi, usual } from './flow-api.ts';

const ITEMS = 2_500;
const nodes = [
  { name: 'count', queue: 'acme.count-up', payload: { to: ITEMS } },
  {
    name: 'double',
    queue: 'acme.double-number',
    for_each: { $from: 'count', path: '/list' },
    payload: { n: { $item: '' } },
  },
  { name: 'sum', queue: 'acme.sum-up', payload: { all: { $from: 'double' } } },
];

const Counts = Type.Object({
  jobs: Type.Integer(),
  places: Type.Integer(),
  ends: Type.Integer(),
  submitted: Type.Integer(),
  succeeded: Type.Integer(),
  left: Type.Integer(),
});
const Unfinished = Type.Object({ unfinished: Type.Integer() });

const counts = async ({ context }: FlowApi, flow: string) =>
  await context.db.one(sql.type(row(Counts))`
    select (select count(*)::int from jobs where parent_id = ${flow}) as jobs,
      (select count(*)::int from jobs where parent_id = ${flow} and flow_item is not null) as places,
      (select count(*)::int from events where job = ${flow} and type in ('succeeded', 'failed', 'cancelled')) as ends,
      (select coalesce(sum(submitted), 0)::int from flow_nodes where flow = ${flow}) as submitted,
      (select coalesce(sum(succeeded), 0)::int from flow_nodes where flow = ${flow}) as succeeded,
      (select count(*)::int from flow_ends where flow = ${flow}) as left`);

test('property: killed at any point, the next goes on, each place is taken once, and the flow ends once', {
  timeout: 180_000,
}, async () => {
  await using api = await flowApi(false);
  const id = await api.flow(nodes);
  const file = new URL('./mover.ts', import.meta.url);
  await using _worker = await api.work(usual);
  const points = [
    async () => (await api.read(id)).state === 'waiting',
    async () => (await counts(api, id)).jobs > 1,
    async () => (await counts(api, id)).jobs > 1_001,
    async () => (await counts(api, id)).submitted > 2_000,
    async () => (await counts(api, id)).succeeded > 10,
    async () => (await counts(api, id)).succeeded > ITEMS,
    async () => (await counts(api, id)).jobs === ITEMS + 2,
  ];
  for (const isThere of points) {
    await using mover = await startChild(file, api.env);
    await until(isThere);
    mover.kill('SIGKILL');
  }
  await using _last = await startChild(file, api.env);
  expect(await api.over(id)).toMatchObject({ state: 'succeeded', result: { sum: { sum: ITEMS * (ITEMS - 1) } } });
  await until(async () => (await counts(api, id)).left === 0);
  expect(await counts(api, id)).toMatchObject({ jobs: ITEMS + 2, places: ITEMS + 2, ends: 1 });
});

test('killed while it cancels, a flow leaves none of its jobs behind', async () => {
  await using api = await flowApi(false);
  const id = await api.flow(nodes);
  const file = new URL('./mover.ts', import.meta.url);
  {
    await using _worker = await api.work({ 'acme.count-up': usual['acme.count-up']! });
    await using mover = await startChild(file, api.env);
    await until(async () => (await counts(api, id)).jobs > 1_001);
    mover.kill('SIGKILL');
  }
  expect((await api.call('DELETE', `/v1/flows/${id}`)).statusCode).toBe(200);
  const unfinished = async () =>
    await api.context.db.oneFirst(sql.type(row(Unfinished))`
      select count(*)::int as unfinished from jobs where parent_id = ${id} and finished_at is null`);
  {
    await using mover = await startChild(file, api.env);
    await until(async () => (await unfinished()) < 1_000);
    mover.kill('SIGKILL');
  }
  await using _last = await startChild(file, api.env);
  await until(async () => (await unfinished()) === 0 && (await counts(api, id)).left === 0);
});

test('a mover that goes on after another has ended the flow leaves no job behind', async () => {
  await using api = await flowApi(false);
  const { context } = api;
  const node = { name: 'any', queue: 'acme.take-any', for_each: { $from: 'list' }, payload: { $item: '' } };
  const id = await api.flow([{ name: 'list', queue: 'acme.take-any', payload: [...Array(1_500).keys()] }, node]);
  await advanceFlow(context, id);
  {
    await using _worker = await api.work({ 'acme.take-any': (payload) => payload });
    await until(async () => (await counts(api, id)).left === 1);
  }
  await context.db.transaction(async (tx) => {
    await countEnds(tx, id);
    await tx.query(sql.unsafe`update flow_nodes set state = 'succeeded' where flow = ${id} and name = 'list'`);
    await tx.query(sql.unsafe`update flow_nodes set state = 'running' where flow = ${id} and name = 'any'`);
  });
  const flow = await context.db.transaction(async (tx) => await lockFlow(tx, id));
  const stored = flow!.payload.nodes.find(({ name }) => name === 'any')!;
  using opened = (await openNode(context, flow!, stored))!;
  await opened.store({ submitted: 0 });
  expect(await counts(api, id)).toMatchObject({ jobs: 1_001, submitted: 1_001 });
  expect((await api.call('DELETE', `/v1/flows/${id}`)).statusCode).toBe(200);
  // the second mover finds the end, and cancels; the first has its next page in hand, and dies with it
  await advanceFlow(context, id);
  await opened.store({ submitted: 1_000 });
  expect(await counts(api, id)).toMatchObject({ jobs: 1_001, left: 0 });
  expect((await api.call('POST', `/v1/flows/${id}/redrive`)).statusCode).toBe(200);
  await advanceFlow(context, id);
  // of a flow that begins anew it stores none either: its items may be others
  const before = (await counts(api, id)).jobs;
  await opened.store({ submitted: 1_000 });
  expect((await counts(api, id)).jobs).toBe(before);
});
