import { randomUUIDv7 } from 'node:crypto';
import { join } from 'node:path';
import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { openBudget, reserve, settle } from '#src/governance/budgets/budgets.ts';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { readReceipt } from '#src/receipts/receipt-store.ts';
import { sealEnded } from '#src/studio/live/seal-ended.ts';
import { startStudio } from '#src/studio/live/start-studio.ts';
import type { Context } from '#src/system/context.ts';
import { testFolder } from '#test/helpers/processes.ts';
import { type TestApi, testApi } from '#test/http/api.ts';
import { openSse } from '#test/http/streams.ts';
import { hangs, signerServer } from '#test/receipts/signer-server.ts';
import { askedCall, grant, outputOf } from '#test/studio/work.ts';

type Headers = Readonly<Record<string, string>>;

/** A live render that nobody carries out. */
async function accepted(api: TestApi, headers: Headers) {
  const { brief } = await outputOf(api, headers, 'brief', { mode: 'publish', prompt: 'A harbour wakes' });
  const planned = await outputOf(api, headers, 'plan', { briefId: brief?.['id'] });
  const [plan, approval] = [String(planned['plan']?.['id']), String(planned['approval']?.['id'])];
  await grant(api.context, approval, 'owner-1');
  const { job } = await outputOf(api, headers, 'render', { planId: plan, dryRun: false, approvalRef: approval });
  return { plan, render: String(job?.['id']) };
}

/** As if a worker had begun it and it had come to nothing. */
async function failed({ db }: Context, job: string): Promise<void> {
  const error = JSON.stringify({ code: 'providers_exhausted', message: 'Nobody made it.', details: {} });
  await db.query(sql.unsafe`
    update jobs set state = 'failed', attempt = 1, started_at = now(), finished_at = now(), error = ${error}::jsonb
    where id = ${job}`);
}

const outcomeOf = async (context: Context, id: string) =>
  (await readReceipt(context, id))?.statement.predicate.outcome ?? null;

test('a render that failed is sealed once all its calls are decided, and its receipt lists each call', async () => {
  await using api = await testApi();
  const { context } = api;
  const { headers } = await api.key();
  const { plan, render } = await accepted(api, headers);
  const job = await askedCall(context, 'owner-1', plan, render);
  const call = { job, provider: 'local-animatic' };
  const budgets = [`job:${render}`];
  await openBudget(context.db, `job:${render}`, null);
  await reserve(context, {
    ...call,
    owner: 'owner-1',
    keyId: null,
    surface: 'studio',
    capability: 'video.generate',
    budgets,
    quoted: 10_000,
  });
  await failed(context, render);
  await sealEnded(context);
  expect(await outcomeOf(context, render)).toBeNull();

  // the job of the call has ended, what the call came to is not known yet
  await cancelJob(context, job, 'the test');
  await sealEnded(context);
  expect(await outcomeOf(context, render)).toBeNull();

  await settle(context, call, { cost: 20_000, externalId: null });
  await sealEnded(context);
  const receipt = await readReceipt(context, render);
  expect(receipt?.statement.predicate.outcome).toBe('failed');
  expect(receipt?.events.filter(({ type }) => type.startsWith('call.'))).toMatchObject([
    { type: 'call.settled', data: { provider: 'local-animatic', costUsd: '0.020000' } },
  ]);
});

test('error: what can never be sealed holds up no other', async () => {
  await using api = await testApi();
  const { context } = api;
  const { headers } = await api.key();
  const [first, second] = [await accepted(api, headers), await accepted(api, headers)];
  await failed(context, first.render);
  await failed(context, second.render);
  // no subject of a receipt has so long a name
  await context.db.query(sql.unsafe`
    insert into assets (id, owner, job, name, kind, sha256, size, media_type, capability, provider, provenance)
    values (${randomUUIDv7()}, 'owner-1', ${first.render}, repeat('x', 600), 'video', decode(${'ab'.repeat(32)}, 'hex'), 1,
      'video/mp4', 'video.generate', 'local-animatic', '{"kind": "none", "note": ""}')`);
  await sealEnded(context);
  expect(await outcomeOf(context, first.render)).toBeNull();
  expect(await outcomeOf(context, second.render)).toBe('failed');
});

test('while the signer hangs, owners get the events of their jobs all the same', async () => {
  using folder = testFolder();
  await using signer = await signerServer(1);
  await using api = await testApi({
    SEAL_KEY_FILE: join(folder.path, 'seal-key.json'),
    SEAL_SIGNER_URL: signer.url,
    SEAL_SIGNER_TOKEN: 'token-of-the-signer',
    SEAL_SIGNER_PUBLIC_KEY: signer.keys[0]!.publicKey,
    SEAL_SIGNER_TIMEOUT_MS: '2000',
  });
  const { context } = api;
  const { headers } = await api.key();
  const { render } = await accepted(api, headers);
  await failed(context, render);
  signer.answersWith(hangs);
  const asked = signer.askedAgain(1);
  startStudio(context);
  await asked;
  const { render: second } = await accepted(api, headers);
  await cancelJob(context, second, 'the test');
  const url = await api.app.listen({ port: 0, host: '127.0.0.1' });
  const stream = await openSse(`${url}/api/studio/v1/events`, headers);
  let heard = '';
  for await (const { event, data } of stream.events) {
    heard = data;
    if (event === 'job.cancelled') break;
  }
  stream.close();
  expect(heard).toContain(second);
  expect(await outcomeOf(context, render)).toBeNull();
});
