import { sql } from 'slonik';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { ContentRef } from '#src/jobs/model/content-ref.ts';
import { findByKey } from '#src/jobs/submit/find-by-key.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { fence } from '#test/http/workers/remote.ts';
import { contentsApi, LARGE, late, queue, textOf, url } from './contents-api.ts';

const MOST = 16_777_216;

const Row = Type.Object({
  payload: Type.Unknown(),
  result: Type.Unknown(),
  payloadContent: ContentRef,
  resultContent: ContentRef,
  size: Type.Integer(),
});

test('a payload and a result above 256 KiB are submitted, handed out, answered and read as if they lay in their row', async () => {
  await using api = await contentsApi();
  const worker = await api.worker([{ name: queue }]);
  const [payload, result] = [textOf(LARGE), textOf(LARGE, 'é')];
  const answer = api.call('POST', url, { payload }, { prefer: 'wait=30' });
  const [job] = await worker.take();
  expect(job!.payload === payload).toBe(true);
  expect(await worker.report({ ...fence(job!), type: 'succeeded', result })).toEqual([{ status: 'accepted' }]);
  const { statusCode, body } = await answer;
  expect([statusCode, JSON.parse(body) === result]).toEqual([200, true]);
  const shown = await api.job(job!.id);
  expect([shown.state, shown.payload === payload, shown.result === result]).toEqual(['succeeded', true, true]);
  const list = await api.call('GET', '/v1/jobs');
  expect([list.json().data.length, list.body.length < 5_000]).toEqual([1, true]);
  const stored = await api.context.db.one(sql.type(row(Row))`
    select payload, result, payload_content as "payloadContent", result_content as "resultContent",
      pg_column_size(jobs.*) as size from jobs where id = ${job!.id}`);
  expect(stored).toMatchObject({
    payload: null,
    result: null,
    payloadContent: { size: LARGE },
    resultContent: { size: 2 * LARGE - 2 },
  });
  expect(stored.size).toBeLessThan(2_000);
});

test('what is no larger lies in its row, and nothing is stored beside it', async () => {
  await using api = await contentsApi();
  const worker = await api.worker([{ name: queue }]);
  const text = textOf(262_144);
  const id = await api.submitText(text);
  const [job] = await worker.take();
  await worker.report({ ...fence(job!), type: 'succeeded', result: text });
  const stored = await api.context.db.one(sql.unsafe`
    select payload = to_jsonb(${text}::text) and result = to_jsonb(${text}::text) as held, payload_content as payload,
      result_content as result, (select count(*) from job_contents) as contents from jobs where id = ${id}`);
  expect(stored).toEqual({ held: true, payload: null, result: null, contents: 0 });
  expect(await api.stored()).toEqual([]);
});

test('many jobs in one request, each for itself or all together, may have such payloads', async () => {
  await using api = await contentsApi();
  const items = ['a', 'b'].map((letter) => ({ queue, payload: textOf(LARGE, letter) }));
  for (const path of ['/v1/jobs/bulk', '/v1/jobs/bulk?atomic=true']) {
    const answer = await api.call('POST', path, items);
    const ids = answer.body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id);
    const shown = await Promise.all(ids.map(api.job));
    expect(shown.map((job, index) => job.payload === items[index]!.payload)).toEqual([true, true]);
  }
  expect(await api.stored()).toHaveLength(4);
});

test('a repeated request finds its job and the payload under its key; another under the same key is refused', async () => {
  await using api = await contentsApi();
  const key = { ...late, 'idempotency-key': 'once' };
  const payload = textOf(LARGE);
  const id = await api.submitText(payload, key);
  expect(await api.submitText(payload, key)).toBe(id);
  expect((await api.call('POST', url, { payload: textOf(LARGE, 'b') }, key)).statusCode).toBe(409);
  const found = await findByKey(api.context, 'owner-1', queue, 'once');
  expect([found?.id, found?.payload === payload]).toEqual([id, true]);
  expect((await api.job(id)).payload === payload).toBe(true);
});

test('a job that is cancelled is answered with its payload', async () => {
  await using api = await contentsApi();
  const payload = textOf(LARGE);
  const id = await api.submitText(payload);
  const { state, payload: shown } = (await api.call('DELETE', `/v1/jobs/${id}`)).json();
  expect([state, shown === payload]).toEqual(['cancelled', true]);
});

test('error: above 16 MiB a payload is refused, alone or as one of many, and a result fails its job', async () => {
  await using api = await contentsApi();
  const tooLarge = textOf(MOST + 1);
  const refused = { code: 'payload_too_large', details: { limit_bytes: MOST } };
  const alone = await api.call('POST', url, { payload: tooLarge }, late);
  expect([alone.statusCode, alone.json()]).toMatchObject([413, refused]);
  const many = await api.call('POST', '/v1/jobs/bulk', [{ queue, payload: tooLarge }]);
  expect(JSON.parse(many.body)).toMatchObject({ index: 0, error: refused });
  const id = await api.submitText(textOf(MOST));
  const worker = await api.worker([{ name: queue }]);
  const [job] = await worker.take();
  await worker.report({ ...fence(job!), type: 'succeeded', result: tooLarge });
  expect((await api.job(id)).error).toMatchObject({ code: 'invalid_result', details: { limit_bytes: MOST } });
});

test('one answer carries as much as it can, and the rest comes with the next, having lost nothing', async () => {
  // this process, which does everything here, is busy with such texts for seconds
  await using api = await contentsApi({ LEASE_MS: '20000' });
  const letters = ['a', 'b', 'c'];
  for (const letter of letters) await api.submitText(textOf(7_000_000, letter));
  const worker = await api.worker([{ name: queue }]);
  const seen: string[] = [];
  while (seen.length < letters.length) {
    const jobs = await worker.take(3);
    expect(jobs.length).toBeLessThanOrEqual(2);
    await worker.report(...jobs.map((job) => ({ ...fence(job), type: 'succeeded', result: 'done' })));
    seen.push(...jobs.map(({ payload }) => String(payload)[0]!));
  }
  expect(seen.toSorted()).toEqual(letters);
  const { data } = (await api.call('GET', '/v1/jobs')).json();
  expect(data.map(({ state, failures }: any) => [state, failures])).toEqual(letters.map(() => ['succeeded', 0]));
});
