import { randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { brokerRank } from '#src/jobs/broker/broker-rank.ts';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { expectSuspects } from '#src/jobs/run/expect-suspects.ts';
import { startChild } from '#test/helpers/child.ts';
import { type TestSystem, testSystem } from '#test/helpers/jobs.ts';
import { until } from '#test/helpers/processes.ts';
import { quietSystem } from '#test/helpers/quiet.ts';
import { handlers, trial } from '#test/helpers/trial.ts';
import { startFleet } from '#workers/run/fleet.ts';
import { openIsolation } from '#workers/run/isolation.ts';

const module = new URL('../helpers/trial.ts', import.meta.url);
const fleetFile = new URL('../helpers/trial-fleet.ts', import.meta.url);

const isRunning = ({ state }: Job) => state === 'running';

/** Isolation by hand, and jobs that wait as if their process had died, unknown to the broker. */
async function openTrial(processes: number) {
  const system = await testSystem({ AUDIT_MS: '600000' });
  const isolation = openIsolation(system.context, 'trial', module, { processes });
  const suspect = async (owner: string, payload: Parameters<TestSystem['submit']>[0], priority = 0) => {
    const later = { runAt: new Date(Date.now() + 3_600_000), principal: { owner }, priority };
    const { id } = await system.submit(payload, later);
    await system.context.db.query(
      sql.unsafe`update jobs set suspect = true, dispatch = 2, run_at = now() where id = ${id}`,
    );
    return { id, done: isolation.run(trial, { id, dispatch: 2 }, brokerRank({ owner, priority })) };
  };
  return { system, isolation, suspect };
}

const ids = (jobs: readonly { readonly id: string }[]) => jobs.map(({ id }) => id);

const inOrderOfStart = async ({ context }: TestSystem) =>
  await context.db.anyFirst(sql.unsafe`
    select job from events where type = 'started' and data->>'attempt' = '1' order by seq`);

test('of suspects that wait for the one process, those that somebody waits for run first, by priority and then by age', async () => {
  const { system, isolation, suspect } = await openTrial(1);
  await using _ = system;
  const gate = await suspect('alice', { do: 'wait' });
  await system.until(gate.id, isRunning);
  const background = await suspect('system', { do: 'succeed' });
  const late = await suspect('bob', { do: 'succeed' }, 7);
  const second = await suspect('system', { do: 'succeed' });
  const urgent = await suspect('carol', { do: 'succeed' });
  const next = await suspect('alice', { do: 'succeed' });
  await cancelJob(system.context, gate.id, 'alice');
  const all = [gate, urgent, next, late, background, second];
  await Promise.all(all.map(({ done }) => done));
  expect(await inOrderOfStart(system)).toEqual(ids(all));
  await isolation.close(0);
});

test('two suspects run at once, each in a process of its own; jobs in the background leave one process free', async () => {
  const { system, isolation, suspect } = await openTrial(2);
  await using _ = system;
  const [first, second] = [await suspect('system', { do: 'wait' }), await suspect('system', { do: 'wait' })];
  await system.until(first.id, isRunning);
  const wanted = await suspect('alice', { do: 'wait' });
  await system.until(wanted.id, isRunning);
  const pids = await system.context.db.anyFirst(sql.unsafe`
    select w.pid from jobs j join workers w on w.id = j.worker_id where j.state = 'running'`);
  expect(new Set(pids).size).toBe(2);
  expect(await system.until(second.id, () => true)).toMatchObject({ state: 'queued', attempt: 0 });
  await cancelJob(system.context, first.id, 'system');
  await system.until(second.id, isRunning);
  for (const { id } of [second, wanted]) await cancelJob(system.context, id, 'alice');
  await Promise.all([first, second, wanted].map(({ done }) => done));
  await isolation.close(0);
});

test('the death of a process counts against the one job that it ran, and not against the one that ran beside it', async () => {
  const { system, isolation, suspect } = await openTrial(2);
  await using _ = system;
  const innocent = await suspect('alice', { do: 'wait' });
  await system.until(innocent.id, isRunning);
  const poison = await suspect('bob', { do: 'die' });
  await poison.done;
  const { dispatch } = await system.until(poison.id, ({ state }) => state === 'queued');
  await isolation.run(trial, { id: poison.id, dispatch });
  expect(await system.ended(poison.id)).toMatchObject({ state: 'failed', error: { code: 'poisoned' } });
  expect((await system.until(innocent.id, () => true)).state).not.toBe('failed');
  expect(await system.context.db.anyFirst(sql.unsafe`select lone_deaths from jobs where id = ${innocent.id}`)).toEqual([
    0,
  ]);
  await cancelJob(system.context, innocent.id, 'alice');
  await innocent.done;
  await isolation.close(0);
});

test('suspects that wait when isolation closes are let go at once, to run elsewhere', async () => {
  const { system, isolation, suspect } = await openTrial(1);
  await using _ = system;
  const gate = await suspect('alice', { do: 'wait' });
  await system.until(gate.id, isRunning);
  const waiting = await suspect('bob', { do: 'succeed' });
  const closed = isolation.close(60_000);
  await waiting.done;
  expect(await system.until(waiting.id, () => true)).toMatchObject({ state: 'queued', attempt: 0 });
  await cancelJob(system.context, gate.id, 'alice');
  await closed;
});

test('after a fleet was killed, what a person waits for runs again before what the system asked for by itself', async () => {
  await using system = await testSystem({ SUSPECT_PROCESSES: '1' });
  const fleet = await startChild(fleetFile, system.env);
  const owners = ['system', 'system', 'system', 'alice', 'system', 'bob', 'system'];
  const jobs: Job[] = [];
  // the oldest first: by age alone, the system's would be first
  for (const owner of owners) jobs.push(await system.submit({ do: 'wait' }, { principal: { owner } }));
  for (const { id } of jobs) await system.until(id, isRunning);
  fleet.kill('SIGKILL');
  await fleet.exited;
  await system.context.db.query(sql.unsafe`update jobs set payload = '{"do": "succeed"}'`);
  await until(async () => {
    const states = await system.context.db.anyFirst(sql.unsafe`select distinct state from jobs`);
    return states.length === 1 && states[0] === 'queued';
  });
  await using _next = await startChild(fleetFile, system.env);
  for (const { id } of jobs) expect(await system.ended(id)).toMatchObject({ state: 'succeeded' });
  const found = await system.context.db.anyFirst(sql.unsafe`
    select j.owner from events e join jobs j on j.id = e.job
    where e.type = 'started' and e.data->>'attempt' = '2' order by e.seq`);
  const order = found.map(String);
  expect(order.toSorted()).toEqual(owners.toSorted());
  expect(order.slice(0, 2).toSorted()).toEqual(['alice', 'bob']);
});

test('a fleet that starts while jobs of dead processes are not yet suspects has a process for them ready', async () => {
  // nothing sweeps here: no job becomes a suspect
  await using system = await quietSystem();
  const { db } = system.context;
  const [worker, job] = [randomUUID(), randomUUID()];
  await db.query(sql.unsafe`insert into workers (id, fleet, host, pid) values (${worker}, 'hand', 'here', 1)`);
  await db.query(sql.unsafe`
    insert into jobs (id, owner, queue, state, priority, payload, request_hash, worker_id)
    values (${job}, 'alice', ${trial.name}, 'running', 0, '{}', '', ${worker})`);
  expect(await expectSuspects(system.context, [trial.name])).toBe(false);
  await db.query(sql.unsafe`update workers set beat_at = now() - interval '1 minute'`);
  expect(await expectSuspects(system.context, ['another.queue'])).toBe(false);
  const fleet = await startFleet(system.context, { name: 'trial', handlers, module });
  await until(async () => await db.exists(sql.unsafe`select from workers where fleet = 'trial-lane'`));
  expect(await db.oneFirst(sql.unsafe`select state from jobs where id = ${job}`)).toBe('running');
  await fleet.drain();
});
