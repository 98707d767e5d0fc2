import { createHash, randomUUIDv7 } from 'node:crypto';
import { type CommonQueryMethods, sql } from 'slonik';
import Type, { type Static } from 'typebox';
import { type Chain, isSynthetic } from '#src/analytics/domain/chain/chain.ts';
import { packChain } from '#src/analytics/domain/chain/pack-chain.ts';
import type { ChainAnalytics } from '#src/analytics/domain/figures/analytics-schema.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

/** Chains of one owner and symbol that are kept whatever their age. */
const KEPT = 20;
/** Most chains of one owner and symbol, with those that are new or that unfinished jobs need. */
const MOST = 100;

const StoredChain = Type.Object({
  id: Type.String(),
  symbol: Type.String(),
  owner: Type.Union([Type.String(), Type.Null()]),
  asOf: Type.Unsafe<Date>({}),
  givenAt: Type.Unsafe<Date>({}),
  analytics: Type.Unsafe<ChainAnalytics | null>({}),
});
/** A chain without its columns. `analytics` is null until they are computed. */
export type StoredChain = Static<typeof StoredChain>;

const storedRow = row(StoredChain);
const columns = sql.fragment`id, symbol, owner, as_of as "asOf", given_at as "givenAt", analytics`;
const countRow = row(Type.Object({ n: Type.Integer() }));
const packedRow = row(Type.Object({ packed: Type.Unsafe<Buffer>({}) }));

/**
 * Keeps a chain for its owner (null: the feed). The same chain again is the same row, and the newest again. What is older
 * than the newest {@link KEPT} is forgotten, but for what is seconds old or an unfinished job needs.
 *
 * @throws AppError `quota_exceeded` when an owner has {@link MOST} that cannot be forgotten.
 */
export async function storeChain(
  { db }: { readonly db: CommonQueryMethods },
  owner: string | null,
  chain: Chain,
): Promise<StoredChain> {
  const { packed, digest } = pack(chain);
  return await db.transaction(async (tx) => {
    // one upload of an owner after another: each counts what the one before has left, and no two forget in different orders
    await tx.query(
      sql.unsafe`select pg_advisory_xact_lock(hashtextextended(${`chains ${chain.symbol} ${owner ?? ''}`}, 0))`,
    );
    const stored = await tx.one(sql.type(storedRow)`
      insert into chains (id, symbol, owner, as_of, source, synthetic, contracts, digest, packed, given_at)
      values (${randomUUIDv7()}, ${chain.symbol}, ${owner}, ${chain.asOf}, ${chain.source}, ${isSynthetic(chain)},
        ${chain.contracts},
        ${sql.binary(digest)}, ${sql.binary(packed)}, clock_timestamp())
      on conflict (symbol, coalesce(owner, ''), digest) do update set given_at = clock_timestamp()
      returning ${columns}`);
    const older = await forgetOlder(tx, chain.symbol, owner);
    // undoes the insert as well
    if (owner !== null && KEPT + older > MOST) throw tooMany(chain.symbol);
    return stored;
  });
}

function pack(chain: Chain): { readonly packed: Buffer; readonly digest: Buffer } {
  const packed = Buffer.from(packChain(chain));
  return { packed, digest: createHash('sha256').update(packed).digest() };
}

/** Forgets what lies behind the newest {@link KEPT} and is not needed; answers how many had to stay. */
async function forgetOlder(tx: CommonQueryMethods, symbol: string, owner: string | null): Promise<number> {
  // a job is submitted after its chain was seen; whose jobs need a chain of the feed is not looked up
  const grace = owner === null ? '1 hour' : '10 seconds';
  return await tx.oneFirst(sql.type(countRow)`
    with older as materialized (
      select id, given_at from chains where symbol = ${symbol} and owner is not distinct from ${owner}
      order by given_at desc offset ${KEPT}
    ), needed as materialized (
      select j.payload from jobs j
      where exists (select from older) and j.state in ('queued', 'running') and j.owner = ${owner} and j.queue like 'analytics.%'
    ), forgotten as (
      delete from chains c using older o
      where c.id = o.id and o.given_at < clock_timestamp() - ${grace}::interval and not exists (
        select from needed n where n.payload @> jsonb_build_object('chainId', o.id)
          or n.payload @> jsonb_build_object('books', jsonb_build_array(jsonb_build_object('chainId', o.id))))
      returning c.id
    )
    select (select count(*) from older) - (select count(*) from forgotten) as n`);
}

