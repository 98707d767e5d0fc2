import { expect, test, vi } from 'vitest';
import { respond } from '#queues/platform.ts';
import { createKey } from '#src/access/keys/keys.ts';
import { beginPaid } from '#src/governance/budgets/begin-paid-job.ts';
import { readBudget } from '#src/governance/budgets/budget-rows.ts';
import { openBudget, readCalls } from '#src/governance/budgets/budgets.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { scopes } from '#src/lib/principal.ts';
import { resumeText } from '#src/platform/text/resume-text.ts';
import { effectNames } from '#src/providers/calls/paying-effects.ts';
import { freePort } from '#src/system/embedded/ports.ts';
import { paidJob, provider } from '#test/governance/budgets/paid-job.ts';
import { startChild } from '#test/helpers/child.ts';
import { type TestSystem, testSystem } from '#test/helpers/jobs.ts';
import { until } from '#test/helpers/processes.ts';
import { chunkOf, stalls, streams } from '#test/helpers/vendors/chat-stream.ts';
import { textVendors } from '#test/platform/text-world.ts';
import { handlers } from '#workers/handlers.ts';
import { startFleet } from '#workers/run/fleet.ts';

// a process is started and killed
vi.setConfig({ testTimeout: 120_000 });

const messages = [{ role: 'user', content: 'What is at the end of the pier?' }];

async function platformFleet({ context }: TestSystem) {
  const fleet = await startFleet(context, {
    name: 'platform',
    handlers: handlers.filter(({ queue }) => queue.name === respond.name),
    module: new URL('../../../workers/handlers.ts', import.meta.url),
    concurrency: 4,
  });
  return { [Symbol.asyncDispose]: async () => await fleet.drain() };
}

test('an API process that is killed in the middle of a turn: no provider is called again, and what may be owed stays reserved', async () => {
  await using text = await textVendors([{ chat: [streams([chunkOf({ content: 'A light' })], stalls)] }]);
  await using system = await testSystem(text.env);
  const { context } = system;
  const { key, secret } = await createKey(context, { owner: 'alice', name: 'test', scopes });
  const port = await freePort();
  await using api = await startChild(new URL('../../../src/api/server.ts', import.meta.url), {
    ...system.env,
    PORT: String(port),
  });
  const answer = await fetch(`http://127.0.0.1:${port}/api/v2/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ messages, stream: true }),
  });
  const id = answer.headers.get('x-job-id') ?? '';
  api.kill('SIGKILL');
  await api.exited;
  await answer.text().catch(() => '');
  await using _fleet = await platformFleet(system);
  await until(async () => (await readCalls(context, id))[0]?.state === 'unknown');
  expect(await system.ended(id)).toMatchObject({ state: 'failed', error: { code: 'outcome_unknown' } });
  // on a busy machine a lease may be lost once more on the way
  expect((await system.events(id)).join(' ')).toMatch(/^queued started( released started)+ failed$/);
  expect(text.vendors[0]?.received('chat')).toHaveLength(1);
  const budget = await readBudget(context, `key:${key.id}:${new Date().toISOString().slice(0, 7)}`);
  expect(budget).toMatchObject({ reserved: 4_096 * 2 + 11, spent: 0 });
});

test('an attempt that is lost after it found a call left open changes nothing: the next one finds the same', async () => {
  await using system = await testSystem();
  const { context } = system;
  const effect = effectNames.exchange(provider);
  const job = await paidJob(context, 800, { effect });
  await openBudget(context.db, 'job:1', null);
  await beginPaid(context, job);
  for (const attempt of [2, 3]) {
    const resumed = resumeText(context, { id: job.id, attempt });
    await expect(resumed).rejects.toMatchObject({ code: 'outcome_unknown', details: { job: job.id, effect } });
  }
  expect(await readCalls(context, job.id)).toMatchObject([{ provider, state: 'unknown', held: 800 }]);
});

test('a turn without a waiting client is run by a worker, and its whole message is its result', async () => {
  await using text = await textVendors([{}]);
  await using system = await testSystem(text.env);
  await using _fleet = await platformFleet(system);
  const work = {
    request: { messages },
    model: null,
    routing: { policy: 'balanced', fallback: true },
  };
  const { job } = await submit(system.context, respond, {
    principal: { owner: 'alice' },
    payload: { work, keyId: null, background: true },
  });
  expect(await system.ended(job.id)).toMatchObject({
    state: 'succeeded',
    result: {
      provider: 'one',
      model: 'model-1',
      finish: 'stop',
      usage: { inputTokens: 50, outputTokens: 1_000 },
      costMicroUsd: 2_050,
      message: { content: 'A lighthouse at dusk.', refusal: null, toolCalls: [] },
    },
  });
});
