import { randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { releaseApproved } from '#src/jobs/change/approve.ts';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { changeJob } from '#src/jobs/change/change-job.ts';
import { redriveJob } from '#src/jobs/change/redrive.ts';
import { refuseJob } from '#src/jobs/change/refuse.ts';
import { isTerminal, moves, type State, states } from '#src/jobs/model/states.ts';
import { recordSoloCrash } from '#src/jobs/run/record-solo-crash.ts';
import { openSettlements, type Settlement } from '#src/jobs/run/settle-jobs.ts';
import { suspend } from '#src/jobs/steps/suspend.ts';
import { startNow } from '#src/jobs/wake/start-dependents.ts';
import { wakeJob } from '#src/jobs/wake/wake.ts';
import { claimsFor, type TestSystem, testSystem } from '#test/helpers/jobs.ts';

type Move = keyof typeof moves;

/** A job in any state, which an earlier process started, lost, and died of. */
async function jobIn(system: TestSystem, state: State): Promise<{ id: string; worker: string; token: string }> {
  const { db } = system.context;
  const { id } = await system.submit({ do: 'succeed' }, { runAt: new Date(Date.now() + 3_600_000) });
  const worker = randomUUID();
  const token = randomUUID();
  await db.query(
    sql.unsafe`insert into workers (id, fleet, host, pid, beat_at) values (${worker}, 'hand', 'here', 1, now() + interval '1 hour')`,
  );
  await db.query(sql.unsafe`
    insert into events (job, n, type, data) values
      (${id}, 2, 'started', '{"attempt": 1}'), (${id}, 3, 'released', '{"reason": "worker_lost"}')`);
  await db.query(sql.unsafe`
    update jobs set state = ${state}, attempt = 1, lone_deaths = 1, events = 3, claim_token = ${token}, worker_id = ${state === 'running' ? worker : null},
      finished_at = ${isTerminal(state) ? sql.fragment`now()` : sql.fragment`null`}
    where id = ${id}`);
  // what it waits for is there, and nothing tells the waker
  await db.query(sql.unsafe`insert into signals (job, name, key, payload) values (${id}, 'come', 'k', '1')`);
  if (state === 'waiting')
    await db.query(sql.unsafe`
      insert into waits (job, attempt, kind, name, after, owner, queue) values (${id}, 1, 'signal', 'come', 0, 'alice', 'trial.run')`);
  return { id, worker, token };
}

const settlement = (state: Settlement['state'], event: string) => ({
  state,
  event,
  data: {},
  counts: false,
  delayMs: 0,
  result: null,
});

/** Lets a job that has waited for another begin, as it was submitted and as that one has ended. */
async function beginAs({ context }: TestSystem, id: string, ended: State, terms: string | null = null): Promise<void> {
  const { db } = context;
  await db.query(sql.unsafe`update waits set kind = 'jobs' where job = ${id}`);
  await db.query(sql.unsafe`
    insert into dependencies (job, on_job, state, on_failure) values (${id}, ${randomUUID()}, ${ended}, 'fail')`);
  await db.query(sql.unsafe`update jobs set terms = ${terms}::jsonb where id = ${id}`);
  await startNow(context, [id]);
}

async function moveByHand(context: TestSystem['context'], id: string, move: 'unfold' | 'finish'): Promise<void> {
  const set = move === 'finish' ? sql.fragment`finished_at = now()` : sql.fragment`held = false`;
  await changeJob(context, id, move, { event: move, data: {}, set });
}

/** Tries a move on a job that is in any state; answers whether it was made. */
const attempts: Record<
  Move,
  (system: TestSystem, job: { id: string; worker: string; token: string }) => Promise<unknown>
> = {
  approve: ({ context }, { id }) => releaseApproved(context, id, 'op'),
  claim: ({ context }, { id, worker }) =>
    claimsFor(context, () => worker, false)({ id, dispatch: 1, token: randomUUID() }),
  succeed: ({ context }, { id, token }) =>
    openSettlements(context)({ id, attempt: 1, token, ...settlement('succeeded', 'succeeded') }),
  fail: ({ context }, { id, token }) =>
    openSettlements(context)({ id, attempt: 1, token, ...settlement('failed', 'failed') }),
  retry: ({ context }, { id, token }) =>
    openSettlements(context)({ id, attempt: 1, token, ...settlement('queued', 'retrying') }),
  release: ({ context }, { id, token }) =>
    openSettlements(context)({ id, attempt: 1, token, ...settlement('queued', 'released') }),
  suspend: ({ context }, { id, token }) =>
    suspend(context, { job: id, attempt: 1, token }, { on: { kind: 'signal', name: 'go' }, after: 0 }),
  wake: ({ context }, { id }) => wakeJob(context, id),
  start: (system, { id }) => beginAs(system, id, 'succeeded'),
  abandon: (system, { id }) => beginAs(system, id, 'failed'),
  ask: (system, { id }) => beginAs(system, id, 'succeeded', '{"approval": {}}'),
  unfold: ({ context }, { id }) => moveByHand(context, id, 'unfold'),
  finish: ({ context }, { id }) => moveByHand(context, id, 'finish'),
  quarantine: ({ context }, { id }) => recordSoloCrash(context, id, 1, 'signal SIGKILL'),
  refuse: ({ context }, { id }) => refuseJob(context, id, { code: 'budget_exceeded', message: 'no money' }),
  cancel: ({ context }, { id }) => cancelJob(context, id, 'op'),
  redrive: ({ context }, { id }) => redriveJob(context, id, 'op'),
  reask: async ({ context }, { id }) => {
    await context.db.query(sql.unsafe`update jobs set terms = '{"approval": {}}' where id = ${id}`);
    return await redriveJob(context, id, 'op');
  },
  rerun: ({ context }, { id }) => redriveJob(context, id, 'op', undefined, 'rerun'),
};

test('property: from every state, exactly the moves of the table can be made', async () => {
  await using system = await testSystem();
  const made: string[] = [];
  for (const state of states) {
    for (const [move, attempt] of Object.entries(attempts)) {
      const job = await jobIn(system, state);
      const before = await system.until(job.id, () => true);
      await attempt(system, job).catch(() => null);
      const after = await system.until(job.id, () => true);
      if (after.events === before.events) {
        expect(after).toEqual(before);
        continue;
      }
      expect(after.events).toBe(before.events + 1);
      made.push(`${state} ${move} ${after.state}`);
    }
  }
  const allowed = Object.entries(moves).flatMap(([move, { from, to }]) =>
    from.map((state) => `${state} ${move} ${to}`),
  );
  expect(made.toSorted()).toEqual(allowed.toSorted());
});

test('a job that needs an approval waits for it, and runs afterwards', async () => {
  await using system = await testSystem();
  await system.fleet();
  const { id } = await system.submit({ do: 'succeed' }, { approvalId: randomUUID() });
  const other = await system.submit({ do: 'succeed' });
  await system.ended(other.id);
  expect(await system.until(id, () => true)).toMatchObject({ state: 'awaiting_approval', attempt: 0 });
  await releaseApproved(system.context, id, 'op');
  expect(await system.ended(id)).toMatchObject({ state: 'succeeded' });
  expect(await system.events(id)).toEqual(['awaiting_approval', 'queued', 'started', 'succeeded']);
});
