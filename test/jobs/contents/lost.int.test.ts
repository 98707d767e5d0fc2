import { mkdtempDisposable, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { blobsOf } from '#src/system/blobs/blobs.ts';
import { testSystem } from '#test/helpers/jobs.ts';
import { scratch } from '#test/helpers/scratch.ts';
import { fence } from '#test/http/workers/remote.ts';
import { contentsApi, LARGE, queue, textOf, url } from './contents-api.ts';

const lost = { code: 'content_lost', message: expect.stringContaining(`(${LARGE} bytes), got none: it is no longer`) };

test('a job whose payload is lost fails at once with a sentence, which its reader gets too; its worker goes on', async () => {
  await using api = await contentsApi();
  const id = await api.submitText(textOf(LARGE));
  await rm(api.folder, { recursive: true });
  expect(await api.job(id)).toMatchObject({ state: 'queued', payload: null, warning: lost.message });
  const other = await api.submitText('small');
  const worker = await api.worker([{ name: queue }]);
  expect(await worker.take()).toMatchObject([{ id: other }]);
  await expect
    .poll(async () => await api.job(id))
    .toMatchObject({ state: 'failed', attempt: 1, failures: 1, error: lost });
});

test('error: a result that is lost is the answer to nobody', async () => {
  await using api = await contentsApi();
  const worker = await api.worker([{ name: queue }]);
  const key = { prefer: 'wait=30', 'idempotency-key': 'once' };
  const answer = api.call('POST', url, { payload: 'small' }, key);
  const [job] = await worker.take();
  await worker.report({ ...fence(job!), type: 'succeeded', result: textOf(LARGE) });
  expect((await answer).statusCode).toBe(200);
  await rm(api.folder, { recursive: true });
  const again = await api.call('POST', url, { payload: 'small' }, key);
  expect([again.statusCode, again.json()]).toMatchObject([500, { code: 'content_lost' }]);
  expect(await api.job(job!.id)).toMatchObject({ state: 'succeeded', result: null, warning: lost.message });
});

test('while the storage does not answer a job is given back without having failed, and runs once it does', async () => {
  await using api = await contentsApi();
  const payload = textOf(LARGE);
  const id = await api.submitText(payload);
  await rename(api.folder, `${api.folder}-away`);
  await writeFile(api.folder, 'no folder');
  const worker = await api.worker([{ name: queue }]);
  const taking = worker.take();
  const reasons = async () =>
    await api.context.db.anyFirst(
      sql.unsafe`select data ->> 'reason' from events where job = ${id} and type = 'released'`,
    );
  await expect.poll(reasons, { timeout: 20_000 }).toContain('payload_away');
  await rm(api.folder);
  await rename(`${api.folder}-away`, api.folder);
  const [job] = await taking;
  expect([job!.id, job!.payload === payload, job!.attempt > 1]).toEqual([id, true, true]);
  expect(await api.job(id)).toMatchObject({ state: 'running', failures: 0 });
});

test('processes of ours run such jobs as well, and one whose payload is lost fails at once', async () => {
  await using home = await mkdtempDisposable(join(scratch, 'contents-'));
  await using system = await testSystem({ ARTEFACTS_FOLDER: home.path });
  const text = textOf(LARGE);
  const [kept, gone] = [await system.submit({ do: 'succeed', text }), await system.submit({ do: 'succeed', text })];
  const { payloadContent } = await system.until(gone.id, (job) => job.payloadContent !== null);
  await blobsOf(system.context).remove(payloadContent?.sha256 ?? '');
  await system.fleet();
  expect(await system.ended(gone.id)).toMatchObject({ state: 'failed', attempt: 1, error: { code: 'content_lost' } });
  expect(await system.ended(kept.id)).toMatchObject({ state: 'succeeded', result: null, resultContent: {} });
});
