import { sql } from 'slonik';
import Type from 'typebox';
import { fit } from '#queues/analytics.ts';
import type { Job } from '#src/jobs/job.ts';
import { submit } from '#src/jobs/submit.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres.ts';
import { storeChain } from './chain-store.ts';
import type { Chain } from './domain/chain.ts';
import { cleanChain } from './domain/clean-chain.ts';
import { feedTime } from './domain/feed-clock.ts';
import { readChain } from './domain/read-chain.ts';
import { type MarketSymbol, marketSymbols } from './domain/symbols.ts';
import { openSyntheticMarket } from './domain/synthetic/market.ts';
import { openMarketPath } from './domain/synthetic/market-path.ts';

/** Who asks for what the system does by itself. */
export const feedOwner = { owner: 'system' };

/**
 * Loads a chain, in either of Cboe's forms, into the configured feed, which everyone sees, and asks for its analytics.
 *
 * @throws AppError `invalid_chain`.
 */
export async function ingestChain(context: Context, symbol: MarketSymbol, text: string): Promise<Job> {
  return await keepChain(context, cleanChain(readChain(text, symbol)));
}

async function keepChain(context: Context, chain: Chain): Promise<Job> {
  const { id } = await storeChain(context, null, chain);
  return (await submit(context, fit, { principal: feedOwner, payload: { chainId: id } })).job;
}

/** Gives every symbol without a chain one of the synthetic market, as the live feed would; answers which. */
export async function loadSyntheticFeed(context: Context, now: number): Promise<readonly MarketSymbol[]> {
  const { FEED_SEED: seed, FEED_CONTRACTS: contracts } = context.config;
  const known = await context.db.anyFirst(sql.type(row(Type.Object({ symbol: Type.String() })))`
    select distinct symbol from chains where owner is null and analytics is not null`);
  const missing = marketSymbols.filter((symbol) => !known.includes(symbol));
  if (missing.length === 0) return missing;
  const path = openMarketPath({ seed });
  for (const symbol of missing) {
    const market = openSyntheticMarket({ seed, symbol, contracts, path });
    await keepChain(context, market.chainAt(feedTime(now)));
  }
  return missing;
}
