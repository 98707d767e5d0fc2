import { createHash } from 'node:crypto';
import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { readEvents } from '#src/jobs/ledger/ledger.ts';
import { canonicalText } from '#src/lib/crypto/canonical-json.ts';
import { startSealingJobs } from '#src/receipts/jobs/start-sealing-jobs.ts';
import { contract, fence, type RemoteApi, remoteApi } from '#test/http/workers/remote.ts';

const hashOf = (salt: string, value: unknown): string =>
  createHash('sha256').update(Buffer.from(salt, 'hex')).update(canonicalText(value)).digest('hex');

async function sealed(api: RemoteApi, id: string) {
  await expect.poll(async () => (await api.job(id)).receipt).toBe('sealed');
  const found = (await api.call('GET', `/v1/jobs/${id}/receipt`)).json();
  const receipt = (await api.call('GET', found.receipt)).json();
  const { integrity, authenticity } = (await api.call('GET', `${found.receipt}/verify`)).json();
  return { ...found, receipt, verdicts: [integrity.verdict, authenticity.verdict] };
}

test('a job that asks for a receipt leaves one at its end, which verifies and opens with its salts', async () => {
  await using api = await remoteApi();
  await using _sealing = startSealingJobs(api.context);
  const worker = await api.worker();
  const id = await api.submit(7, { receipt: true });
  const [job] = await worker.take();
  await worker.report(
    { ...fence(job!), type: 'effect_intended', name: 'charge the card', request: { amount: 1 } },
    { ...fence(job!), type: 'effect_done', name: 'charge the card', outcome: { ok: true } },
    { ...fence(job!), type: 'succeeded', result: { bytes: 9 } },
  );
  const { receipt, salts, verdicts } = await sealed(api, id);
  expect(verdicts).toEqual(['pass', 'pass']);
  const { mission, outcome } = receipt.statement.predicate;
  expect([mission.id, outcome, mission.goalSha256]).toEqual([id, 'succeeded', hashOf(salts.payload, { width: 7 })]);
  const types = receipt.events.map(({ type }: { type: string }) => type);
  expect(types).toEqual(['job.accepted', 'job.queued', 'job.started', 'effect.done', 'job.succeeded']);
  expect(receipt.events.at(-1).data.resultSha256).toBe(hashOf(salts.result, { bytes: 9 }));
  expect(JSON.stringify(receipt)).not.toContain('charge');
});

test('a contract asks for all of its jobs; one that failed is sealed as that, and is not redriven', async () => {
  await using api = await remoteApi();
  await using _sealing = startSealingJobs(api.context);
  await api.call('PUT', '/v1/queues/acme.resize-image', { contract: { ...contract, attempts: 1, receipt: true } });
  const worker = await api.worker();
  const id = await api.submit(7);
  const [job] = await worker.take();
  await worker.report({ ...fence(job!), type: 'failed', error: { code: 'no_room', message: 'There was no room.' } });
  const { receipt, verdicts } = await sealed(api, id);
  expect(verdicts).toEqual(['pass', 'pass']);
  expect(receipt.events.at(-1)).toMatchObject({ type: 'job.failed', data: { code: 'no_room', attempts: 1 } });
  const { headers } = await api.key({ operator: true });
  const redriven = await api.app.inject({ method: 'POST', url: `/v1/jobs/${id}/redrive`, headers });
  expect([redriven.statusCode, redriven.json()]).toMatchObject([409, { code: 'state_conflict' }]);
});

test('a receipt names the contract that its job was accepted under, however that was changed since', async () => {
  await using api = await remoteApi();
  await using _sealing = startSealingJobs(api.context);
  const worker = await api.worker();
  const id = await api.submit(7, { receipt: true });
  const changed = { ...contract, title: 'Resize a picture' };
  expect((await api.call('PUT', '/v1/queues/acme.resize-image', { contract: changed })).statusCode).toBe(200);
  const [job] = await worker.take();
  await worker.report({ ...fence(job!), type: 'succeeded', result: { bytes: 9 } });
  const { receipt, contract: accepted, salts, verdicts } = await sealed(api, id);
  expect(verdicts).toEqual(['pass', 'pass']);
  const text = (await api.call('GET', accepted.text)).json();
  expect(text).toEqual({ name: 'acme.resize-image', version: 1, digest: accepted.digest, contract });
  expect(createHash('sha256').update(canonicalText(text.contract)).digest('hex')).toBe(accepted.digest);
  expect(receipt.statement.predicate.mission.planSha256).toBe(hashOf(salts.contract, text.contract));
});

test('error: the text of a contract is shown to the owner of its queue alone', async () => {
  await using api = await remoteApi();
  const { digest } = (await api.call('GET', '/v1/queues/acme.resize-image')).json().data[0];
  const url = `/v1/queues/acme.resize-image/contracts/${digest}`;
  expect((await api.call('GET', url)).json()).toMatchObject({ digest, contract });
  expect((await api.call('GET', url.replace(digest, 'a'.repeat(64)))).statusCode).toBe(404);
  const { headers } = await api.key({ owner: 'owner-2', scopes: ['jobs.manage'] });
  expect((await api.app.inject({ url, headers })).statusCode).toBe(404);
});

test('a receipt lists a thousand events and covers all of them', async () => {
  await using api = await remoteApi();
  const worker = await api.worker();
  const id = await api.submit(7, { receipt: true });
  await api.context.db.query(sql.unsafe`
    insert into events (job, n, type, data) select ${id}::uuid, 1 + g, 'released', jsonb_build_object('g', g) from generate_series(1, 1500) g`);
  await api.context.db.query(sql.unsafe`update jobs set events = 1501 where id = ${id}`);
  const [job] = await worker.take();
  await worker.report({ ...fence(job!), type: 'succeeded', result: { bytes: 9 } });
  await using _sealing = startSealingJobs(api.context);
  const { receipt, salts, verdicts } = await sealed(api, id);
  expect(verdicts).toEqual(['pass', 'pass']);
  const ledger = (await readEvents(api.context, id, 0, 10_000)).map((event) =>
    event.type === 'succeeded' ? { ...event, data: {} } : event,
  );
  const head = ledger.reduce<string | null>((prev, event) => hashOf(salts.ledger, { ...event, prev }), null);
  expect(receipt.events.at(-1).data).toMatchObject({ ledgerEvents: 1_503, ledgerSha256: head, effects: 0 });
  expect(receipt.events).toHaveLength(1 + 1_000 + 1);
});

test('error: a job that asks for none has none', async () => {
  await using api = await remoteApi();
  const id = await api.submit(7, { receipt: false });
  expect((await api.call('GET', `/v1/jobs/${id}/receipt`)).statusCode).toBe(404);
  expect(await api.job(id)).toMatchObject({ receipt: null });
});
