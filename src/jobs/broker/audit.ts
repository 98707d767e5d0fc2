import type { Client } from 'pg';
import type { Context } from '#src/system/context.ts';
import type { Statement } from '#src/system/statements.ts';
import { brokerKey, type Dispatched, openBroker } from './broker.ts';
import { tellBrokerOfPauses } from './queue-pauses.ts';

const PAGE = 20_000;
/** Entries that one EXISTS asks for: a command for each made 100,000 waiting jobs cost seconds. */
const TOGETHER = 200;
/** Younger ones may still be on their way to the broker. */
const GRACE_MS = 2_000;

interface Waiting {
  readonly id: string;
  readonly dispatch: number;
  readonly version: number;
  readonly suspect: boolean;
  /** `queued_at` to the microsecond: where the next page begins. */
  readonly since: string;
}

/**
 * A page of what waits, walked along its index: sorting a long queue for every page would take all the time there is.
 */
export const auditWaiting: Statement = {
  name: 'audit-waiting',
  text: `
    -- not called queued_at, else the order would be that of the text, and the whole queue sorted for every page
    select id, dispatch, version, suspect, queued_at::text as since from jobs
    where queue = $1 and state = 'queued' and not held and queued_at < now() - $2 * interval '1 ms'
      and (queued_at, id) > ($3::text::timestamptz, $4::uuid)
    order by queued_at, id limit ${PAGE}`,
};

const entriesOf = {
  name: 'audit-entries',
  text: `
    select id, owner, dispatch, suspect, priority, run_at as "runAt", now() as "queuedAt", queue, version from jobs
    where id = any($1::uuid[]) and state = 'queued' and not held`,
};

// the state of a queue changes faster than its statistics: the planner would sort the whole queue for every page
export const auditSession = 'set enable_bitmapscan = off; set enable_sort = off';

/**
 * Adds again what waits in Postgres and is unknown to the broker: lost adds, an emptied Redis, one that came back with
 * its last second missing. And pauses its queues again, where it has forgotten that. Answers how many entries were
 * missing.
 */
export async function auditBroker(
  context: Context,
  client: Client,
  queues: readonly string[],
  signal?: AbortSignal,
): Promise<number> {
  await client.query(auditSession);
  // before anything is added: a broker that has forgotten a pause would hand it out
  await tellBrokerOfPauses(context, client, queues);
  let missing = 0;
  for (const queue of queues) missing += await auditQueue(context, client, queue, signal);
  return missing;
}

async function auditQueue(context: Context, client: Client, queue: string, signal?: AbortSignal): Promise<number> {
  const { log, metrics } = context;
  let after: Pick<Waiting, 'since' | 'id'> = { since: '-infinity', id: '00000000-0000-0000-0000-000000000000' };
  let total = 0;
  for (;;) {
    signal?.throwIfAborted();
    const { rows } = await client.query<Waiting>({ ...auditWaiting, values: [queue, GRACE_MS, after.since, after.id] });
    const lost = await unknownToBroker(context, queue, rows);
    if (lost.length > 0) {
      // what was claimed meanwhile is no longer missing
      const { rows: entries } = await client.query<Dispatched>({ ...entriesOf, values: [lost.map(({ id }) => id)] });
      // a Redis that fails again is met by the next audit
      await openBroker(context).addAll(entries);
      total += entries.length;
    }
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) break;
    after = last;
  }
  if (total > 0) {
    metrics.proofline_broker_readded_total.inc({ queue }, total);
    log.warn({ queue, entries: total }, 'the broker had lost entries of waiting jobs; they were added again');
  }
  return total;
}

async function unknownToBroker(
  { redis, config }: Context,
  queue: string,
  rows: readonly Waiting[],
): Promise<readonly Waiting[]> {
  const exist = async (groups: readonly (readonly Waiting[])[]) => {
    const pipeline = redis.pipeline();
    for (const group of groups) pipeline.exists(group.map((entry) => brokerKey(config, { ...entry, queue })));
    const answers = (await pipeline.exec()) ?? [];
    for (const [error] of answers) if (error) throw error;
    return answers.map(([, count]) => Number(count));
  };
  if (rows.length === 0) return [];
  const groups = Array.from({ length: Math.ceil(rows.length / TOGETHER) }, (_, index) =>
    rows.slice(index * TOGETHER, (index + 1) * TOGETHER),
  );
  const counts = await exist(groups);
  const doubtful = groups.filter((group, index) => counts[index] !== group.length).flat();
  if (doubtful.length === 0) return [];
  const known = await exist(doubtful.map((entry) => [entry]));
  return doubtful.filter((_, index) => known[index] === 0);
}
