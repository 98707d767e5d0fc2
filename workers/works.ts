import { backfill, fit, stress, study, tick } from '#queues/analytics.ts';
import { anchor } from '#queues/missions.ts';
import { backfillDayProcessor } from './analytics/backfill-day.ts';
import { fitChainProcessor } from './analytics/fit-chain.ts';
import { stressPortfolioProcessor } from './analytics/stress-portfolio.ts';
import { studyHistoryProcessor } from './analytics/study-history.ts';
import { tickMarketProcessor } from './analytics/tick-market.ts';
import { anchorBatchProcessor } from './missions/anchor-batch.ts';
import { type Work, work } from './processor.ts';

/** Every queue that this release can run, with its processor. */
export const works: readonly Work[] = [
  work(fit, fitChainProcessor),
  work(stress, stressPortfolioProcessor),
  work(study, studyHistoryProcessor),
  work(tick, tickMarketProcessor),
  work(backfill, backfillDayProcessor),
  work(anchor, anchorBatchProcessor),
];
