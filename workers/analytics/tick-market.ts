import type { tick } from '#queues/analytics.ts';
import { saveAnalytics, storeChain } from '#src/analytics/chains/chain-store.ts';
import type { Chain } from '#src/analytics/domain/chain/chain.ts';
import { isMarketSymbol, marketSymbols } from '#src/analytics/domain/chain/symbols.ts';
import { feedPast } from '#src/analytics/feed/feed-past.ts';
import { readRegimes } from '#src/analytics/live/market-state.ts';
import { publishMarket } from '#src/analytics/live/publish-market.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import type { Processor, Run } from '#workers/run/processor.ts';
import { advUsdOf } from './adv.ts';
import type { FigureTask } from './figure-market.thread.ts';
import { type FeedFigures, keepFigures, takeFigures } from './take-figures.ts';
import type { Ticked, TickTask } from './tick-market.thread.ts';

const tickTask = new URL('./tick-market.thread.ts', import.meta.url);
const figureTask = new URL('./figure-market.thread.ts', import.meta.url);

/**
 * Makes the synthetic market of a symbol at an instant in a thread and tells its stream; then, where they are wanted,
 * computes every figure of it in the thread beside the pool, so that no tick of another symbol waits for them.
 */
export const tickMarketProcessor: Processor<typeof tick> = async (run) => {
  const { payload, signal, context, threads } = run;
  const { symbol, at, order, full, keep } = payload;
  if (!isMarketSymbol(symbol))
    throw new AppError('invalid_payload', `expected a symbol of ${marketSymbols.join(', ')}, got ${symbol}.`);
  const task: TickTask = {
    symbol,
    at,
    seed: context.config.FEED_SEED,
    contracts: context.config.FEED_CONTRACTS,
    advUsd: advUsdOf(symbol),
    previousRegimes: await readRegimes(context, symbol),
  };
  const { chain, analytics } = await threads.run<Ticked>(tickTask, task, signal);
  const told = await publishMarket(context, { id: `tick-${order}`, order, analytics });
  if (full || keep) {
    const { rawShares, moves } = await feedPast(context, { symbol, at, synthetic: true });
    await publishRest(run, { ...task, chain, past: { rawShares, moves } });
  }
  return { symbol, as_of: analytics.as_of, told };
};

/** Tells what takes longer, and keeps it where that is wanted. */
async function publishRest({ payload, signal, context, threads }: Run<typeof tick>, task: FigureTask): Promise<void> {
  const { order, keep } = payload;
  const figured = await threads.runAside<FeedFigures>(figureTask, task, signal);
  const { isNews, answers } = await takeFigures(context, figured, { id: `tick-${order}`, order });
  if (keep && isNews) await keepTick(context, task.chain, { ...figured, answers });
}

/** For stress tests, which name a stored chain, and for the history. */
async function keepTick(context: Context, chain: Chain, figures: FeedFigures): Promise<void> {
  const { analytics, answers } = figures;
  // in one step: a job that found the chain without its figures would compute others, that lack the tapes, and tell those
  await context.db.transaction(async (tx) => {
    const { id } = await storeChain({ db: tx }, null, chain);
    await saveAnalytics({ db: tx }, id, analytics, answers);
  });
  await keepFigures(context, figures, new Date(analytics.as_of));
}
