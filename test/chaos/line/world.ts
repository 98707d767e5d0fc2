import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'slonik';
import { putRule } from '#src/jobs/rules/queue-rules.ts';
import { submitMany } from '#src/jobs/submit/submit.ts';
import { startRedis } from '#src/system/embedded/private-redis.ts';
import { type Random, seeded } from '#test/chaos/random.ts';
import { type Child, startChild } from '#test/helpers/child.ts';
import { testFolder, until } from '#test/helpers/processes.ts';
import { quietSystem } from '#test/helpers/quiet.ts';
import { lively } from '#test/helpers/run-jobs.ts';
import { standing } from './queue.ts';

/** A line of jobs with all that a line can have, two workers, and a Redis of its own. */
export interface LineWorld extends AsyncDisposable {
  /** Starts a process that leads once no other does, and ends at this point; never without one. */
  readonly lead: (point?: string, hours?: number) => Promise<Child>;
  /** Starts one that submits, and ends at this point. */
  readonly submitAndDie: (point: string) => Promise<Child>;
  readonly startWorker: () => Promise<Child>;
  readonly flushRedis: () => Promise<void>;
  /** Restarts Redis without its data. */
  readonly loseRedis: () => Promise<void>;
  /** From now on puts nothing more in line, and answers what is wrong once all has ended. */
  readonly reckon: () => Promise<readonly string[]>;
  /** Jobs that have ended. */
  readonly ended: () => Promise<number>;
}

/** Jobs that wait while the load goes on. */
const WAITING = 400;

export async function openLine(seed: number): Promise<LineWorld> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(testFolder());
  let redis = await startRedis(folder.path);
  stack.defer(() => redis.stop());
  const system = stack.use(await quietSystem({ ...lively, REDIS_URL: redis.url }));
  const { context } = system;
  if (context.redis.status !== 'ready') await once(context.redis, 'ready');
  // each pass looks at rates too, and past jobs of an owner who is barred: a feeder is killed at those looks as well
  const rules = [
    { kind: 'queue', name: '', concurrency: 35 },
    { kind: 'group', name: 'heavy', weight: 3 },
    { kind: 'group', name: 'one', concurrency: 1 },
    { kind: 'group', name: 'many', rate: 100_000, rateMs: 1_000 },
    { kind: 'owner', name: 'bob', concurrency: 4 },
    { kind: 'owner', name: 'dave', paused: true },
  ] as const;
  const none = { concurrency: null, weight: null, rate: null, rateMs: null, paused: false, reason: null };
  for (const rule of rules) await putRule(context, { ...none, ...rule, queue: standing.name, changedBy: 'chaos' });

  const random = seeded(seed);
  const stop = new AbortController();
  const count = async (which = sql.fragment`true`) =>
    Number(await context.db.oneFirst(sql.unsafe`select count(*)::int from jobs where ${which}`));
  const loading = (async () => {
    while (!stop.signal.aborted) {
      const open = await count(sql.fragment`finished_at is null`);
      if (open < WAITING)
        await submitMany(
          context,
          Array.from({ length: 200 }, () => planned(random)),
        );
      await sleep(100, undefined, { signal: stop.signal }).catch(() => {});
    }
  })();
  const all = stack.move();
  const start = async (file: string, argv: readonly string[]) =>
    all.use(await startChild(new URL(file, import.meta.url), system.env, argv));
  return {
    lead: async (point = '', hours = 0) => await start('./leader.ts', [point, String(hours)]),
    submitAndDie: async (point) => await start('./leader.ts', [point, '0', 'submits']),
    startWorker: async () => await start('./worker.ts', []),
    flushRedis: async () => void (await context.redis.flushall()),
    loseRedis: async () => {
      await redis.stop();
      rmSync(join(folder.path, 'redis/appendonlydir'), { recursive: true, force: true });
      redis = await startRedis(folder.path);
    },
    ended: async () => await count(sql.fragment`finished_at is not null`),
    reckon: async () => {
      stop.abort();
      await loading;
      await until(async () => (await count(sql.fragment`finished_at is null`)) === 0).catch(() => {});
      const rows = (await context.db.any(sql.unsafe`
        select * from (
          select j.id, j.state, j.error->>'message' as error, j.attempt, j.feed, j.group_key,
            count(*) filter (where e.type = 'started')::int as starts,
            count(*) filter (where e.type in ('succeeded', 'cancelled'))::int as ends,
            min(e.at) filter (where e.type = 'started') < j.run_at - interval '300 ms' as early
          from jobs j left join events e on e.job = j.id group by j.id
        ) counted
        where not (state = 'succeeded' or state = 'cancelled' and error like '%had not begun%') or ends <> 1 or starts <> attempt
          or early
        limit 10`)) as readonly Readonly<Record<string, unknown>>[];
      return rows.map((row) => JSON.stringify(row));
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await loading.catch(() => {});
      await all.disposeAsync();
    },
  };
}

/** A job with or without all that a job in line can have. */
function planned(random: Random) {
  const group = random.pick([undefined, 'heavy', 'one', 'many', '__proto__']);
  const delayMs = random.chance(0.1) ? random.whole(100, 8_000) : 0;
  const now = Date.now();
  return {
    queue: standing,
    submission: {
      principal: { owner: random.pick(['alice', 'bob', 'carol']) },
      payload: { ms: random.whole(0, group === 'one' ? 2 : 40) },
      priority: random.pick([0, 0, 0, 1, 5]),
      ...(group !== undefined && { group }),
      ...(delayMs > 0 && { runAt: new Date(now + delayMs) }),
      ...(random.chance(0.05) && { expiresAt: new Date(now + delayMs + random.whole(200, 3_000)) }),
    },
  };
}
