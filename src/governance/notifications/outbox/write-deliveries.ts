import { randomUUIDv7 } from 'node:crypto';
import { type CommonQueryMethods, sql } from 'slonik';
import { bodyOf, type NotableEvent } from './event.ts';
import type { Audience } from './match.ts';

const CHUNK = 500;
const types = ['uuid', 'uuid', 'text', 'text', 'text', 'text', 'timestamptz'];

/**
 * Writes a delivery for each endpoint that wants an event: once, however often the event is read.
 *
 * @returns the number of deliveries that are wanted, those that were there included
 */
export async function writeDeliveries(
  { db }: { readonly db: CommonQueryMethods },
  audience: Pick<Audience, 'of'>,
  events: readonly NotableEvent[],
): Promise<number> {
  const rows = events.flatMap((event) => {
    const endpoints = audience.of(event);
    if (endpoints.length === 0) return [];
    const body = bodyOf(event);
    return endpoints.map(({ id, owner }) => [
      randomUUIDv7(),
      id,
      owner,
      event.key,
      event.type,
      body,
      event.at.toISOString(),
    ]);
  });
  for (let at = 0; at < rows.length; at += CHUNK)
    await db.query(sql.unsafe`
      insert into webhook_deliveries (id, endpoint, owner, event, type, body, happened_at)
      select n.* from ${sql.unnest(rows.slice(at, at + CHUNK), types)} as n (id, endpoint, owner, event, type, body, happened_at)
      -- one that was removed meanwhile gets nothing
      where exists (select from webhook_endpoints p where p.id = n.endpoint for key share)
      on conflict (endpoint, event) do nothing`);
  return rows.length;
}
