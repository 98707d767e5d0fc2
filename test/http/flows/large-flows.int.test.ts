import { sql } from 'slonik';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { row } from '#src/system/postgres/postgres.ts';
import { startChild } from '#test/helpers/child.ts';
import { until } from '#test/helpers/processes.ts';
import { count, double, flowApi, usual } from './flow-api.ts';

const any = (name: string, payload: unknown, more: object = {}) => ({ name, queue: 'acme.take-any', payload, ...more });
const Submitted = row(Type.Object({ submitted: Type.Integer() }));

test('a fan-out whose payloads no memory holds is stored page by page in a small heap, and small flows pass it', {
  timeout: 240_000,
}, async () => {
  await using api = await flowApi(false);
  const item = 'x'.repeat(200_000);
  const large = (jobs: number) => [
    any('l', { text: item }),
    any(
      'i',
      Array.from({ length: jobs }, (_, n) => n),
    ),
    any('n', { all: [{ $from: 'l' }, { $item: '' }] }, { for_each: { $from: 'i' }, queue: 'acme.sum-up' }),
  ];
  const ids = await Promise.all([api.flow(large(1_500)), api.flow(large(1_500))]);
  const submitted = async (id: string) =>
    await api.context.db.oneFirst(sql.type(Submitted)`
      select coalesce(sum(submitted), 0)::int as submitted from flow_nodes where flow = ${id}`);
  await using _mover = await startChild(new URL('./mover.ts', import.meta.url), {
    ...api.env,
    NODE_OPTIONS: '--max-old-space-size=160',
  });
  // none for the large jobs
  const { 'acme.sum-up': _none, ...works } = usual;
  await using _worker = await api.work(works);
  for (const id of ids) await until(async () => (await submitted(id)) > 100);
  const small = await api.flow([count, double]);
  expect(await api.over(small)).toMatchObject({ state: 'succeeded' });
  for (const id of ids) expect((await api.call('DELETE', `/v1/flows/${id}`)).statusCode).toBe(200);
});

test('error: a node whose payloads have more than a gibibyte together, or one of more than 16 MiB, fails with the reason', async () => {
  await using api = await flowApi();
  await using _worker = await api.work({ 'acme.take-any': (payload) => payload });
  const l = any('l', 'x'.repeat(1_100_000));
  const many = await api.flow([
    l,
    any('i', Array(1_000).fill(0)),
    any('n', { v: { $from: 'l' } }, { for_each: { $from: 'i' } }),
  ]);
  const one = await api.flow([
    l,
    any(
      'n',
      Array.from({ length: 16 }, () => ({ $from: 'l' })),
    ),
  ]);
  expect(await api.over(many)).toMatchObject({
    state: 'failed',
    nodes: [{}, {}, { state: 'failed', total: null, error: { code: 'payload_too_large' } }],
    error: { message: expect.stringContaining('1073741824 bytes of JSON together') },
  });
  expect(await api.over(one)).toMatchObject({
    nodes: [{}, { state: 'failed', error: { message: expect.stringContaining('more than 16777216 bytes') } }],
  });
});
