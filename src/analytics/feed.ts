import { sql } from 'slonik';
import Type from 'typebox';
import { fit } from '#queues/analytics.ts';
import type { Job } from '#src/jobs/job.ts';
import { submit } from '#src/jobs/submit.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres.ts';
import { storeChain } from './chain-store.ts';
import { cleanChain } from './domain/clean-chain.ts';
import { generateChainCsv } from './domain/generate-chain.ts';
import { readChain } from './domain/read-chain.ts';
import { type MarketSymbol, marketSymbols } from './domain/symbols.ts';

/** Who asks for what the system does by itself. */
export const feedOwner = { owner: 'system' };

/**
 * Loads a chain, in either of Cboe's forms, into the configured feed, which everyone sees, and asks for its analytics.
 *
 * @throws AppError `invalid_chain`.
 */
export async function ingestChain(context: Context, symbol: MarketSymbol, text: string): Promise<Job> {
  const chain = await storeChain(context, null, cleanChain(readChain(text, symbol)));
  return (await submit(context, fit, { principal: feedOwner, payload: { chainId: chain.id } })).job;
}

/** Gives every symbol without a chain a generated one; answers which. The feed says of each that it is synthetic. */
export async function loadGeneratedFeed(context: Context, at: Date): Promise<readonly MarketSymbol[]> {
  const known = await context.db.anyFirst(sql.type(row(Type.Object({ symbol: Type.String() })))`
    select distinct symbol from chains where owner is null and analytics is not null`);
  const missing = marketSymbols.filter((symbol) => !known.includes(symbol));
  await Promise.all(
    missing.map((symbol) => ingestChain(context, symbol, generateChainCsv({ symbol, at: at.getTime() }))),
  );
  return missing;
}
