import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { sql } from 'slonik';
import Type from 'typebox';
import type { Context } from '#src/system/context.ts';
import { fillGauges } from '#src/system/fill-gauges.ts';
import { lead } from '#src/system/leader.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { startNow } from './start-dependents.ts';
import { wakeJob } from './wake.ts';

/** Milliseconds between two looks: as much as a wait may last too long. */
const LOOK_MS = 50;
/** Jobs of one look; more, and the next follows at once. */
const PAGE = 2_000;

/**
 * Jobs whose wait may be over: those whose time has come, the longest overdue first, and those that something came for.
 * Two looks into an index that cost nothing while there are none, however many jobs wait.
 */
export const look = {
  name: 'look-for-wakes',
  text: `
    select coalesce(array_agg(distinct job), '{}') as jobs from (
      (select job from wakes limit ${PAGE})
      union all
      (select w.job from waits w
       -- of a row that was left by hand nothing would come, at every look; one look-up a row, since it has a limit
       cross join lateral (select j.state from jobs j where j.id = w.job limit 1) j
       where w.wake_at <= now() and j.state = 'waiting' order by w.wake_at limit ${PAGE})
    ) found`,
};

/** Jobs that may begin, since what they waited for has ended. */
export const lookForDue = {
  name: 'look-for-due-dependents',
  text: `select coalesce(array_agg(distinct job), '{}') as jobs from (select job from due_dependents limit ${PAGE}) found`,
};

/** A table that is nearly empty has no statistics to speak of, and then a million rows. */
export const lookSession = 'set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off';

/**
 * Wakes jobs by time, and where the process that was to wake them died before, or does not know of waits. One process
 * does it at a time.
 */
export function startWaker(context: Context): AsyncDisposable {
  return lead(context, 'waker', async (client, signal) => {
    await client.query(lookSession);
    while (!signal.aborted) {
      const found = Math.max(await wakePage(context, client), await startPage(context, client));
      if (found < PAGE) await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
    }
  });
}

/** Returns how many jobs it looked at. */
async function wakePage(context: Context, client: Client): Promise<number> {
  const { rows } = await client.query<{ jobs: string[] }>(look);
  const jobs = rows[0]?.jobs ?? [];
  await Promise.all(jobs.map((id) => wakeJob(context, id)));
  return jobs.length;
}

/** Returns how many jobs it looked at. */
async function startPage(context: Context, client: Client): Promise<number> {
  const { rows } = await client.query<{ jobs: string[] }>(lookForDue);
  const jobs = rows[0]?.jobs ?? [];
  await startNow(context, jobs);
  return jobs.length;
}

const overdueRow = row(Type.Object({ overdue: Type.Number() }));

/** Has every scrape read, in whatever process, how far the waker is behind: two looks into an index. */
export function gaugeWakes(context: Context): void {
  const { db, metrics } = context;
  const gauge = metrics.proofline_wakes_overdue_seconds;
  fillGauges(context, [gauge], async () => {
    gauge.set(
      await db.oneFirst(sql.type(overdueRow)`
        select coalesce(extract(epoch from now() - least(
          (select min(wake_at) from waits where wake_at <= now()),
          (select min(at) from (select at from wakes limit ${PAGE}) noted)
        )), 0)::float8 as overdue`),
    );
  });
}
