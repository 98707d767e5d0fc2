import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { approveJob, releaseApproved } from '#src/jobs/change/approve.ts';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { releaseHeld } from '#src/jobs/change/change-job.ts';
import { auditBroker, auditFed, auditSession } from '#src/jobs/feed/audit.ts';
import { gaugeQueues } from '#src/jobs/figures/queue-gauges.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { sessionUrl } from '#src/system/postgres/postgres.ts';
import { entryOf } from '#test/helpers/carried.ts';
import { claimsFor, testSystem } from '#test/helpers/jobs.ts';
import { until } from '#test/helpers/processes.ts';
import { type QuietSystem, quietSystem } from '#test/helpers/quiet.ts';
import { trial } from '#test/helpers/trial.ts';

const ask = async ({ context }: Pick<QuietSystem, 'context'>, more: object = {}) =>
  (await submit(context, trial, { principal: { owner: 'alice' }, payload: { do: 'succeed' }, ...more })).job;

const isKnown = async ({ context }: QuietSystem, id: string) =>
  Number((await entryOf(context, { id, dispatch: 1 })) !== undefined);

const audit = async ({ context, connect }: QuietSystem) => {
  // as if they had waited for long
  await context.db.query(sql.unsafe`update jobs set queued_at = queued_at - interval '1 minute'`);
  const [client, missing] = [await connect(), new Map()];
  // what is missing twice is lost
  await auditBroker(context, client, [trial.name], missing);
  return await auditBroker(context, client, [trial.name], missing);
};

test('a held job is added to no broker, found by no audit and claimed by no worker until it is released', async () => {
  await using system = await quietSystem();
  const { context } = system;
  await until(() => context.redis.status === 'ready');
  const job = await ask(system, { held: true });
  expect(job).toMatchObject({ state: 'queued', held: true });
  expect(await audit(system)).toBe(0);
  const worker = randomUUID();
  await context.db.query(sql.unsafe`insert into workers (id, fleet, host, pid) values (${worker}, 'hand', 'here', 1)`);
  const claim = claimsFor(context, () => worker, false);
  expect(await claim({ id: job.id, dispatch: 1, token: randomUUID() })).toBeNull();
  expect(await isKnown(system, job.id)).toBe(0);

  expect(await releaseHeld(context, [job.id, randomUUID()])).toMatchObject([{ id: job.id, held: false, events: 2 }]);
  expect(await isKnown(system, job.id)).toBe(1);
  expect(await releaseHeld(context, [job.id])).toEqual([]);
  expect(await claim({ id: job.id, dispatch: 1, token: randomUUID() })).toMatchObject({ id: job.id });
});

test('a job that is approved into a held queue waits there; one that is approved without a word runs', async () => {
  await using system = await quietSystem();
  const { context } = system;
  await until(() => context.redis.status === 'ready');
  const [first, second, third] = [
    await ask(system, { approvalId: randomUUID(), held: true }),
    await ask(system, { approvalId: randomUUID() }),
    await ask(system, { approvalId: randomUUID(), held: true }),
  ];
  expect(await releaseApproved(context, first.id, 'op', { held: true })).toMatchObject({ state: 'queued', held: true });
  await context.db.transaction(async (tx) => await approveJob(tx, second.id, { by: 'op', held: true }));
  expect(await releaseApproved(context, third.id, 'op')).toMatchObject({ state: 'queued', held: false });
  await expect.poll(() => isKnown(system, third.id)).toBe(1);
  expect(await audit(system)).toBe(0);
  expect(await Promise.all([first, second].map(({ id }) => isKnown(system, id)))).toEqual([0, 0]);
});

test('a held job that is cancelled is no longer held, and nothing lets it go', async () => {
  await using system = await quietSystem();
  const { id } = await ask(system, { held: true });
  await cancelJob(system.context, id, 'op');
  expect(await releaseHeld(system.context, [id])).toEqual([]);
  expect(await readJob(system.context, id)).toMatchObject({ state: 'cancelled', held: false });
});

test('held jobs are counted apart from those that wait for a worker, and do not grow the age of the queue', async () => {
  await using system = await quietSystem();
  const { context } = system;
  gaugeQueues(context);
  const { id } = await ask(system, { held: true });
  // the gauges know the queues of this release
  await context.db.query(
    sql.unsafe`update jobs set queue = 'studio.render', queued_at = now() - interval '1 hour', run_at = now() - interval '1 hour' where id = ${id}`,
  );
  const text = await context.metrics.registry.metrics();
  expect(text).toContain('proofline_queue_depth{queue="studio.render",state="held"} 1');
  expect(text).toContain('proofline_queue_depth{queue="studio.render",state="queued"} 0');
  expect(text).toContain('proofline_queue_oldest_waiting_seconds{queue="studio.render"} 0');
});

test('a held job that is let go runs in a fleet', async () => {
  await using system = await testSystem();
  await system.fleet();
  const [held, free] = [await system.submit({ do: 'succeed' }, { held: true }), await system.submit({ do: 'succeed' })];
  await system.ended(free.id);
  await releaseHeld(system.context, [held.id]);
  expect(await system.ended(held.id)).toMatchObject({ state: 'succeeded', held: false, attempt: 1 });
  expect(await system.events(held.id)).toEqual(['queued', 'released', 'started', 'succeeded']);
});

test('the audit walks the index of what waits, whatever is held', async () => {
  await using system = await quietSystem();
  const { db, config } = system.context;
  await db.query(sql.unsafe`
    insert into jobs (id, owner, queue, state, priority, payload, request_hash, held)
    select uuidv7(), 'alice', ${trial.name}, 'queued', 0, '{}', '\\x00', n % 2 = 0 from generate_series(1, 5000) n`);
  const client = new Client({ connectionString: sessionUrl(config.DATABASE_URL, 'test') });
  await client.connect();
  try {
    await client.query(auditSession);
    for (const analyze of ['', 'analyze jobs']) {
      await client.query(analyze);
      const { rows } = await client.query(`explain (generic_plan) ${auditFed.text}`);
      const plan = JSON.stringify(rows);
      expect(plan).toContain('using jobs_fed on jobs');
      expect(plan).not.toMatch(/Sort|Filter/);
    }
  } finally {
    await client.end();
  }
});
