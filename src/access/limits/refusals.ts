import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';

/** A process adds what it refused at most this often. */
const FLUSH_MS = 1_000;
/** Callers and groups that a process tells apart between two writes; the others are counted in the metric alone. */
const MOST_COUNTED = 1_000;
/** Rows of an hour: the most refused. Groups are named by callers, who could name ever more of them. */
const MOST_KEPT = 5_000;
const HOUR_MS = 3_600_000;

/** The queue and the group of a job that was refused. */
export interface RefusedJob {
  readonly queue: string;
  readonly group: string;
}

/** Refusals of an owner by one limit; those of jobs also by queue and group. */
export interface Refusals {
  readonly owner: string;
  /** Limit by whose it is and what it bounds: `owner-minute`, `setting-depth`. */
  readonly policy: string;
  /** Null for requests, which are of no queue. */
  readonly queue: string | null;
  readonly group: string | null;
  readonly refused: number;
}

export interface RefusalCounter {
  /** Counts a refusal. @param owner null for a caller without credentials */
  readonly count: (owner: string | null, policy: string, job?: RefusedJob) => void;
  /** Reads the refusals of this hour and the one before, the most first. @throws while Redis is away */
  readonly read: () => Promise<readonly Refusals[]>;
}

/** Counts what limits refuse: in the metrics by limit, and in Redis by owner, queue and group, by the hour. */
export const refusalsOf = perContext((context: Context): RefusalCounter => {
  const { redis, config, metrics, log } = context;
  const keyOf = (hour: number) => `${config.REDIS_PREFIX}:refused:${hour}`;
  const hourNow = () => Math.floor(Date.now() / HOUR_MS);
  let counts = new Map<string, number>();
  let timer: NodeJS.Timeout | null = null;

  const flush = async () => {
    timer = null;
    const written = counts;
    counts = new Map();
    const key = keyOf(hourNow());
    const pipeline = redis.pipeline();
    for (const [member, n] of written) pipeline.zincrby(key, n, member);
    pipeline.zremrangebyrank(key, 0, -1 - MOST_KEPT);
    pipeline.pexpire(key, 3 * HOUR_MS);
    // figures for people: those of a second in which Redis is away are in the metrics alone
    await pipeline.exec().catch((error: unknown) => log.debug({ err: error }, 'refusals were not counted by owner'));
  };
  context.onClose(async () => {
    if (timer) clearTimeout(timer);
  });

  return {
    count: (owner, policy, job) => {
      metrics.proofline_limit_refusals_total.inc({ policy });
      if (owner === null) return;
      const member = JSON.stringify([owner, policy, job?.queue ?? null, job?.group ?? null]);
      if (!counts.has(member) && counts.size >= MOST_COUNTED) return;
      counts.set(member, (counts.get(member) ?? 0) + 1);
      timer ??= setTimeout(() => void flush(), FLUSH_MS).unref();
    },
    read: async () => {
      const now = hourNow();
      const sums = new Map<string, number>();
      for (const hour of [now, now - 1]) {
        const found = await redis.zrevrange(keyOf(hour), 0, -1, 'WITHSCORES');
        for (let at = 0; at < found.length; at += 2)
          sums.set(found[at]!, (sums.get(found[at]!) ?? 0) + Number(found[at + 1]));
      }
      const all = [...sums].map(([member, refused]) => {
        // rows of a release before this one name neither queue nor group
        const [owner, policy, queue = null, group = null] = JSON.parse(member) as Member;
        return { owner, policy, queue, group, refused };
      });
      return all.toSorted((a, b) => b.refused - a.refused);
    },
  };
});

type Member = readonly [owner: string, policy: string, queue?: string | null, group?: string | null];
