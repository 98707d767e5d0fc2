import { expect, test } from 'vitest';
import { until } from '#test/helpers/processes.ts';
import { count, flowApi } from './flow-api.ts';

test('the jobs of a node are delayed as a submit is: by ms, or by a number and its unit', async () => {
  await using api = await flowApi();
  const any = { queue: 'acme.take-any', payload: 1 };
  const id = await api.flow([
    { ...any, name: 'a', options: { delay_ms: 7_200_000 } },
    { ...any, name: 'b', options: { delay: '2h', priority: 3 } },
    { ...any, name: 'c', options: { delay: 7_200_000 } },
  ]);
  const nodes = async (): Promise<{ job_id: string | null }[]> => (await api.read(id)).nodes;
  await until(async () => (await nodes()).every(({ job_id }) => job_id !== null));
  for (const { job_id } of await nodes()) {
    const { created_at, run_at } = await api.job(job_id!);
    expect(Math.round((Date.parse(run_at) - Date.parse(created_at)) / 3_600_000)).toBe(2);
  }
});

test.each([
  [{ delay: '2h', delay_ms: 1 }, 'body.nodes.0.options.delay: expected delay or delay_ms, got both: leave one out.'],
  [{ delay: '4000d' }, 'body.nodes.0.options.delay: expected at most ten years, got 4000d.'],
  [{ delay: 'soon' }, 'body.nodes[0].options.delay: expected '],
])('error: a delay that cannot be is refused with its node: %j', async (options, words) => {
  await using api = await flowApi(false);
  const answer = await api.call('POST', '/v1/flows', { nodes: [{ ...count, options }] });
  expect([answer.statusCode, answer.json().detail]).toEqual([400, expect.stringContaining(words)]);
});
