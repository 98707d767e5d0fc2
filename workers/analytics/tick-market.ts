import type { tick } from '#queues/analytics.ts';
import { saveAnalytics, storeChain } from '#src/analytics/chain-store.ts';
import { snapshotFigures } from '#src/analytics/domain/snapshot-figures.ts';
import { isMarketSymbol, marketSymbols } from '#src/analytics/domain/symbols.ts';
import { takeObservation } from '#src/analytics/domain/track-signals.ts';
import { modelVersion } from '#src/analytics/envelope.ts';
import { dailyRawShares, storeSnapshot } from '#src/analytics/history-store.ts';
import { readSignals } from '#src/analytics/live-signals.ts';
import { readMarketState } from '#src/analytics/market-state.ts';
import { signalAnswers } from '#src/analytics/section-answers.ts';
import { tellMarket } from '#src/analytics/tell-market.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import type { Processor } from '#workers/processor.ts';
import { advUsdOf } from './adv.ts';
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
      rawShares: full || keep ? await dailyRawShares(context, symbol, at) : [],
      ...(previous !== undefined && { previousRegime: previous }),
    } satisfies TickTask,
    signal,
  );
  const { analytics, observation } = ticked;
  const id = `tick-${order}`;
  const signals = observation && takeObservation(await readSignals(context, symbol), observation, order);
  const answers = new Map([...ticked.answers, ...(signals ? signalAnswers(analytics, signals.kept) : [])]);
  const told = await tellMarket(context, { id, order, analytics, answers, signals });
  if (keep && told) await keepTick(context, { ...ticked, answers });
  return { symbol, as_of: analytics.as_of, told };
};

/** For stress tests, which name a stored chain, and for the history. */
async function keepTick(context: Context, { chain, analytics, answers, rawShare }: Ticked): Promise<void> {
  const { id } = await storeChain(context, null, chain);
  await saveAnalytics(context, id, analytics, answers);
  const asOf = new Date(analytics.as_of);
  const { symbol, spot } = analytics;
  const figures = snapshotFigures(analytics, modelVersion, rawShare);
  await storeSnapshot(context, { symbol, asOf, knowledgeTime: asOf, spot, figures });
}
