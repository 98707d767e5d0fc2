import { randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { recordSoloCrash } from '#src/jobs/run/record-solo-crash.ts';
import { openSettlements } from '#src/jobs/run/settle-jobs.ts';
import { claimsFor, type TestSystem, testSystem } from '#test/helpers/jobs.ts';

/** A suspect, claimed by an isolated process of its own. */
async function claimAlone({ context }: TestSystem, id: string, dispatch: number) {
  const worker = randomUUID();
  const token = randomUUID();
  await context.db.query(
    sql.unsafe`insert into workers (id, fleet, host, pid, beat_at) values (${worker}, 'hand-lane', 'here', 1, now() + interval '1 hour')`,
  );
  const claimed = await claimsFor(context, () => worker, true)({ id, dispatch, token });
  expect(claimed).toMatchObject({ id });
  return {
    token,
    /** As when an isolated process is blocked by its job for longer than its lease: the sweep puts the job back. */
    loseLease: async () => await context.db.query(sql.unsafe`delete from workers where id = ${worker}`),
  };
}

async function suspectIn(system: TestSystem): Promise<string> {
  const { id } = await system.submit({ do: 'succeed' }, { runAt: new Date(Date.now() + 3_600_000) });
  await system.context.db.query(sql.unsafe`update jobs set suspect = true where id = ${id}`);
  return id;
}

const loneDeaths = async ({ context }: TestSystem, id: string) =>
  await context.db.oneFirst(sql.unsafe`select lone_deaths from jobs where id = ${id}`);

test('a death counts although the lease ran out before it, and while another isolated process has the job already', async () => {
  await using system = await testSystem();
  const id = await suspectIn(system);
  const first = await claimAlone(system, id, 1);
  await first.loseLease();
  await system.until(id, ({ dispatch }) => dispatch === 2);
  const second = await claimAlone(system, id, 2);
  await recordSoloCrash(system.context, id, 1, 'signal SIGKILL');
  expect(await system.until(id, () => true)).toMatchObject({ state: 'running', attempt: 2, dispatch: 2 });
  expect(await loneDeaths(system, id)).toBe(1);
  await second.loseLease();
  await system.until(id, ({ dispatch }) => dispatch === 3);
  await recordSoloCrash(system.context, id, 2, 'signal SIGKILL');
  expect(await system.ended(id)).toMatchObject({ state: 'failed', error: { code: 'poisoned' } });
  expect(await system.events(id)).toEqual(['queued', 'started', 'released', 'started', 'released', 'failed']);
});

test('a death after its job was settled counts for nothing', async () => {
  await using system = await testSystem();
  const id = await suspectIn(system);
  const { token } = await claimAlone(system, id, 1);
  const retry = { state: 'queued', event: 'retrying', data: {}, counts: true, delayMs: 3_600_000 } as const;
  await openSettlements(system.context)({ id, attempt: 1, token, ...retry });
  await recordSoloCrash(system.context, id, 1, 'signal SIGKILL');
  expect(await loneDeaths(system, id)).toBe(0);
  expect(await system.events(id)).toEqual(['queued', 'started', 'retrying']);
});

test('a job that is quarantined keeps the times at which it last waited', async () => {
  await using system = await testSystem();
  const id = await suspectIn(system);
  await claimAlone(system, id, 1);
  await recordSoloCrash(system.context, id, 1, 'signal SIGKILL');
  const waiting = await system.until(id, ({ state }) => state === 'queued');
  await claimAlone(system, id, 2);
  await recordSoloCrash(system.context, id, 2, 'signal SIGKILL');
  const { queuedAt, runAt } = waiting;
  expect(await system.ended(id)).toMatchObject({ state: 'failed', queuedAt, runAt });
});
