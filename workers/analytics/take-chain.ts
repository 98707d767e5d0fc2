import type { take } from '#queues/analytics.ts';
import type { Chain } from '#src/analytics/domain/chain/chain.ts';
import { isMarketSymbol, type MarketSymbol, marketSymbols } from '#src/analytics/domain/chain/symbols.ts';
import { offerChain } from '#src/analytics/feed/feed.ts';
import type { Offer } from '#src/analytics/feed/offer.ts';
import { feedStatusOf, publishFeedStatus } from '#src/analytics/live/feed-freshness.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Processor, Run } from '#workers/run/processor.ts';
import { pollQuotes } from './poll-quotes.ts';
import type { ReadTask } from './read-feed-chain.thread.ts';
import { takeFile } from './take-file.ts';

const reader = new URL('./read-feed-chain.thread.ts', import.meta.url);

/**
 * Takes a chain of a real market into the feed. Where that fails, the symbol's last good figures stay, and every answer says
 * how the feed did.
 */
export const takeChainProcessor: Processor<typeof take> = async (run) => {
  const { symbol, file } = run.payload;
  if (!isMarketSymbol(symbol))
    throw new AppError('invalid_payload', `expected a symbol of ${marketSymbols.join(', ')}, got ${symbol}.`);
  const offer: Offer = async (bytes) => await offerChain(run.context, await read(run, symbol, bytes));
  const { context, signal } = run;
  try {
    const outcome = file ? await takeFile(context, file, offer) : await pollQuotes(context, symbol, offer, signal);
    if (outcome !== 'waiting' && outcome !== 'replaced') await publishFeedStatus(context, symbol, 'ok');
    return { symbol, outcome };
  } catch (error) {
    // stopped by us: that says nothing of the feed
    if (!signal.aborted) await publishFeedStatus(context, symbol, feedStatusOf(error));
    throw error;
  }
};

async function read(
  { threads, signal }: Run<typeof take>,
  symbol: MarketSymbol,
  bytes: ReadTask['bytes'],
): Promise<Chain> {
  return await threads.run<Chain>(reader, { bytes, symbol } satisfies ReadTask, signal);
}
