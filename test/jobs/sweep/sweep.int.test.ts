import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'slonik';
import { expect, test } from 'vitest';
import { startSweep } from '#src/jobs/sweep/sweep.ts';
import { startRedis } from '#src/system/embedded/private-redis.ts';
import { testFolder } from '#test/helpers/processes.ts';
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