function tooMany(symbol: string): AppError {
  return new AppError(
    'quota_exceeded',
    `expected at most ${MOST} chains of ${symbol} of yours that are new or needed by unfinished jobs, got another; try again in 10 s.`,
    { symbol, limit: MOST, retry_after_seconds: 10 },
  );
}

const NewestReal = Type.Object({ asOf: Type.Unsafe<Date>({}), contracts: Type.Integer(), same: Type.Boolean() });
const realRow = row(NewestReal);

/** The newest chain of a real market in the feed of a chain's symbol, and whether it is the same; null without one. */
export async function newestReal({ db }: Pick<Context, 'db'>, chain: Chain): Promise<Static<typeof NewestReal> | null> {
  return await db.maybeOne(sql.type(realRow)`
    select as_of as "asOf", contracts, digest = ${sql.binary(pack(chain).digest)} as same from chains
    where symbol = ${chain.symbol} and owner is null and not synthetic order by given_at desc limit 1`);
}

/** Reads the chain of a symbol that an owner sees: its own newest, else the feed's; `feed` leaves its own aside. */
export async function visibleChain(
  { db }: Pick<Context, 'db'>,
  symbol: string,
  owner: string,
  from: 'own' | 'feed',
): Promise<StoredChain | null> {
  const owned = sql.fragment`select ${columns} from chains where symbol = ${symbol} and owner = ${owner} order by given_at desc limit 1`;
  const fed = sql.fragment`select ${columns} from chains where symbol = ${symbol} and owner is null order by given_at desc limit 1`;
  const own = from === 'own' ? await db.maybeOne(sql.type(storedRow)`${owned}`) : null;
  return own ?? (await db.maybeOne(sql.type(storedRow)`${fed}`));
}

export async function readStoredChain({ db }: Pick<Context, 'db'>, id: string): Promise<StoredChain | null> {
  return await db.maybeOne(sql.type(storedRow)`select ${columns} from chains where id = ${id}`);
}

export async function readPacked({ db }: Pick<Context, 'db'>, id: string): Promise<Buffer | null> {
  return (await db.maybeOne(sql.type(packedRow)`select packed from chains where id = ${id}`))?.packed ?? null;
}

/** Forgets an owner's own chains of a symbol, so that it sees the configured feed again; answers how many there were. */
export async function forgetChains({ db }: Pick<Context, 'db'>, symbol: string, owner: string): Promise<number> {
  const { rowCount } = await db.query(sql.unsafe`delete from chains where symbol = ${symbol} and owner = ${owner}`);
  return rowCount;
}

/** Forgets one chain of any owner. */
export async function forgetChain({ db }: Pick<Context, 'db'>, id: string): Promise<void> {
  await db.query(sql.unsafe`delete from chains where id = ${id}`);
}

/** Keeps what was computed from a chain; a second computation of the same chain gives the same. */
export async function saveAnalytics(
  { db }: { readonly db: CommonQueryMethods },
  id: string,
  analytics: ChainAnalytics,
  answers: ReadonlyMap<string, string>,
): Promise<void> {
  const members = [...answers].map(([field, text]) => `${JSON.stringify(field)}:${text}`);
  await db.query(sql.unsafe`
    update chains set analytics = ${JSON.stringify(analytics)}::jsonb, answers = ${`{${members.join()}}`}::json
    where id = ${id}`);
}

const NewestAnswer = Type.Object({
  id: Type.String(),
  answer: Type.Union([Type.String(), Type.Null()]),
  asOf: Type.Unsafe<Date>({}),
  givenAt: Type.Unsafe<Date>({}),
  synthetic: Type.Boolean(),
});
const newestRow = row(NewestAnswer);

/** An owner's newest chain of a symbol (null: the feed's) with one of its answers, as JSON text; null without a chain. */
export async function newestAnswer(
  { db }: Pick<Context, 'db'>,
  symbol: string,
  owner: string | null,
  field: string,
): Promise<Static<typeof NewestAnswer> | null> {
  return await db.maybeOne(sql.type(newestRow)`
    select id, (answers->${field})::text as answer, as_of as "asOf", given_at as "givenAt", synthetic from chains
    where symbol = ${symbol} and ${owner === null ? sql.fragment`owner is null` : sql.fragment`owner = ${owner}`}
    order by given_at desc limit 1`);
}
