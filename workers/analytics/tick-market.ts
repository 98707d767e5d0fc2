import type { tick } from '#queues/analytics.ts';
import { saveAnalytics, storeChain } from '#src/analytics/chain-store.ts';
import { isMarketSymbol, marketSymbols } from '#src/analytics/domain/symbols.ts';
import { feedPast } from '#src/analytics/feed-past.ts';
import { readMarketState } from '#src/analytics/market-state.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import type { Processor } from '#workers/processor.ts';
import { advUsdOf } from './adv.ts';
import { keepFigures, tellFigures } from './tell-figures.ts';
import type { Ticked, TickTask } from './tick-market.thread.ts';

const task = new URL('./tick-market.thread.ts', import.meta.url);

/** Makes the synthetic market of a symbol at an instant in a thread, and tells its stream what follows from it. */
export const tickMarketProcessor: Processor<typeof tick> = async ({ payload, signal, context, threads }) => {
  const { symbol, at, order, full, keep } = payload;
  if (!isMarketSymbol(symbol))
    throw new AppError('invalid_payload', `expected a symbol of ${marketSymbols.join(', ')}, got ${symbol}.`);
  // for the hysteresis of the regime
  const previous = (await readMarketState(context, symbol))?.regime.state ?? undefined;
  const ticked = await threads.run<Ticked>(
    task,
    {
      symbol,
      at,
      seed: context.config.FEED_SEED,
      contracts: context.config.FEED_CONTRACTS,
      advUsd: advUsdOf(symbol),
      full: full || keep,
      rawShares: full || keep ? (await feedPast(context, { symbol, at, synthetic: true })).rawShares : [],
      ...(previous !== undefined && { previousRegime: previous }),
    } satisfies TickTask,
    signal,
  );
  const { told, answers } = await tellFigures(context, ticked, { id: `tick-${order}`, order });
  if (keep && told) await keepTick(context, { ...ticked, answers });
  return { symbol, as_of: ticked.analytics.as_of, told };
};

/** For stress tests, which name a stored chain, and for the history. */
async function keepTick(context: Context, ticked: Ticked): Promise<void> {
  const { chain, analytics, answers } = ticked;
  const { id } = await storeChain(context, null, chain);
  await saveAnalytics(context, id, analytics, answers);
  await keepFigures(context, ticked, new Date(analytics.as_of));
}
