import type { Client } from 'pg';
import type { Context } from '#src/system/context.ts';
import { releaseOrphans } from './release.ts';

/** Declares silent workers dead, where `mayBury` says that may be done now, and puts what they ran back into its queues. */
export async function requeueOrphans(context: Context, client: Client, mayBury: boolean): Promise<void> {
  const { config, metrics, log } = context;
  if (mayBury) {
    const { rows: dead } = await client.query<{ id: string; fleet: string; host: string; pid: number }>(
      `delete from workers where beat_at < clock_timestamp() - $1 * interval '1 ms' returning id, fleet, host, pid`,
      [config.LEASE_MS],
    );
    metrics.proofline_workers_lost_total.inc(dead.length);
    for (const worker of dead) log.warn({ worker }, 'a worker did not beat for one lease and is taken for dead');
  }
  await releaseOrphans(context, client);
}
