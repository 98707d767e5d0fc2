import { type CommonQueryMethods, sql } from 'slonik';
import { type Static, Type } from 'typebox';
import { readEpoch } from '#src/jobs/model/epoch.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { publisherOf } from '#src/system/redis/redis-cluster.ts';
import type { OwnerEventType } from './owner-event-types.ts';

const OwnerEvent = Type.Object({
  n: Type.Integer(),
  type: Type.String(),
  at: Type.Unsafe<Date>({}),
  data: Type.Unsafe<unknown>({}),
});
const ownerEventRow = row(OwnerEvent);

/** One event of an owner's stream, as it was written. */
export type OwnerEvent = Static<typeof OwnerEvent>;

/** Channel on which the events of an owner are published. */
export function ownerChannel({ REDIS_PREFIX }: Context['config'], owner: string): string {
  return `${REDIS_PREFIX}:owner:${owner}`;
}

/**
 * Adds an event to an owner's stream, in the caller's transaction: its number is the next one, and another event of
 * this owner waits for the commit. Publish it with {@link publishOwnerEvents} once it is committed. Take it as the last
 * of a transaction's locks, so that two transactions cannot wait for each other.
 */
export async function tellOwner(
  tx: CommonQueryMethods,
  owner: string,
  type: OwnerEventType,
  data: Readonly<Record<string, unknown>>,
): Promise<OwnerEvent> {
  const [event] = await tellOwnerAll(tx, owner, type, [data]);
  if (!event) throw new Error(`expected the event ${type} of ${owner}, got none`);
  return event;
}

/** Adds many events of one type, in their order, as {@link tellOwner} adds one. */
export async function tellOwnerAll(
  tx: CommonQueryMethods,
  owner: string,
  type: OwnerEventType,
  data: readonly Readonly<Record<string, unknown>>[],
): Promise<readonly OwnerEvent[]> {
  if (data.length === 0) return [];
  const texts = data.map((one) => JSON.stringify(one));
  const events = await tx.any(sql.type(ownerEventRow)`
    with next as (
      insert into owner_feeds as f (owner, n) values (${owner}, ${data.length})
      on conflict (owner) do update set n = f.n + excluded.n returning n - ${data.length} as before
    )
    insert into owner_events (owner, n, type, data)
    select ${owner}, before + place, ${type}, text::jsonb
    from next, unnest(${sql.array(texts, 'text')}) with ordinality as g (text, place)
    returning n, type, at, data`);
  return events.toSorted((a, b) => a.n - b.n);
}

/** An event, and the owner in whose stream it is. */
export interface Told {
  readonly owner: string;
  readonly event: OwnerEvent;
}

/** Publishes events that are committed. One that is lost is found by its followers when they next compare. */
export async function publishOwnerEvents(
  context: Context,
  owner: string,
  events: readonly OwnerEvent[],
): Promise<void> {
  await publishTold(
    context,
    events.map((event) => ({ owner, event })),
  );
}

/**
 * Publishes events of any owners, in this order, as {@link publishOwnerEvents} does.
 *
 * @param known history that their numbers belong to, where the statement that wrote them has read it; else it is asked
 */
export async function publishTold(context: Context, told: readonly Told[], known: string | null = null): Promise<void> {
  if (told.length === 0) return;
  const { redis, config, log } = context;
  try {
    const epoch = known ?? (await readEpoch(context));
    const pipeline = publisherOf(redis).pipeline();
    for (const { owner, event } of told) {
      const { at, ...rest } = event;
      pipeline.publish(ownerChannel(config, owner), JSON.stringify({ epoch, ...rest, at: at.toISOString() }));
    }
    await pipeline.exec();
  } catch (error) {
    log.debug({ err: error }, 'publications were lost');
  }
}

/** Events of an owner with a number above `after`, in order, at most `limit`. */
export async function readOwnerEvents(
  { db }: Pick<Context, 'db'>,
  owner: string,
  after: number,
  limit: number,
): Promise<readonly OwnerEvent[]> {
  return await db.any(sql.type(ownerEventRow)`
    select n, type, at, data from owner_events where owner = ${owner} and n > ${after} order by n limit ${limit}`);
}
