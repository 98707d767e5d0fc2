import type { Client } from 'pg';
import type { BrokerLine } from '#src/jobs/broker/broker-names.ts';
import { tellBrokerOfPauses } from '#src/jobs/broker/queue-pauses.ts';
import { advanceCarried, type Carried, readCarried } from '#src/jobs/broker/read-carried.ts';
import { sendToLine } from '#src/jobs/broker/send-to-line.ts';
import { AGEING_SECONDS } from '#src/jobs/model/feed.ts';
import { registryOf } from '#src/jobs/registry/registry.ts';
import type { Context } from '#src/system/context.ts';

/** Younger ones may still be on their way to the broker. */
const GRACE_MS = 2_000;

interface Fed {
  readonly id: string;
  readonly dispatch: number;
  readonly version: number;
  readonly suspect: boolean;
}

/** The jobs that the window of a queue is to have. As many rows as a window is wide, however long the line is. */
export const auditFed = {
  name: 'audit-fed',
  text: `
    select id, dispatch, version, suspect from jobs
    where queue = $1 and state = 'queued' and feed = 'fed' and not held and queued_at < now() - $2 * interval '1 ms'
    order by queued_at, id`,
};

// the state of a queue changes faster than its statistics
export const auditSession = 'set enable_bitmapscan = off; set enable_sort = off; set enable_seqscan = off';

/** Deliveries that were missing at the audit before. */
export type Missing = Map<string, ReadonlySet<string>>;

/**
 * Puts in line again what the broker was to have and has not, at this audit and at the one before: lost adds, an emptied
 * Redis, one that came back with its last second missing. And pauses its queues again, where it has forgotten that.
 * Answers how many jobs were missing.
 */
export async function auditBroker(
  context: Context,
  client: Client,
  queues: readonly string[],
  missing: Missing,
  signal?: AbortSignal,
): Promise<number> {
  await client.query(auditSession);
  // before anything is added: a broker that has forgotten a pause would hand it out
  await tellBrokerOfPauses(context, client, queues);
  let total = 0;
  for (const queue of queues) {
    signal?.throwIfAborted();
    total += await auditQueue(context, client, queue, missing);
  }
  return total;
}

async function auditQueue(context: Context, client: Client, queue: string, missing: Missing): Promise<number> {
  const { log, metrics } = context;
  const { rows } = await client.query<Fed>({ ...auditFed, values: [queue, GRACE_MS] });
  const before = missing.get(queue);
  missing.delete(queue);
  if (rows.length === 0) return 0;
  const carried = await lookAtWindows(context, queue);
  const unknown = rows.filter((job) => !carried.has(`${job.id}-${job.dispatch}`));
  if (unknown.length === 0) return 0;
  missing.set(queue, new Set(unknown.map(({ id, dispatch }) => `${id}-${dispatch}`)));
  // what the feeder has chosen a moment ago is on its way, however long it has waited
  const lost = unknown.filter((job) => before?.has(`${job.id}-${job.dispatch}`));
  if (lost.length === 0) return 0;
  const count = await sendToLine(context, lost);
  if (count > 0) {
    metrics.proofline_broker_readded_total.inc({ queue }, count);
    log.warn({ queue, jobs: count }, 'the broker had lost waiting jobs; they are added again');
  }
  return count;
}

/** All deliveries that the broker has of a queue. Puts right on the way their order. */
async function lookAtWindows(context: Context, queue: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const version of registryOf(context).versions(queue))
    for (const suspect of [false, true]) {
      const line = { queue, version, suspect };
      const carried = await readCarried(context, line);
      for (const { jobs } of carried) for (const job of jobs) found.add(job);
      await age(
        context,
        line,
        carried.filter(({ waits }) => waits),
      );
    }
  return found;
}

/** Entries that have waited long go before younger ones of a better priority: else these would starve them. */
async function age(context: Context, line: BrokerLine, waiting: readonly Carried[]): Promise<void> {
  const now = Date.now();
  const aged = waiting.flatMap(({ entry, priority, addedAt, delay }) => {
    // two to a step of priority: see the carriers
    const steps = 2 * Math.floor(Math.max(0, now - addedAt - delay) / (AGEING_SECONDS * 1_000));
    return steps > 0 && priority > 0 ? [{ entry, priority: Math.max(0, priority - steps) }] : [];
  });
  if (aged.length > 0) await advanceCarried(context, line, aged);
}
