import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApi, testApi } from '#test/http/api.ts';
import { outputOf, type Rendered, renderedWork } from '#test/studio/work.ts';

/** Two pieces of work of one owner: lists of one show nothing of the other. */
let api: TestApi;
let headers: { 'x-api-key': string };
let works: readonly Rendered[];
beforeAll(async () => {
  api = await testApi();
  ({ headers } = await api.key());
  works = [await renderedWork(api, headers), await renderedWork(api, headers)];
});
afterAll(async () => await api[Symbol.asyncDispose]());

const idsOf = async (path: string, list: string, as = headers): Promise<string[]> => {
  const answer = await api.app.inject({ url: `/api/studio/v1/${path}`, headers: as });
  return answer.json<Record<string, { id: string }[]>>()[list]?.map(({ id }) => id) ?? [answer.body];
};

test('plans of a brief, jobs of a plan, assets of a job and of its calls, approvals of a plan', async () => {
  for (const { brief, plan, render, asset, call, approval } of works) {
    expect(await idsOf(`plans?brief=${brief}`, 'plans')).toEqual([plan]);
    expect(await idsOf(`jobs?plan=${plan}`, 'jobs')).toEqual([render]);
    expect(await idsOf(`assets?job=${render}`, 'assets')).toEqual([asset]);
    expect(await idsOf(`assets?job=${call}`, 'assets')).toEqual([asset]);
    expect(await idsOf(`approvals?subject=${plan}`, 'approvals')).toEqual([approval]);
  }
  expect(await idsOf('jobs', 'jobs')).toHaveLength(2);
});

test('what is narrowed to another’s shows nothing of it', async () => {
  const [{ brief, plan, render } = expect.fail()] = works;
  const { headers: other } = await api.key({ owner: 'owner-2' });
  expect(await idsOf(`plans?brief=${brief}`, 'plans', other)).toEqual([]);
  expect(await idsOf(`jobs?plan=${plan}`, 'jobs', other)).toEqual([]);
  expect(await idsOf(`assets?job=${render}`, 'assets', other)).toEqual([]);
  expect(await idsOf(`approvals?subject=${plan}`, 'approvals', other)).toEqual([]);
});

test('explore and analyze answer by HTTP what the tools do, and refuse what they do not take', async () => {
  const { items } = (await outputOf(api, headers, 'explore?mode=providers')) as unknown as { items: object[] };
  expect(items).toEqual([expect.objectContaining({ id: 'local-animatic', credential: null })]);
  expect(await outputOf(api, headers, 'analyze?scope=spend&window=30d')).toMatchObject({
    window: '30d',
    figures: { settledUsd: 0.04, calls: 2 },
  });
  for (const path of ['explore?mode=secrets', 'explore', 'analyze?scope=spend&window=1y']) {
    const { statusCode } = await api.app.inject({ url: `/api/studio/v1/${path}`, headers });
    expect([path, statusCode]).toEqual([path, 400]);
  }
});
