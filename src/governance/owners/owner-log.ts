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
  const told = await tellOwners(
    tx,
    data.map((one) => ({ owner, type, data: one })),
  );
  return told.map(({ event }) => event);
}

/** Something that an owner is to be told. */
export interface Said {
  readonly owner: string;
  readonly type: OwnerEventType;
  readonly data: Readonly<Record<string, unknown>>;
}

/** An event, and the owner in whose stream it is. */
export interface Told {
  readonly owner: string;
  readonly event: OwnerEvent;
}

const toldRow = row(Type.Interface([OwnerEvent], { owner: Type.String(), place: Type.Integer() }));

/** Adds events to the streams of their owners in one statement, each stream in their order. Answers them in their order. */
export async function tellOwners(tx: CommonQueryMethods, said: readonly Said[]): Promise<readonly Told[]> {
  if (said.length === 0) return [];
  const column = (of: (one: Said) => string) => sql.array(said.map(of), 'text');
  const told = await tx.any(sql.type(toldRow)`
    with said as materialized (
      select owner, type, data::jsonb, place, row_number() over (partition by owner order by place) as nth
      from unnest(${column(({ owner }) => owner)}, ${column(({ type }) => type)},
        ${column(({ data }) => JSON.stringify(data))}) with ordinality as g (owner, type, data, place)
    ), feeds as materialized (
      select owner, count(*)::int as many from said group by owner order by owner
    ), next as (
      -- owners in one order everywhere, so that two statements cannot wait for each other
      insert into owner_feeds as f (owner, n) select owner, many from feeds order by owner
      on conflict (owner) do update set n = f.n + excluded.n returning owner, n
    ), noted as (
      insert into owner_events (owner, n, type, data)
      select owner, next.n - many + nth, type, data from said join feeds using (owner) join next using (owner)
      returning owner, n, type, at, data
    )
    select s.place::int4, e.owner, e.n, e.type, e.at, e.data
    from said s join feeds f using (owner) join next using (owner)
      join noted e on e.owner = s.owner and e.n = next.n - f.many + s.nth
    order by s.place`);
  return told.map(({ owner, place: _place, ...event }) => ({ owner, event }));
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
