import type { Client } from 'pg';
import { take } from '#queues/analytics.ts';

/** Symbols of which a chain is being taken into the feed: one of a symbol comes after another. */
export async function symbolsTaken(client: Client): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ symbol: string }>(
    `select payload->>'symbol' as symbol from jobs where queue = $1 and state in ('queued', 'running')`,
    [take.name],
  );
  return new Set(rows.map(({ symbol }) => symbol));
}
