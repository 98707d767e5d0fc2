import { randomUUID } from 'node:crypto';
import { sql } from 'slonik';
import Type, { type Static } from 'typebox';
import { Takes } from '#src/jobs/model/takes.ts';
import { releaseMine } from '#src/jobs/run/release.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { endDirect, openDirect } from '#src/system/postgres/direct-postgres.ts';
import { row } from '#src/system/postgres/postgres.ts';

/** Live workers of one owner. */
export const MOST_WORKERS = 1_000;

/** A process elsewhere that asks to be handed jobs. */
export interface Registering {
  readonly owner: string;
  /** Key that registers it; null for a person who is signed in. */
  readonly keyId: string | null;
  readonly name: string;
  readonly takes: readonly Takes[];
  /** Jobs at once. */
  readonly capacity: number;
  /** Library and release that it runs on. */
  readonly sdk: string | null;
}

const Remote = Type.Object({
  id: Type.String(),
  owner: Type.String(),
  name: Type.String(),
  takes: Type.Array(Takes),
  capacity: Type.Integer(),
  sdk: Type.Union([Type.String(), Type.Null()]),
  credits: Type.Integer(),
  startedAt: Type.Unsafe<Date>({}),
  beatAt: Type.Unsafe<Date>({}),
  running: Type.Integer(),
});
/** A live worker elsewhere, with the jobs that it has in hand. */
export type Remote = Static<typeof Remote>;

const CountRow = row(Type.Object({ count: Type.Integer() }));
const IdRow = row(Type.Object({ id: Type.String() }));

/** Times by which a worker elsewhere keeps its lease, ms. */
export function leaseTimes({ config }: Pick<Context, 'config'>) {
  const third = Math.floor(config.LEASE_MS / 3);
  return { leaseMs: config.LEASE_MS, beatMs: third, waitMs: third };
}

/** Gives a worker its lease; answers its id. @throws AppError `quota_exceeded` */
export async function registerWorker(context: Context, registering: Registering): Promise<string> {
  const { owner, keyId, name, takes, capacity, sdk } = registering;
  const live = await context.db.oneFirst(sql.type(CountRow)`
    select count(*)::int as count from workers where owner = ${owner}`);
  if (live >= MOST_WORKERS)
    throw new AppError('quota_exceeded', `expected at most ${MOST_WORKERS} live workers of yours, got one more.`, {
      limit: MOST_WORKERS,
      retry_after_seconds: 5,
    });
  const id = randomUUID();
  await context.db.query(sql.unsafe`
    insert into workers (id, fleet, host, pid, owner, key_id, name, takes, capacity, sdk)
    values (${id}, 'remote', ${name}, 0, ${owner}, ${keyId}, ${name}, ${sql.jsonb(takes as never)}, ${capacity}, ${sdk})`);
  context.log.info({ worker: id, owner, name, takes, capacity, sdk }, 'a worker elsewhere has registered');
  return id;
}

/** Lists the live workers of an owner, or of all owners for null, the oldest first. */
export async function listRemote({ db }: Pick<Context, 'db'>, owner: string | null): Promise<readonly Remote[]> {
  return await db.any(sql.type(row(Remote))`
    select w.id, w.owner, w.name, w.takes, w.capacity, w.sdk, w.credits, w.started_at as "startedAt", w.beat_at as "beatAt",
      (select count(*)::int from jobs j where j.state = 'running' and j.worker_id = w.id) as running
    from workers w where w.owner is not null and (${owner}::text is null or w.owner = ${owner})
    order by w.started_at, w.id`);
}

/**
 * Ends a worker's lease; jobs that it still has go back to their queues without losing an attempt.
 *
 * @throws AppError `not_found` for one that is none of the owner's, or has no lease any more
 */
export async function leaveWorker(context: Context, worker: string, owner: string): Promise<void> {
  const jobs = await context.db.anyFirst(sql.type(IdRow)`
    select j.id from jobs j join workers w on w.id = j.worker_id
    where w.id = ${worker} and w.owner = ${owner} and j.state = 'running'`);
  await giveBack(context, worker, jobs, 'drain');
  const { rowCount } = await context.db.query(
    sql.unsafe`delete from workers where id = ${worker} and owner = ${owner}`,
  );
  if (rowCount === 0) throw noLease(worker);
  context.log.info({ worker, owner, jobs: jobs.length }, 'a worker elsewhere has left');
}

/** Puts jobs that a worker has not, or no longer, in hand back into their queues. */
export async function giveBack(
  context: Context,
  worker: string,
  jobs: readonly string[],
  reason: 'drain' | 'lease_lost',
): Promise<void> {
  if (jobs.length === 0) return;
  const client = await openDirect(context.config, 'give-back', () => {}, { answerMs: context.config.LEASE_MS });
  try {
    await releaseMine(context, client, { jobs, worker, suspects: false, reason });
  } finally {
    await endDirect(client);
  }
}

/** The error for a worker that the database does not know, or not as the caller's. */
export function noLease(worker: string): AppError {
  return new AppError(
    'not_found',
    `expected a worker with a lease, got ${worker}, which has none: stop what it has in hand and register again.`,
    { worker },
  );
}
