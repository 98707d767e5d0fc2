import { randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { redriveJob } from '#src/jobs/change/redrive.ts';
import { type EffectAdapter, EffectRefused, runEffect } from '#src/jobs/effects/effects.ts';
import { decideEffect, type EffectOwner, intendEffect, type Sent } from '#src/jobs/effects/intents.ts';
import { openSettlements } from '#src/jobs/run/settle-jobs.ts';
import { AppError } from '#src/lib/errors.ts';
import { openContext } from '#src/system/context.ts';
import { claimsFor, type TestSystem, testSystem } from '#test/helpers/jobs.ts';

async function running(system: TestSystem) {
  const { db } = system.context;
  const { id } = await system.submit({ do: 'succeed' });
  const worker = randomUUID();
  const token = randomUUID();
  await db.query(
    sql.unsafe`insert into workers (id, fleet, host, pid, beat_at) values (${worker}, 'hand', 'here', 1, now() + interval '1 hour')`,
  );
  const claimed = await claimsFor(system.context, () => worker, false)({ id, dispatch: 1, token });
  return { id, token, worker, attempt: claimed?.attempt ?? 0 };
}

/** A provider that remembers what it was told. */
function provider(crashes: number) {
  const told: string[] = [];
  const send = async (_request: unknown, key: string): Promise<Sent> => {
    told.push(key);
    if (told.length <= crashes) throw new AppError('unavailable', 'the connection broke after the request was sent');
    return { externalId: `ext-${key}`, outcome: { ok: true } };
  };
  return { told, send };
}

const never = new AbortController().signal;

test('an effect that is done is not done again; its outcome is kept', async () => {
  await using system = await testSystem();
  const job = await running(system);
  const { told, send } = provider(0);
  const adapter: EffectAdapter<object> = { kind: 'idempotent', send };
  const first = await runEffect(system.context, job, 'pay', { usd: 5 }, adapter, never);
  expect(await runEffect(system.context, job, 'pay', { usd: 5 }, adapter, never)).toEqual(first);
  expect(told).toHaveLength(1);
});

test('after a crash an idempotent provider is told again with the same key', async () => {
  await using system = await testSystem();
  const job = await running(system);
  const { told, send } = provider(1);
  const adapter: EffectAdapter<object> = { kind: 'idempotent', send };
  await expect(runEffect(system.context, job, 'pay', {}, adapter, never)).rejects.toThrow('broke');
  await runEffect(system.context, job, 'pay', {}, adapter, never);
  expect(told).toEqual([`${job.id}.pay`, `${job.id}.pay`]);
});

test('after a crash a queryable provider is asked, and told again only where it knows nothing', async () => {
  await using system = await testSystem();
  const job = await running(system);
  for (const knows of [true, false]) {
    const { told, send } = provider(1);
    const adapter: EffectAdapter<object> = {
      kind: 'queryable',
      visibilityDelayMs: 50,
      send,
      find: async (key) => (knows ? { externalId: `found-${key}`, outcome: null } : null),
    };
    const effect = `pay-${knows}`;
    await expect(runEffect(system.context, job, effect, {}, adapter, never)).rejects.toThrow('broke');
    const sent = await runEffect(system.context, job, effect, {}, adapter, never);
    expect(sent.externalId).toBe(knows ? `found-${job.id}.${effect}` : `ext-${job.id}.${effect}`);
    expect(told).toHaveLength(knows ? 1 : 2);
  }
});

test('a provider that can neither be asked nor deduplicate is never told twice; a human decides', async () => {
  await using system = await testSystem();
  const job = await running(system);
  const { told, send } = provider(1);
  const adapter: EffectAdapter<object> = { kind: 'neither', send };
  await expect(runEffect(system.context, job, 'post', {}, adapter, never)).rejects.toThrow('broke');
  await expect(runEffect(system.context, job, 'post', {}, adapter, never)).rejects.toMatchObject({
    code: 'outcome_unknown',
  });
  expect(told).toHaveLength(1);
  const error = { code: 'outcome_unknown', message: 'unknown' };
  await openSettlements(system.context)({
    ...job,
    state: 'failed',
    event: 'failed',
    data: { error },
    error,
    counts: true,
    delayMs: 0,
  });
  await expect(redriveJob(system.context, job.id, 'operator')).rejects.toMatchObject({
    code: 'state_conflict',
    details: { effects: ['post'] },
  });
  expect(await redriveJob(system.context, job.id, 'operator', 'assume_done')).toMatchObject({ state: 'queued' });
  const [state] = await system.context.db.anyFirst(sql.unsafe`select state from effects where job = ${job.id}`);
  expect(state).toBe('done');
});

test('what a provider that was asked calls unknown is not sent, and a human decides', async () => {
  await using system = await testSystem();
  const job = await running(system);
  const { told, send } = provider(1);
  const find = async () => {
    throw new AppError('outcome_unknown', 'it has not told us');
  };
  const adapter: EffectAdapter<object> = { kind: 'queryable', visibilityDelayMs: 0, send, find };
  await expect(runEffect(system.context, job, 'pay', {}, adapter, never)).rejects.toThrow('broke');
  await expect(runEffect(system.context, job, 'pay', {}, adapter, never)).rejects.toMatchObject({
    code: 'outcome_unknown',
  });
  expect(told).toHaveLength(1);
  const [state] = await system.context.db.anyFirst(sql.unsafe`select state from effects where job = ${job.id}`);
  expect(state).toBe('unknown');
});

test('a refusal may be tried again; another request under the same name may not', async () => {
  await using system = await testSystem();
  const job = await running(system);
  let refusals = 0;
  const adapter: EffectAdapter<object> = {
    kind: 'neither',
    send: async () => {
      if (refusals++ === 0) throw new EffectRefused('invalid_request', 'no such account');
      return { externalId: 'x', outcome: null };
    },
  };
  await expect(runEffect(system.context, job, 'pay', { to: 'a' }, adapter, never)).rejects.toThrow('no such account');
  expect(await runEffect(system.context, job, 'pay', { to: 'a' }, adapter, never)).toMatchObject({ externalId: 'x' });
  await expect(runEffect(system.context, job, 'pay', { to: 'b' }, adapter, never)).rejects.toMatchObject({
    code: 'state_conflict',
  });
});

test('an attempt that lost its fence sends nothing; an outcome is recorded whatever the fence says', async () => {
  await using system = await testSystem();
  const job = await running(system);
  const { told, send } = provider(0);
  await expect(
    runEffect(system.context, { ...job, attempt: 9 }, 'pay', {}, { kind: 'idempotent', send }, never),
  ).rejects.toMatchObject({ code: 'stale_claim' });
  expect(told).toHaveLength(0);
  const slow: EffectAdapter<object> = {
    kind: 'idempotent',
    send: async (request, key) => {
      await system.context.db.query(sql.unsafe`delete from workers where id = ${job.worker}`);
      await system.until(job.id, ({ dispatch }) => dispatch > 1);
      return await send(request, key);
    },
  };
  await runEffect(system.context, job, 'pay', {}, slow, never);
  const [state] = await system.context.db.anyFirst(sql.unsafe`select state from effects where job = ${job.id}`);
  expect(state).toBe('done');
});

test('a queryable provider that shows a late call late is not told again', async () => {
  await using system = await testSystem();
  const job = await running(system);
  const { told, send } = provider(1);
  let madeAt = Number.POSITIVE_INFINITY;
  const adapter: EffectAdapter<object> = {
    kind: 'queryable',
    visibilityDelayMs: 200,
    send: async (request, key) => {
      // long after the intent was written
      await new Promise((resolve) => setTimeout(resolve, 300));
      madeAt = Math.min(madeAt, performance.now());
      return await send(request, key);
    },
    find: async (key) => (performance.now() - madeAt >= 200 ? { externalId: `found-${key}`, outcome: null } : null),
  };
  await expect(runEffect(system.context, job, 'pay', {}, adapter, never)).rejects.toThrow('broke');
  expect(await runEffect(system.context, job, 'pay', {}, adapter, never)).toMatchObject({
    externalId: `found-${job.id}.pay`,
  });
  expect(told).toHaveLength(1);
});

test('an attempt that sleeps past its lease between intent and call sends nothing', async () => {
  await using system = await testSystem({ LEASE_MS: '500', BEAT_MS: '100' });
  const job = await running(system);
  const { told, send } = provider(0);
  const asleep: EffectAdapter<object> = {
    kind: 'queryable',
    visibilityDelayMs: 0,
    send,
    find: async () => {
      await system.context.db.query(sql.unsafe`delete from workers where id = ${job.worker}`);
      await system.until(job.id, ({ dispatch }) => dispatch > 1);
      await new Promise((resolve) => setTimeout(resolve, 300));
      return null;
    },
  };
  await system.context.db.query(
    sql.unsafe`insert into effects (job, effect, request_hash, state, attempt) values (${job.id}, 'pay', sha256('{}'), 'intended', 0)`,
  );
  await expect(runEffect(system.context, job, 'pay', {}, asleep, never)).rejects.toMatchObject({ code: 'stale_claim' });
  expect(told).toHaveLength(0);
});

test('a refusal that comes after another attempt has sent does not let a third one send again', async () => {
  await using system = await testSystem();
  const job = await running(system);
  const refused: EffectAdapter<object> = {
    kind: 'neither',
    send: async () => {
      await system.context.db.query(sql.unsafe`update effects set attempt = attempt + 1 where job = ${job.id}`);
      throw new EffectRefused('unavailable', 'refused');
    },
  };
  await expect(runEffect(system.context, job, 'pay', {}, refused, never)).rejects.toThrow('refused');
  const [state] = await system.context.db.anyFirst(sql.unsafe`select state from effects where job = ${job.id}`);
  expect(state).toBe('intended');
});

test('an effect is sent once, however many calls for it run at once, in this process and in another', async () => {
  await using system = await testSystem();
  const job = await running(system);
  await using other = await openContext(system.context.config, 'other');
  const { told, send } = provider(0);
  const slow: EffectAdapter<object> = {
    kind: 'neither',
    send: async (request, key) => {
      await new Promise((resolve) => setImmediate(resolve));
      return await send(request, key);
    },
  };
  for (let round = 0; round < 20; round++) {
    const calls = [system.context, system.context, other].map((context) =>
      runEffect(context, job, `pay-${round}`, {}, slow, never),
    );
    await Promise.allSettled(calls);
  }
  expect(told).toHaveLength(20);
});

test('a worker elsewhere is told what to do about an effect, and the same again when it asks again', async () => {
  await using system = await testSystem();
  const { context } = system;
  const first = await running(system);
  const key = `${first.id}.pay`;
  const intend = async (job: EffectOwner, name = 'pay') => await intendEffect(context, job, name, { usd: 5 });
  expect(await intend(first)).toEqual({ state: 'fresh', key, isRepeated: false });
  // its answer was lost
  expect(await intend(first)).toEqual({ state: 'fresh', key, isRepeated: true });
  await expect(intendEffect(context, first, 'pay', { usd: 6 })).rejects.toMatchObject({ code: 'state_conflict' });

  await context.db.query(sql.unsafe`delete from workers where id = ${first.worker}`);
  const { dispatch } = await system.until(first.id, ({ state }) => state === 'queued');
  await context.db.query(sql.unsafe`update jobs set suspect = false where id = ${first.id}`);
  const worker = randomUUID();
  await context.db.query(
    sql.unsafe`insert into workers (id, fleet, host, pid, beat_at) values (${worker}, 'hand', 'here', 1, now() + interval '1 hour')`,
  );
  const token = randomUUID();
  const claimed = await claimsFor(context, () => worker, false)({ id: first.id, dispatch, token });
  const second = { id: first.id, attempt: claimed?.attempt ?? 0, token };
  // the first may have made it: that is so however often the second asks
  for (let n = 0; n < 2; n++) expect(await intend(second)).toEqual({ state: 'again', key });
  await expect(intend(first)).rejects.toMatchObject({ code: 'stale_claim' });
  await expect(intend({ ...second, token: randomUUID() })).rejects.toMatchObject({ code: 'stale_claim' });

  await decideEffect(context, second, 'pay', 'done', { externalId: 'p-1', outcome: { ok: true } });
  expect(await intend(second)).toEqual({ state: 'done', key, externalId: 'p-1', outcome: { ok: true } });
  await decideEffect(context, second, 'pay', 'unknown', { externalId: null, outcome: null });
  expect(await intend(second)).toMatchObject({ state: 'done' });

  expect(await intend(second, 'mail')).toMatchObject({ state: 'fresh' });
  await decideEffect(context, second, 'mail', 'failed', { externalId: null, outcome: null });
  expect(await intend(second, 'mail')).toMatchObject({ state: 'fresh', isRepeated: false });
  await decideEffect(context, second, 'mail', 'unknown', { externalId: null, outcome: null });
  expect(await intend(second, 'mail')).toEqual({ state: 'unknown', key: `${first.id}.mail` });
});
