import type { Schedule } from './schedule-row.ts';
import { timeAfter } from './times.ts';

/** A time that has passed by so long was missed: its process was away, or the clock was set. */
const LATE_MS = 60_000;
/** Times of one schedule that one look goes through; more, and the next look goes on. */
const MOST = 1_000;

/** Fate of the times of a schedule that are over. */
export interface Due {
  /** To be submitted, the oldest first. */
  readonly run: readonly Date[];
  /** Passed over by its policy, the oldest first. */
  readonly missed: readonly Date[];
  /** First of the times that were passed over without being listed, since they are older than its bound; null for none. */
  readonly beyond: Date | null;
  /** The first that is left; null where none comes any more. */
  readonly next: Date | null;
}

/**
 * Decides what is to be done about the times of a schedule up to now: those of the last minute run; of earlier ones all,
 * the last or none, and none that is older than its bound.
 */
export function dueTimes(schedule: Schedule, now: Date): Due {
  const { missed: policy, missedWithinS, nextAt } = schedule;
  const rule = { ...schedule, from: schedule.madeAt };
  const boundMs = policy === 'none' ? LATE_MS : Math.max(LATE_MS, missedWithinS * 1_000);
  const bound = new Date(now.getTime() - boundMs);
  const isBeyond = nextAt !== null && nextAt < bound;
  // one look passes over a month of seconds
  let at = isBeyond ? timeAfter(rule, new Date(bound.getTime() - 1)) : nextAt;
  const over: Date[] = [];
  for (; at && at <= now && over.length < MOST; at = timeAfter(rule, at)) over.push(at);
  const inTime = over.filter((one) => now.getTime() - one.getTime() <= LATE_MS);
  const late = over.slice(0, over.length - inTime.length);
  const isMore = at !== null && at <= now;
  // one that is in time, or comes in the next look, does what the last of the missed was to do
  const last = inTime.length > 0 || isMore ? [] : late.slice(-1);
  const made = policy === 'all' ? late : policy === 'last' ? last : [];
  return {
    run: [...made, ...inTime],
    missed: late.filter((one) => !made.includes(one)),
    beyond: isBeyond ? nextAt : null,
    next: at,
  };
}
