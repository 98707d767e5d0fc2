import type { tick } from '#queues/analytics.ts';
import { saveAnalytics, storeChain } from '#src/analytics/chain-store.ts';
import type { Chain } from '#src/analytics/domain/chain.ts';
import { snapshotFigures } from '#src/analytics/domain/snapshot-figures.ts';
import { isMarketSymbol, marketSymbols } from '#src/analytics/domain/symbols.ts';
import { takeObservation } from '#src/analytics/domain/track-signals.ts';
import { modelVersion } from '#src/analytics/envelope.ts';
import { dailyRawShares, storeSnapshot } from '#src/analytics/history-store.ts';
import { readSignals } from '#src/analytics/live-signals.ts';
import { readMarketState } from '#src/analytics/market-state.ts';
import { signalAnswers } from '#src/analytics/section-answers.ts';
import { tellFigures, tellMarket } from '#src/analytics/tell-market.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import type { Processor, Run } from '#workers/processor.ts';
import { advUsdOf } from './adv.ts';
import type { Figured, FigureTask } from './figure-market.thread.ts';
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
  // for the hysteresis of the regime
  const previous = (await readMarketState(context, symbol))?.regime.state ?? undefined;
  const task: TickTask = {
    symbol,
    at,
    seed: context.config.FEED_SEED,
    contracts: context.config.FEED_CONTRACTS,
    advUsd: advUsdOf(symbol),
    ...(previous !== undefined && { previousRegime: previous }),
  };
  const { chain, analytics } = await threads.run<Ticked>(tickTask, task, signal);
  const told = await tellMarket(context, { id: `tick-${order}`, order, analytics });
  if (full || keep) await tellRest(run, { ...task, chain, rawShares: await dailyRawShares(context, symbol, at) });
  return { symbol, as_of: analytics.as_of, told };
};

/** Tells what takes longer, and keeps it where that is wanted. */
async function tellRest({ payload, signal, context, threads }: Run<typeof tick>, task: FigureTask): Promise<void> {
  const { symbol, order, keep } = payload;
  const figured = await threads.runAside<Figured>(figureTask, task, signal);
  const { analytics, observation } = figured;
  const id = `tick-${order}`;
  const signals = takeObservation(await readSignals(context, symbol), observation, order);
  const answers = new Map([...figured.answers, ...(signals ? signalAnswers(analytics, signals.kept) : [])]);
  const told = await tellFigures(context, { id, order, analytics, answers, signals });
  if (keep && told) await keepTick(context, task.chain, { ...figured, answers });
}

/** For stress tests, which name a stored chain, and for the history. */
async function keepTick(context: Context, chain: Chain, { analytics, answers, rawShare }: Figured): Promise<void> {
  const { id } = await storeChain(context, null, chain);
  await saveAnalytics(context, id, analytics, answers);
  const asOf = new Date(analytics.as_of);
  const { symbol, spot } = analytics;
  const figures = snapshotFigures(analytics, modelVersion, rawShare);
  await storeSnapshot(context, { symbol, asOf, knowledgeTime: asOf, spot, figures });
}
