import type { Client } from 'pg';
import { expect, test } from 'vitest';
import { forgetOld } from '#src/jobs/sweep/retention.ts';
import { endDirect, openDirect } from '#src/system/postgres/direct-postgres.ts';
import { fence } from '#test/http/workers/remote.ts';
import { type ContentsApi, contentsApi, LARGE, queue, textOf } from './contents-api.ts';

async function connected(api: ContentsApi, stack: AsyncDisposableStack): Promise<Client> {
  const client = await openDirect(api.context.config, 'test', () => {});
  stack.defer(async () => await endDirect(client));
  return client;
}

test('payload and result go with their job, and not before', async () => {
  await using api = await contentsApi();
  await using stack = new AsyncDisposableStack();
  const client = await connected(api, stack);
  const ids = [await api.submitText(textOf(LARGE)), await api.submitText(textOf(LARGE))];
  const worker = await api.worker([{ name: queue }]);
  for (const _ of ids) {
    const [job] = await worker.take();
    await worker.report({ ...fence(job!), type: 'succeeded', result: textOf(LARGE) });
  }
  // the same text twice: neither is the other's
  expect(await api.stored()).toHaveLength(4);
  await client.query(`update job_contents set look_at = now()`);
  expect(await forgetOld(api.context, client)).toMatchObject({ jobs: 0, contents: 0 });
  await client.query(`update jobs set finished_at = now() - interval '400 days' where id = $1`, [ids[0]]);
  expect(await forgetOld(api.context, client)).toMatchObject({ jobs: 1, contents: 2 });
  expect(await api.stored()).toHaveLength(2);
  expect((await api.job(ids[1]!)).payload).toHaveLength(LARGE - 2);
  expect((await client.query('select job, look_at from job_contents')).rows).toEqual([
    { job: ids[1], look_at: null },
    { job: ids[1], look_at: null },
  ]);
});

test('what no job came to name goes after an hour: that of a request that was refused; a repetition keeps none', async () => {
  await using api = await contentsApi();
  await using stack = new AsyncDisposableStack();
  const client = await connected(api, stack);
  const key = { 'idempotency-key': 'once' };
  const id = await api.submitText(textOf(LARGE), key);
  await api.submitText(textOf(LARGE), key);
  expect(await api.stored()).toHaveLength(1);
  const bad = await api.call('POST', '/v1/jobs/bulk?atomic=true', [
    { queue, payload: textOf(LARGE), idempotency_key: 'once' },
    { queue, payload: 'new', idempotency_key: 'new' },
  ]);
  expect(bad.statusCode).toBe(409);
  expect(await api.stored()).toHaveLength(2);
  expect(await forgetOld(api.context, client)).toMatchObject({ contents: 0 });
  await client.query(`update job_contents set look_at = look_at - interval '1 hour'`);
  expect(await forgetOld(api.context, client)).toMatchObject({ contents: 1 });
  expect((await api.job(id)).payload).toHaveLength(LARGE - 2);
  expect(await api.stored()).toHaveLength(1);
});
