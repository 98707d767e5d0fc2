import { createHash, randomUUIDv7 } from 'node:crypto';
import { sql } from 'slonik';
import Type, { type Static } from 'typebox';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres.ts';
import type { ChainAnalytics } from './domain/analytics-schema.ts';
import type { Chain } from './domain/chain.ts';
import { packChain } from './domain/pack-chain.ts';

/** Chains of one owner and symbol that are kept whatever their age. */
const KEPT = 20;

const StoredChain = Type.Object({
  id: Type.String(),
  symbol: Type.String(),
  owner: Type.Union([Type.String(), Type.Null()]),
  asOf: Type.Unsafe<Date>({}),
  givenAt: Type.Unsafe<Date>({}),
  analytics: Type.Unsafe<ChainAnalytics | null>({}),
});
/** What is known of a chain without its columns. `analytics` is null until they are computed. */
export type StoredChain = Static<typeof StoredChain>;

const storedRow = row(StoredChain);
const columns = sql.fragment`id, symbol, owner, as_of as "asOf", given_at as "givenAt", analytics`;
const packedRow = row(Type.Object({ packed: Type.Unsafe<Buffer>({}) }));

/** Keeps a chain for its owner (null: the feed). The same chain again is the same row, and the newest again. */
export async function storeChain(
  { db }: Pick<Context, 'db'>,
  owner: string | null,
  chain: Chain,
): Promise<StoredChain> {
  const packed = Buffer.from(packChain(chain));
  const digest = createHash('sha256').update(packed).digest();
  const stored = await db.one(sql.type(storedRow)`
    insert into chains (id, symbol, owner, as_of, source, contracts, digest, packed)
    values (${randomUUIDv7()}, ${chain.symbol}, ${owner}, ${chain.asOf}, ${chain.source}, ${chain.contracts},
      ${sql.binary(digest)}, ${sql.binary(packed)})
    on conflict (symbol, coalesce(owner, ''), digest) do update set given_at = now()
    returning ${columns}`);
  // an hour's grace: jobs that were submitted with an older chain still read it
  await db.query(sql.unsafe`
    delete from chains where given_at < now() - interval '1 hour' and id in (
      select id from chains where symbol = ${chain.symbol} and owner is not distinct from ${owner}
      order by given_at desc offset ${KEPT})`);
  return stored;
}

/** Which chain of a symbol an owner sees: its own newest, else the feed's; `feed` leaves its own aside. */
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

export async function readChain({ db }: Pick<Context, 'db'>, id: string): Promise<StoredChain | null> {
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

/** Keeps what was computed from a chain; a second computation of the same chain gives the same. */
export async function saveAnalytics({ db }: Pick<Context, 'db'>, id: string, analytics: ChainAnalytics): Promise<void> {
  await db.query(sql.unsafe`update chains set analytics = ${JSON.stringify(analytics)}::jsonb where id = ${id}`);
}
