import { LRUCache } from 'lru-cache';
import { sql } from 'slonik';
import { Type } from 'typebox';
import { unfinishedStates } from '#src/jobs/model/states.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import type { LimitedCaller } from './limits/limit-kinds.ts';
import { type HeldLimit, limitsOf } from './limits/limits-known.ts';
import { refusalsOf } from './limits/refusals.ts';

/** A count is believed this long; meanwhile the process adds what it lets in itself. */
const freshMs = 1_000;

const Count = Type.Object({ n: Type.Integer() });

/** Unfinished jobs of an owner in a queue, of one key of theirs where it is named; counted up to `most`. */
export async function countQueued(
  { db }: Pick<Context, 'db'>,
  { owner, keyId = null }: Pick<LimitedCaller, 'owner' | 'keyId'>,
  queue: string,
  most: number,
): Promise<number> {
  const { n } = await db.one(sql.type(row(Count))`
    select count(*) as n from (
      select from jobs where owner = ${owner} and state = any(${sql.array([...unfinishedStates], 'text')}) and queue = ${queue}
        and (${keyId}::uuid is null or key_id = ${keyId}::uuid) limit ${most}
    ) as unfinished`);
  return n;
}

/**
 * Refuses new work of a caller whose queue is full, by the limit that holds for it: one of a key counts the jobs of that
 * key, every other those of the owner.
 *
 * @param group of the job, where it has another than its owner: a refusal counts for it
 * @throws AppError `quota_exceeded` (429), with the limit, whose it is and how much of it is used in its details.
 */
export type AdmitWork = (caller: LimitedCaller, queue: string, group?: string, adds?: Adds) => Promise<void>;

/** Jobs that a submission leaves beside those that are there, where that is not one more. */
export interface Adds {
  /** True where the job takes the place of one that counts, which ends. */
  readonly replaces?: boolean;
  /** Checks, where the queue is full, whether the submission only changes or answers a job that is there. */
  readonly none?: () => Promise<boolean>;
}

/**
 * The count is shared by requests of one second, so the bound may be passed by what other processes let in meanwhile.
 */
export const admitWork = perContext((context): AdmitWork => {
  const limits = limitsOf(context);
  const refusals = refusalsOf(context);
  const counts = new LRUCache<string, { readonly counted: Promise<number>; admitted: number }>({
    max: 10_000,
    ttl: freshMs,
  });

  return async (caller, queue, group = caller.owner, { replaces = false, none } = {}) => {
    const { most, scope } = await limits.of('queue_depth', caller);
    const { owner } = caller;
    const keyId = scope === 'key' ? (caller.keyId ?? null) : null;
    const name = `${queue} ${owner} ${keyId ?? ''} ${most}`;
    const entry = counts.get(name) ?? { counted: countQueued(context, { owner, keyId }, queue, most), admitted: 0 };
    if (!counts.has(name)) counts.set(name, entry);
    const depth = await entry.counted.catch((error: unknown) => {
      counts.delete(name);
      throw error;
    });
    const used = depth + entry.admitted;
    if (used - (replaces ? 1 : 0) >= most) {
      if (await none?.()) return;
      refusals.count(owner, `${scope === 'plan' ? (caller.tier ?? 'standard') : scope}-depth`, { queue, group });
      throw full(queue, most, scope, used);
    }
    if (!replaces) entry.admitted++;
  };
});

/** The error of a queue that is full. A limit of none is told as what it is: no wait makes room under it. */
function full(queue: string, limit: number, scope: HeldLimit['scope'], used: number): AppError {
  const details = { queue, limit, limit_of: scope, used };
  if (limit <= 0)
    return new AppError(
      'quota_exceeded',
      `expected a limit that lets jobs into ${queue}, got 0 unfinished jobs for ${scope === 'key' ? 'this key' : 'you'}: no wait makes room. An operator can raise it; it is the limit of ${limitNames[scope]}.`,
      details,
    );
  return new AppError(
    'quota_exceeded',
    `expected fewer than ${limit} unfinished jobs of ${scope === 'key' ? 'this key' : 'yours'} in ${queue}, got ${used} already. Wait until some have finished.`,
    { ...details, retry_after_seconds: 5 },
  );
}

const limitNames: Readonly<Record<HeldLimit['scope'], string>> = {
  key: 'the key',
  owner: 'the owner',
  plan: 'the plan',
  default: 'all callers',
  setting: 'the settings',
};
