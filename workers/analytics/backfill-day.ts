import type { backfill } from '#queues/analytics.ts';
import { modelVersion } from '#src/analytics/answers/envelope.ts';
import { backfillInstant } from '#src/analytics/domain/calendar/exchange-calendar.ts';
import { isTradingDay } from '#src/analytics/domain/calendar/exchange-days.ts';
import { isMarketSymbol, marketSymbols } from '#src/analytics/domain/chain/symbols.ts';
import { snapshotFigures } from '#src/analytics/domain/figures/snapshot-figures.ts';
import { storeSnapshot } from '#src/analytics/history/history-store.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Processor } from '#workers/run/processor.ts';
import { advUsdOf } from './adv.ts';
import type { Backfilled, BackfillTask } from './backfill-day.thread.ts';

const task = new URL('./backfill-day.thread.ts', import.meta.url);

/** Keeps the snapshot that a tick late in a past session would have kept; run again it changes nothing. */
export const backfillDayProcessor: Processor<typeof backfill> = async ({ payload, signal, context, threads }) => {
  const { symbol, date } = payload;
  if (!isMarketSymbol(symbol))
    throw new AppError('invalid_payload', `expected a symbol of ${marketSymbols.join(', ')}, got ${symbol}.`);
  if (!isTradingDay(date)) throw new AppError('invalid_payload', `expected a trading day, got ${date}.`);
  const { analytics, remembered } = await threads.runAside<Backfilled>(
    task,
    {
      symbol,
      at: backfillInstant(date),
      seed: context.config.FEED_SEED,
      contracts: context.config.FEED_CONTRACTS,
      advUsd: advUsdOf(symbol),
    } satisfies BackfillTask,
    signal,
  );
  const asOf = new Date(analytics.as_of);
  const figures = snapshotFigures(analytics, modelVersion, remembered);
  // the generated market hides nothing from its own past: these figures could be known at their instant
  await storeSnapshot(context, { symbol, asOf, knowledgeTime: asOf, spot: analytics.spot, figures });
  return { symbol, as_of: analytics.as_of };
};
