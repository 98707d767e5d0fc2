import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { sql } from 'slonik';
import { expect, test, vi } from 'vitest';
import { auditBroker } from '#src/jobs/broker/audit.ts';
import { brokerKey } from '#src/jobs/broker/broker.ts';
import { startSweep } from '#src/jobs/sweep/sweep.ts';
import { startRedis } from '#src/system/embedded/private-redis.ts';
import { testFolder, until } from '#test/helpers/processes.ts';
import { type QuietSystem, quietSystem } from '#test/helpers/quiet.ts';
import { trial } from '#test/helpers/trial.ts';

const add = async ({ context }: QuietSystem, count: number) => {
  await context.db.query(sql.unsafe`
    insert into jobs (id, owner, queue, state, priority, payload, request_hash, queued_at)
    select gen_random_uuid(), 'alice', ${trial.name}, 'queued', 0, '{}', '', now() - interval '1 minute'
    from generate_series(1, ${count}::int)`);
};

/** A job that runs in a worker which beat just now and never again. */
const addOrphan = async ({ context }: QuietSystem) => {
  const [worker, job] = [randomUUID(), randomUUID()];
  await context.db.query(sql.unsafe`insert into workers (id, fleet, host, pid) values (${worker}, 'hand', 'here', 1)`);
  await context.db.query(sql.unsafe`
    insert into jobs (id, owner, queue, state, priority, payload, request_hash, worker_id)
    values (${job}, 'alice', ${trial.name}, 'running', 0, '{}', '', ${worker})`);
  return async () => await context.db.oneFirst(sql.unsafe`select state from jobs where id = ${job}`);
};

test('a Redis that hangs does not keep dead workers from being found', async () => {
  await using stack = new AsyncDisposableStack();
  // its own: everybody else would hang with it
  const home = stack.use(testFolder()).path;
  const redis = await startRedis(home, () => {});
  stack.defer(redis.stop);
  const system = stack.use(
    await quietSystem({ REDIS_URL: redis.url, LEASE_MS: '1000', BEAT_MS: '100', SWEEP_MS: '100', AUDIT_MS: '100' }),
  );
  await add(system, 10);
  const state = await addOrphan(system);
  const pid = Number(readFileSync(join(home, 'redis/redis.pid'), 'utf8'));
  process.kill(pid, 'SIGSTOP');
  stack.defer(() => void process.kill(pid, 'SIGCONT'));
  await using _sweep = startSweep(system.context, [trial.name]);
  await expect.poll(state).toBe('queued');
});

test('a job of a dead process that a newer one replaces is cancelled with a reason, and its key is free; others run again', async () => {
  await using system = await quietSystem({ LEASE_MS: '1000', BEAT_MS: '100', SWEEP_MS: '100' });
  const { context } = system;
  const [worker, old, other] = [randomUUID(), randomUUID(), randomUUID()];
  await context.db.query(sql.unsafe`insert into workers (id, fleet, host, pid) values (${worker}, 'hand', 'here', 1)`);
  await context.db.query(sql.unsafe`
    insert into jobs (id, owner, queue, state, priority, payload, request_hash, worker_id, idempotency_key)
    values (${old}, 'system', 'analytics.backfill', 'running', 0, '{}', '', ${worker}, 'a day'),
      (${other}, 'alice', 'analytics.fit', 'running', 0, '{}', '', ${worker}, 'a fit')`);
  await using _sweep = startSweep(context);
  const rows = async () =>
    await context.db.any(sql.unsafe`
      select id, state, suspect, idempotency_key as key, error->'details'->>'reason' as reason, worker_id as worker,
        (select jsonb_agg(data order by n) from events where job = j.id and n = j.events) as told
      from jobs j order by owner`);
  const again = { id: other, state: 'queued', suspect: true, key: 'a fit', reason: null, worker: null };
  const gone = { id: old, state: 'cancelled', suspect: false, key: null, reason: 'superseded', worker: null };
  await expect.poll(rows).toEqual([
    { ...again, told: [{ reason: 'worker_lost' }] },
    { ...gone, told: [{ by: 'system', reason: 'superseded' }] },
  ]);
});

test('a ledger that is locked does not keep dead workers from being found, and the sweep goes on leading', async () => {
  await using system = await quietSystem({ LEASE_MS: '1000', BEAT_MS: '100', SWEEP_MS: '100' });
  const reader = await system.connect();
  const { rows } = await reader.query<{ name: string }>(
    `select max(relname) as name from pg_class where relname ~ '^events_[0-9]{8}$'`,
  );
  // one week is to be made, which a reader of the whole ledger forbids
  await reader.query(`drop table ${rows[0]?.name}`);
  const state = await addOrphan(system);
  await reader.query('begin; select count(*) from events');
  await using _sweep = startSweep(system.context, [trial.name]);
  await expect.poll(state).toBe('queued');
  await reader.query('commit');
});

test('the audit of a long queue asks the broker in large groups, and finds the few entries that are missing', async () => {
  await using system = await quietSystem();
  const { context } = system;
  const client = await system.connect();
  await add(system, 30_000);
  expect(await auditBroker(context, client, [trial.name])).toBe(30_000);
  const since = performance.now();
  expect(await auditBroker(context, client, [trial.name])).toBe(0);
  expect(performance.now() - since).toBeLessThan(2_000);
  const pattern = `{${context.config.REDIS_PREFIX}-${trial.name}}:${trial.name}:????????-*-1`;
  const keys: string[] = [];
  if (!(context.redis instanceof Redis)) throw new Error('expected a single Redis, got a cluster');
  for await (const found of context.redis.scanStream({ match: pattern, count: 10_000 })) keys.push(...found);
  expect(keys).toHaveLength(30_000);
  await context.redis.del(keys[3] ?? '', keys[20_000] ?? '');
  expect(await auditBroker(context, client, [trial.name])).toBe(2);
});

test('what the audit adds again is delayed by the database’s clock, whatever this machine’s clock says', async () => {
  await using system = await quietSystem();
  const { db, redis, config } = system.context;
  await add(system, 1);
  const id = String(await db.oneFirst(sql.unsafe`update jobs set run_at = now() + interval '1 hour' returning id`));
  await until(() => redis.status === 'ready');
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 1_800_000);
  try {
    expect(await auditBroker(system.context, await system.connect(), [trial.name])).toBe(1);
  } finally {
    clock.mockRestore();
  }
  const delay = await redis.hget(
    brokerKey(config, { id, dispatch: 1, queue: trial.name, version: 1, suspect: false }),
    'delay',
  );
  expect(Number(delay)).toBeGreaterThan(3_500_000);
});

test('what the audit adds again goes where it waits: suspects apart from the others, each with its priority', async () => {
  await using system = await quietSystem();
  const { db, redis, config } = system.context;
  await add(system, 1_200);
  await db.query(sql.unsafe`update jobs set suspect = id::text < '8', priority = 9`);
  await until(() => redis.status === 'ready');
  expect(await auditBroker(system.context, await system.connect(), [trial.name])).toBe(1_200);
  const waiting = (await db.any(sql.unsafe`select id, suspect from jobs`)) as readonly {
    id: string;
    suspect: boolean;
  }[];
  const found = await Promise.all(
    waiting.map((job) =>
      redis.hget(brokerKey(config, { ...job, dispatch: 1, queue: trial.name, version: 1 }), 'priority'),
    ),
  );
  expect(found.every((priority) => priority === '9')).toBe(true);
  expect(new Set(waiting.map(({ suspect }) => suspect))).toEqual(new Set([true, false]));
});
