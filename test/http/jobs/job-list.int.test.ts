import { expect, test } from 'vitest';
import { fit, stress } from '#queues/analytics.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { trial } from '#test/helpers/trial.ts';
import { testApi } from '#test/http/api.ts';

test('lists are paged by cursor and filtered by state and queue', async () => {
  await using api = await testApi();
  const { headers } = await api.key();
  const ids: string[] = [];
  const principal = { owner: 'owner-1' };
  for (let n = 0; n < 5; n++) {
    ids.push((await submit(api.context, trial, { principal, payload: { do: 'succeed' } })).job.id);
  }
  const page = async (query: string) =>
    (await api.app.inject({ url: `/v1/jobs?${query}`, headers })).json() as {
      data: { id: string }[];
      next_cursor: string | null;
    };
  const seen: string[] = [];
  for (let cursor = ''; ; ) {
    const { data, next_cursor: next } = await page(`limit=2${cursor}`);
    seen.push(...data.map(({ id }) => id));
    if (!next) break;
    cursor = `&cursor=${next}`;
  }
  // jobs of one millisecond have no order among themselves, but a stable place
  expect(seen).toEqual(ids.toSorted().toReversed());
  expect((await page('state=failed')).data).toEqual([]);
  const payload = { chainId: ids[0]! };
  const { job } = await submit(api.context, fit, { principal, payload });
  expect((await page(`queue=${fit.name}&state=queued`)).data).toMatchObject([{ id: job.id, owner: 'owner-1' }]);
  expect((await page(`queue=${stress.name}`)).data).toEqual([]);
  const unknown = await api.app.inject({ url: '/v1/jobs?queue=other', headers });
  expect(unknown.json()).toMatchObject({
    status: 400,
    detail: 'query.queue: expected a queue (GET /v1/queues lists them), got other.',
  });
  expect((await api.app.inject({ url: '/v1/jobs?cursor=nonsense', headers })).statusCode).toBe(400);
});
