import { sql } from 'slonik';

/**
 * Place of a queued job on its way to a worker. `fed`: an entry of the broker carries it, or is about to. `ready`: it may
 * run, and stands in line for the broker's window. `later`: its time has not come.
 */
export const feeds = ['fed', 'ready', 'later'] as const;
export type Feed = (typeof feeds)[number];

/** A job whose time comes sooner goes to the broker at once, which waits for it; any other waits in Postgres. */
const SOON = `interval '5 seconds'`;

/** SQL of the feed of a job that goes to the broker now, by the time from which it may run. */
export function feedBy(runAt: string, now = `'fed'`): string {
  return `case when ${runAt} > now() + ${SOON} then 'later' else ${now} end`;
}

/** The same as an assignment in an update of jobs as `j`, for one that goes to the broker now where its time has come. */
export const setFeed = sql.fragment`feed = case when j.run_at > now() + interval '5 seconds' then 'later' else 'fed' end`;

/** SQL of a group whose share of its queue a job of the table `j` counts for: its own, or its owner. */
export const groupFragment = sql.fragment`coalesce(j.group_key, j.owner)`;
export const groupOf: string = groupFragment.sql;

/** Seconds of age that make up for one step of priority: so the last in priority is never passed by for ever. */
export const AGEING_SECONDS = 3;

/** SQL of the place of a job of the table `j` among those of its group, the lowest first. Ends as its index has it. */
export const placeFragment = sql.fragment`((j.run_at - timestamptz '2000-01-01 00:00:00+00') + j.priority * interval '3 seconds')`;
export const placeInGroup: string = placeFragment.sql;

/** The queued jobs that are not held, as the indexes of what waits have them: one part each. */
export const queuedJobs = sql.fragment`
  select * from jobs where state = 'queued' and feed = 'fed' and not held
  union all
  select * from jobs where state = 'queued' and feed = 'ready' and not held
  union all
  select * from jobs where state = 'queued' and feed = 'later' and not held`;
