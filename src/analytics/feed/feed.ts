import { sql } from 'slonik';
import Type from 'typebox';
import { fit } from '#queues/analytics.ts';
import { newestReal, storeChain } from '#src/analytics/chains/chain-store.ts';
import { feedTime, openTime } from '#src/analytics/domain/calendar/feed-clock.ts';
import type { Chain } from '#src/analytics/domain/chain/chain.ts';
import { cleanChain } from '#src/analytics/domain/chain/clean-chain.ts';
import { readChain } from '#src/analytics/domain/chain/read-chain.ts';
import { type MarketSymbol, marketSymbols } from '#src/analytics/domain/chain/symbols.ts';
import { openSyntheticMarket } from '#src/analytics/domain/synthetic/market.ts';
import { openMarketPath } from '#src/analytics/domain/synthetic/market-path.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { AppError } from '#src/lib/errors.ts';
import { systemOwner } from '#src/lib/system-owner.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

/** Owner of the jobs that the system submits by itself. */
export const feedOwner = { owner: systemOwner };

/**
 * Loads a chain, in either of Cboe's forms, into the configured feed, which everyone sees, and asks for its analytics.
 *
 * @throws AppError `invalid_chain`.
 */
export async function ingestChain(context: Context, symbol: MarketSymbol, text: string): Promise<Job> {
  return await keepChain(context, cleanChain(readChain(text, symbol)));
}

/** Contracts of the chain before that a new one must have at least, as a share: days of expiry take a few percent. */
const LEAST_SHARE = 0.6;
/** Open time after which the chain before says nothing of the size of a new one: a session. */
const SIZED_MS = 6.5 * 3_600_000;

export type ChainOutcome = 'taken' | 'unchanged' | 'older';

/**
 * Takes a chain that a feed of a real market gives, unless it is the one it gave before or older than that.
 *
 * @throws AppError `invalid_chain` with `details.half` for one that has lost many of its contracts since: a document that
 *   was cut or is being written. The chain before stays.
 */
export async function offerChain(context: Context, chain: Chain): Promise<ChainOutcome> {
  const before = await newestReal(context, chain);
  const asOf = Date.parse(chain.asOf);
  if (before?.same) return 'unchanged';
  if (before && asOf < before.asOf.getTime()) return 'older';
  const least = Math.ceil(LEAST_SHARE * (before?.contracts ?? 0));
  if (before && chain.contracts < least && openTime(before.asOf.getTime(), asOf) < SIZED_MS) {
    const message = `${chain.symbol}: expected at least ${least} usable contracts, as the chain before had ${before.contracts}, got ${chain.contracts}; that one stays.`;
    throw new AppError('invalid_chain', message, { half: true, contracts: chain.contracts, least });
  }
  await keepChain(context, chain);
  return 'taken';
}

async function keepChain(context: Context, chain: Chain): Promise<Job> {
  const { id } = await storeChain(context, null, chain);
  return (await submit(context, fit, { principal: feedOwner, payload: { chainId: id } })).job;
}

/**
 * Gives every symbol without a chain one of the synthetic market, as the live feed would; answers which. Where real ones are
 * to come by themselves, none is made up for the time until then.
 */
export async function loadSyntheticFeed(context: Context, now: number): Promise<readonly MarketSymbol[]> {
  if (context.config.FEED === 'cboe' || context.config.FEED === 'files') return [];
  const { FEED_SEED: seed, FEED_CONTRACTS: contracts, FEED_SPEED: speed } = context.config;
  const known = await context.db.anyFirst(sql.type(row(Type.Object({ symbol: Type.String() })))`
    select distinct symbol from chains where owner is null and analytics is not null`);
  const missing = marketSymbols.filter((symbol) => !known.includes(symbol));
  if (missing.length === 0) return missing;
  const path = openMarketPath({ seed });
  for (const symbol of missing) {
    const market = openSyntheticMarket({ seed, symbol, contracts, path });
    await keepChain(context, market.chainAt(feedTime(now, speed)));
  }
  return missing;
}
