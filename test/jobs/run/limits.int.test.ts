import { randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openClaims } from '#src/jobs/run/claim-jobs.ts';
import { openContext } from '#src/system/context.ts';
import { testSystem } from '#test/helpers/jobs.ts';
import { type QuietSystem, quietSystem } from '#test/helpers/quiet.ts';
import { trial } from '#test/helpers/trial.ts';

let system: QuietSystem;
let workers: readonly string[];
let claimers: readonly ReturnType<typeof openClaims>[];
beforeEach(async () => {
  system = await quietSystem();
  const other = await openContext(system.context.config, 'test');
  system.context.onClose(async () => await other[Symbol.asyncDispose]());
  workers = [randomUUID(), randomUUID()];
  for (const id of workers)
    await system.context.db.query(
      sql.unsafe`insert into workers (id, fleet, host, pid) values (${id}, 'hand', 'here', 1)`,
    );
  claimers = [openClaims(system.context, false), openClaims(other, false)];
});
afterEach(async () => await system[Symbol.asyncDispose]());

/** Jobs of a group, by which each is named. */
async function jobsOf(group: string, count: number, owner = 'alice'): Promise<readonly string[]> {
  const ids = await system.context.db.anyFirst(sql.unsafe`
    insert into jobs (id, owner, queue, state, priority, payload, request_hash, group_key)
    select gen_random_uuid(), ${owner}, ${trial.name}, 'queued', 0, '{}', '', ${group} from generate_series(1, ${count}::int)
    returning id`);
  return ids.map(String);
}

async function rule(
  kind: string,
  name: string,
  values: Readonly<Record<string, number | boolean>>,
  queue: string = trial.name,
) {
  const { concurrency = null, rate = null, rateMs = null, paused = false } = values;
  await system.context.db.query(sql.unsafe`
    insert into queue_rules (queue, kind, name, concurrency, rate, rate_ms, paused, changed_by)
    values (${queue}, ${kind}, ${name}, ${concurrency}, ${rate}, ${rateMs}, ${paused}, 'op')`);
}

/** Claims all at once, by two processes; answers those that were claimed. */
async function claimAll(ids: readonly string[]): Promise<readonly string[]> {
  const claimed = await Promise.all(
    ids.map(async (id, index) => {
      const at = index % 2;
      return await claimers[at]!({ id, dispatch: 1, token: randomUUID(), worker: workers[at]! });
    }),
  );
  return claimed.flatMap((job) => job?.id ?? []);
}

const endAll = async (ids: readonly string[]) =>
  await system.context.db.query(sql.unsafe`
    update jobs set state = 'succeeded', finished_at = now(), worker_id = null where id = any(${sql.array([...ids], 'uuid')})`);

test('of a hundred claims at once by two processes as many succeed as the group may run', async () => {
  await rule('group', 'narrow', { concurrency: 3 });
  const [narrow, wide] = [await jobsOf('narrow', 100), await jobsOf('wide', 20)];
  const claimed = await claimAll([...narrow, ...wide]);
  expect(claimed.filter((id) => narrow.includes(id))).toHaveLength(3);
  expect(claimed.filter((id) => wide.includes(id))).toHaveLength(20);
  const left = narrow.filter((id) => !claimed.includes(id));
  expect(await claimAll(left)).toEqual([]);
  await endAll(claimed.filter((id) => narrow.includes(id)).slice(0, 2));
  expect(await claimAll(left)).toHaveLength(2);
});

test('a rule of each group bounds each by itself, but for one with a rule of its own', async () => {
  await rule('group', '*', { concurrency: 2 });
  await rule('group', 'own', { concurrency: 5 });
  const [a, b, own] = [await jobsOf('a', 10), await jobsOf('b', 10), await jobsOf('own', 10)];
  const claimed = await claimAll([...a, ...b, ...own]);
  const count = (ids: readonly string[]) => ids.filter((id) => claimed.includes(id)).length;
  expect([count(a), count(b), count(own)]).toEqual([2, 2, 5]);
});

test('a job is bound by its queue, its group and its owner, whatever queue that one’s rule is of', async () => {
  await rule('queue', '', { concurrency: 7 });
  await rule('owner', 'bob', { concurrency: 1 }, '*');
  const [bobs, others] = [await jobsOf('x', 10, 'bob'), await jobsOf('x', 10)];
  let claimed: readonly string[] = [];
  // one that another rule refuses counts in its claim: so not all places need be had by the first
  for (let round = 0; round < 10; round++)
    claimed = [...claimed, ...(await claimAll([...bobs, ...others].filter((id) => !claimed.includes(id))))];
  expect(claimed.filter((id) => bobs.includes(id)).length).toBeLessThanOrEqual(1);
  expect(claimed).toHaveLength(7);
});

