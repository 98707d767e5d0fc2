import type { Client } from 'pg';
import { openJobLog } from '#src/jobs/log/job-log.ts';
import { registryOf } from '#src/jobs/registry/registry.ts';
import { conclude, type Ended, failed } from '#src/jobs/run/conclude.ts';
import { openSettlements } from '#src/jobs/run/settle-jobs.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';

/** Attempts that one look ends; what is more waits for the next. */
const PAGE = 500;
/** For the worker's own clock, and its report, to be first. */
const GRACE_MS = 1_000;

const overdue = {
  name: 'overdue-attempts',
  text: `
  select j.id, j.owner, j.queue, j.version, j.attempt, j.failures, j.created_at as "createdAt", j.claim_token as token
  from workers w join jobs j on j.worker_id = w.id and j.state = 'running'
  join unnest($1::text[], $2::int4[], $3::int8[]) as c (queue, version, timeout_ms)
    on c.queue = j.queue and c.version = j.version
  where w.owner is not null and j.started_at < clock_timestamp() - (c.timeout_ms + ${GRACE_MS}) * interval '1 ms'
  order by j.worker_id limit ${PAGE}`,
};

const settlementsOf = perContext(openSettlements);

/**
 * Ends attempts of workers elsewhere that run longer than their contract allows: such a worker may beat for ever and
 * never answer. It is told to stop by its next poll.
 */
export async function endOverdue(context: Context, client: Client): Promise<void> {
  const registry = registryOf(context);
  const contracts = registry.everyVersion();
  if (contracts.length === 0) return;
  const { rows } = await client.query<Ended['claimed'] & { readonly token: string }>({
    ...overdue,
    values: [
      contracts.map(({ name }) => name),
      contracts.map(({ version }) => version),
      contracts.map(({ timeoutMs }) => timeoutMs),
    ],
  });
  await Promise.all(
    rows.map(async ({ token, ...claimed }) => {
      const queue = registry.get(claimed.queue, claimed.version);
      if (!queue) return;
      const ended: Ended = { queue, claimed, token, log: openJobLog(context, claimed.id, claimed.attempt) };
      const message = `The job ran longer than ${queue.timeoutMs} ms and was stopped.`;
      const error = { code: 'job_timeout', message, details: { timeoutMs: queue.timeoutMs } };
      const settlement = failed(context, ended, { error, retryable: true }, queue.attempts);
      await conclude(context, settlementsOf(context), ended, settlement);
    }),
  );
}
