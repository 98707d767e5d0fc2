import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Versioned } from '#src/jobs/broker/broker-names.ts';
import { writeWindow } from '#src/jobs/broker/read-carried.ts';
import { registryOf } from '#src/jobs/registry/registry.ts';
import type { Context } from '#src/system/context.ts';
import { logFailure } from '#src/system/log-failure.ts';
import { feedSession, type LineFeed, openLineFeed } from './feed-line.ts';
import { type Rule, readRules, rulesOf } from './rules.ts';

/** Pause between two passes while jobs stand in line, ms. */
const BUSY_MS = 5;
/** Pause while none do, ms. */
const IDLE_MS = 50;
/** Time after which rules and capacities are read anew, ms. */
const FRESH_MS = 500;
/** Pause between two looks for jobs whose time has come, ms: they are put in line a second before. */
const DUE_MS = 200;
/** Jobs whose time has come that one look puts in line. */
const DUE_TOGETHER = 5_000;

const linesNow = {
  name: 'lines-now',
  text: `
    with recursive found as (
      (select queue, version from jobs where state = 'queued' and feed = 'ready' and not held order by queue, version limit 1)
      union all
      select n.queue, n.version from found f left join lateral (
        select j.queue, j.version from jobs j
        where j.state = 'queued' and j.feed = 'ready' and not j.held and (j.queue, j.version) > (f.queue, f.version)
        order by j.queue, j.version limit 1
      ) n on true
      where f.queue is not null
    )
    select queue, version from found where queue is not null and queue = any($1::text[])`,
};

/** Jobs whose time comes within a second: the broker waits for the rest of it. */
const becomeDue = {
  name: 'become-due',
  text: `
    with due as materialized (
      select first.id from unnest($1::text[]) as q (name) cross join lateral (
        select j.id from jobs j
        where j.queue = q.name and j.state = 'queued' and j.feed = 'later' and not j.held and j.run_at <= now() + interval '1 second'
        order by j.run_at limit ${DUE_TOGETHER} for update skip locked
      ) first
    )
    update jobs j set feed = 'ready' from due d where j.id = d.id`,
};

const capacities = {
  name: 'capacities',
  text: `
    select t.name as queue, sum(coalesce(w.capacity, 1))::int as jobs from workers w, jsonb_to_recordset(w.takes) as t (name text)
    where w.takes is not null group by t.name`,
};

/**
 * Feeds the broker's windows from the jobs that stand in line, until `signal`. One process does it at a time; two would
 * do no harm, as each row is taken once.
 */
export async function feed(
  context: Context,
  client: Client,
  queues: () => readonly string[],
  signal: AbortSignal,
): Promise<void> {
  await client.query(feedSession);
  const feeds = new Map<string, LineFeed>();
  let rules: readonly Rule[] = [];
  let capacityOf = new Map<string, number>();
  let readAt = -Infinity;
  let dueAt = -Infinity;
  let heldAt = -Infinity;
  let open = new Map<string, Versioned>();
  const refresh = async () => {
    if (performance.now() - readAt < FRESH_MS) return;
    rules = await readRules(client);
    const { rows } = await client.query<{ queue: string; jobs: number }>(capacities);
    capacityOf = new Map(rows.map(({ queue, jobs }) => [queue, jobs]));
    readAt = performance.now();
  };
  /** Has all that comes to a limited queue stand in line, also while none does. */
  const holdLimited = async () => {
    if (performance.now() - heldAt < FRESH_MS) return;
    const limited = queues().filter((queue) => rulesOf(rules, queue).limits);
    for (const queue of limited)
      for (const version of registryOf(context).versions(queue))
        await writeWindow(context, { queue, version, suspect: false }, { lineUntil: Date.now() + 4 * FRESH_MS });
    heldAt = performance.now();
  };
  while (!signal.aborted) {
    const begunAt = performance.now();
    if (performance.now() - dueAt > DUE_MS) {
      await client.query({ ...becomeDue, values: [queues()] });
      dueAt = performance.now();
    }
    const { rows: lines } = await client.query<Versioned>({ ...linesNow, values: [queues()] });
    const now = new Map(lines.map((line) => [`${line.queue}@${line.version}`, line]));
    await refresh();
    await holdLimited();
    const failed: unknown[] = [];
    // one pass more for a line that has come to its end: it says so
    for (const [name, line] of new Map([...open, ...now])) {
      const own = feeds.get(name) ?? openLineFeed(context, client, line);
      feeds.set(name, own);
      await own.pass(rulesOf(rules, line.queue), capacityOf.get(line.queue) ?? 0).catch((error: unknown) => {
        // one line that cannot be fed keeps no other from it, unless none can
        feeds.delete(name);
        failed.push(error);
      });
    }
    if (failed.length > 0 && failed.length === new Set([...open.keys(), ...now.keys()]).size) throw failed[0];
    for (const error of failed) void logFailure(context, error, {}, 'a line could not be fed; the others go on');
    for (const name of feeds.keys()) if (!now.has(name)) feeds.delete(name);
    open = now;
    // half of the time at most: with very many groups a pass takes longer
    const pauseMs = now.size > 0 ? Math.max(BUSY_MS, performance.now() - begunAt) : IDLE_MS;
    await sleep(pauseMs, undefined, { signal }).catch(() => {});
  }
}