test('a key is bound wherever it submits; a job that no key submitted is bound by none', async () => {
  const key = randomUUID();
  await rule('key', '*', { concurrency: 1 }, '*');
  const [keyed, free] = [await jobsOf('a', 5), await jobsOf('b', 5)];
  await system.context.db.query(
    sql.unsafe`update jobs set key_id = ${key} where id = any(${sql.array([...keyed], 'uuid')})`,
  );
  const claimed = await claimAll([...keyed, ...free]);
  expect(claimed.filter((id) => keyed.includes(id))).toHaveLength(1);
  expect(claimed.filter((id) => free.includes(id))).toHaveLength(5);
});

test('a rate gives back its claims by time, and never more than its period has', async () => {
  await rule('queue', '', { rate: 5, rateMs: 3_600_000 });
  const ids = await jobsOf('any', 50);
  const first = await claimAll(ids);
  expect(first).toHaveLength(5);
  await endAll(first);
  const left = ids.filter((id) => !first.includes(id));
  expect(await claimAll(left)).toEqual([]);
  await system.context.db.query(sql.unsafe`update rate_buckets set at = at - interval '24 minutes'`);
  const second = await claimAll(left);
  expect(second).toHaveLength(2);
  await system.context.db.query(sql.unsafe`update rate_buckets set at = at - interval '3 days'`);
  expect(await claimAll(left.filter((id) => !second.includes(id)))).toHaveLength(5);
});

test.each(['queue', 'group', 'owner', 'key'])(
  'a clock that goes back takes nothing of what a rate by %s has left',
  async (kind) => {
    const key = randomUUID();
    await rule(kind, kind === 'queue' ? '' : '*', { rate: 5, rateMs: 86_400_000 });
    const ids = await jobsOf('any', 20);
    await system.context.db.query(sql.unsafe`update jobs set key_id = ${key}`);
    expect(await claimAll(ids.slice(0, 2))).toHaveLength(2);
    await system.context.db.query(sql.unsafe`update rate_buckets set at = at + interval '1 hour'`);
    expect(await claimAll(ids.slice(2))).toHaveLength(3);
  },
);

test('a delivery that could not be claimed anyway takes nothing of a rate', async () => {
  await rule('queue', '', { rate: 1, rateMs: 86_400_000 });
  const { db } = system.context;
  const [late, expired, gone, good] = await jobsOf('any', 4);
  await db.query(sql.unsafe`update jobs set dispatch = 2 where id = ${late!}`);
  await db.query(sql.unsafe`update jobs set expires_at = now() - interval '1 s' where id = ${expired!}`);
  expect(await claimAll([late!, expired!])).toEqual([]);
  const dead = { id: gone!, dispatch: 1, token: randomUUID(), worker: randomUUID() };
  expect(await claimers[0]!(dead)).toBeNull();
  expect(await claimAll([good!])).toEqual([good]);
});

test('of a paused group or owner nothing is claimed', async () => {
  await rule('group', 'still', { paused: true });
  await rule('owner', 'bob', { paused: true });
  const [still, bobs, free] = [await jobsOf('still', 3), await jobsOf('any', 3, 'bob'), await jobsOf('any', 3)];
  expect((await claimAll([...still, ...bobs, ...free])).toSorted()).toEqual(free.toSorted());
});

test('jobs of limited groups all run, and never more of one at once than its limit', async () => {
  await using running = await testSystem();
  const { context } = running;
  await context.db.query(sql.unsafe`
    insert into queue_rules (queue, kind, name, concurrency, changed_by) values (${trial.name}, 'group', '*', 2, 'op')`);
  await running.fleet();
  await running.fleet();
  const groups = ['a', 'b', 'c'];
  const jobs = await Promise.all(
    Array.from({ length: 45 }, async (_, index) =>
      running.submit({ do: 'sleep', ms: 20 }, { group: groups[index % 3]! }),
    ),
  );
  for (const { id } of jobs) expect(await running.ended(id)).toMatchObject({ state: 'succeeded', attempt: 1 });
  const most = await context.db.oneFirst(sql.unsafe`
    with moves as (
      select j.group_key, e.seq, case e.type when 'started' then 1 else -1 end as by
      from events e join jobs j on j.id = e.job where e.type in ('started', 'succeeded')
    )
    select max(at_once)::int from (
      select sum(by) over (partition by group_key order by seq) as at_once from moves
    ) counted`);
  expect(Number(most)).toBeLessThanOrEqual(2);
});
