import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { sql } from 'slonik';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { redriveJob } from '#src/jobs/change/redrive.ts';
import { readEvents } from '#src/jobs/ledger/ledger.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { type Claimed, openClaims } from '#src/jobs/run/claim-jobs.ts';
import { releaseOrphans } from '#src/jobs/run/release.ts';
import { openSettlements, type Settlement } from '#src/jobs/run/settle-jobs.ts';
import { submit, submitMany } from '#src/jobs/submit/submit.ts';
import { AppError } from '#src/lib/errors.ts';
import { type Context, openContext } from '#src/system/context.ts';
import { seeded } from '#test/chaos/random.ts';
import { type QuietSystem, quietSystem } from '#test/helpers/quiet.ts';
import { trial } from '#test/helpers/trial.ts';

let system: QuietSystem;
let sides: readonly Context[];
let claims: ReadonlyMap<Context, ReturnType<typeof openClaims>>;
let settlements: ReadonlyMap<Context, ReturnType<typeof openSettlements>>;
let sweeps: readonly Client[];
const worker = randomUUID();
beforeAll(async () => {
  system = await quietSystem();
  const other = await openContext(system.context.config, 'test');
  system.context.onClose(async () => await other[Symbol.asyncDispose]());
  sides = [system.context, other];
  claims = new Map(sides.map((side) => [side, openClaims(side, false)]));
  settlements = new Map(sides.map((side) => [side, openSettlements(side)]));
  sweeps = [await system.connect(), await system.connect()];
  await system.context.db.query(
    sql.unsafe`insert into workers (id, fleet, host, pid, beat_at) values (${worker}, 'hand', 'here', 1, 'infinity')`,
  );
});
afterAll(async () => await system?.[Symbol.asyncDispose]());

const token = randomUUID();
const sweep = async () => await releaseOrphans(system.context, sweeps[0]!, false, []);
const claim = async (context: Context, id: string, dispatch = 1) =>
  await claims.get(context)!({ id, dispatch, token, worker });
const settle = async (context: Context, { id, attempt }: Claimed, state: Settlement['state']) =>
  await settlements.get(context)!({
    id,
    attempt,
    token,
    state,
    event: state === 'queued' ? 'retrying' : state,
    data: {},
    counts: state !== 'succeeded',
    delayMs: 0,
    ...(state === 'succeeded' && { result: 1 }),
    ...(state === 'failed' && { error: { code: 'job_failed', message: 'no' } }),
  });
/** A cancel that comes too late says so. */
const unlessOver = (error: unknown) => {
  if (!(error instanceof AppError && error.code === 'state_conflict')) throw error;
};

test('property: a job that expires while it is claimed, settled and cancelled has one outcome, and begins or expires', async () => {
  const random = seeded(20261126);
  for (let round = 0; round < 6; round++) {
    const payload = { do: 'succeed' as const };
    const wanted = { queue: trial, submission: { principal: { owner: 'alice' }, payload } };
    const many = Array.from({ length: 150 }, () => wanted);
    const jobs = (await submitMany(system.context, many)).flatMap((one) =>
      one.status === 'fulfilled' ? [one.value.job.id] : [],
    );
    expect(jobs).toHaveLength(many.length);
    // some are over before anything is claimed, some never come to it, most meet it
    const inMs = jobs.map(() => random.pick([0, 60_000, random.whole(0, 400), random.whole(0, 400)]));
    await system.context.db.query(sql.unsafe`
      update jobs j set expires_at = clock_timestamp() + g.ms * interval '1 ms'
      from unnest(${sql.array([...jobs], 'uuid')}, ${sql.array(inMs, 'int4')}) as g (id, ms) where j.id = g.id`);
    const claimed = new Map<string, number>();
    const settled: string[] = [];
    let isOver = false;
    const sweeping = Promise.all(
      sweeps.map(async (client) => {
        while (!isOver) await releaseOrphans(system.context, client, false, []);
      }),
    );
    await Promise.all(
      jobs.map(async (id, index) => {
        const context = sides[index % 2]!;
        await sleep(random.whole(0, 400));
        if (random.chance(0.1)) await cancelJob(sides[1 - (index % 2)]!, id, 'alice').catch(unlessOver);
        // both processes have a delivery of it
        const takers = await Promise.all(sides.map(async (side) => await claim(side, id)));
        const [first, ...more] = takers.filter((one) => one !== null);
        expect(more.map((one) => one.attempt)).toEqual([]);
        if (!first) return;
        claimed.set(id, first.attempt);
        await Promise.all([
          random.chance(0.2) ? cancelJob(context, id, 'alice').catch(unlessOver) : undefined,
          settle(context, first, 'succeeded').then((done) => void (done && settled.push(id))),
        ]);
      }),
    );
    await expect
      .poll(
        async () =>
          await system.context.db.oneFirst(sql.unsafe`select count(*)::int from jobs where finished_at is null`),
      )
      .toBe(0);
    isOver = true;
    await sweeping;
    const outcomes = { succeeded: 0, expired: 0, cancelled: 0 };
    for (const id of jobs) {
      const events = await readEvents(system.context, id, 0, 100);
      const types = events.map(({ type }) => type);
      expect(events.map(({ n }) => n)).toEqual(events.map((_, index) => index + 1));
      const hasBegun = types.includes('started');
      expect([id, hasBegun]).toEqual([id, claimed.has(id)]);
      const ends = events.filter(({ type }) => type === 'succeeded' || type === 'cancelled');
      expect([id, types.at(-1), ends.length]).toEqual([id, ends[0]?.type, 1]);
      const isExpired = (ends[0]!.data as { reason?: string }).reason === 'expired';
      expect([id, hasBegun && isExpired]).toEqual([id, false]);
      expect([id, ends[0]?.type === 'succeeded']).toEqual([id, settled.includes(id)]);
      outcomes[isExpired ? 'expired' : (types.at(-1) as 'succeeded' | 'cancelled')]++;
    }
    // the race was one
    expect(Math.min(outcomes.succeeded, outcomes.expired)).toBeGreaterThan(0);
  }
}, 120_000);

/** Ways by which a job that has begun comes back into its queue. */
const returns: Readonly<Record<string, (job: Claimed) => Promise<unknown>>> = {
  'another attempt follows': async (job) => await settle(system.context, job, 'queued'),
  'its worker is lost': async ({ id }) => {
    await system.context.db.query(sql.unsafe`update jobs set worker_id = gen_random_uuid() where id = ${id}`);
    await sweep();
  },
  'it failed and is run again by hand': async (job) => {
    await settle(system.context, job, 'failed');
    await redriveJob(system.context, job.id, 'alice');
  },
};

test.each(Object.keys(returns))('a job that has begun in its time does not expire when %s', async (way) => {
  const { context } = system;
  const { job } = await submit(context, trial, {
    principal: { owner: 'alice' },
    payload: { do: 'succeed' },
    expiresAt: new Date(Date.now() + 60_000),
  });
  const first = await claim(context, job.id);
  // its time passes while it runs
  await context.db.query(
    sql.unsafe`update jobs set expires_at = now() where id = ${job.id} and expires_at is not null`,
  );
  await returns[way]!(first!);
  await sweep();
  const waiting = await readJob(context, job.id);
  expect(waiting).toMatchObject({ state: 'queued', attempt: 1 });
  await context.db.query(sql.unsafe`update jobs set suspect = false where id = ${job.id}`);
  const again = await claim(context, job.id, waiting!.dispatch);
  expect(again).toMatchObject({ id: job.id, attempt: 2 });
  await settle(context, again!, 'succeeded');
});
