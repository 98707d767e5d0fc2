import type { ChainAnalytics } from '#src/analytics/domain/analytics-schema.ts';
import type { Chain } from '#src/analytics/domain/chain.ts';
import { sessionOf } from '#src/analytics/domain/exchange-calendar.ts';
import { marketFigures } from '#src/analytics/domain/market-figures.ts';
import { newYorkDate } from '#src/analytics/domain/time.ts';
import { sectionAnswers } from '#src/analytics/section-answers.ts';
import { threadTask } from '#src/lib/thread-task.ts';

export interface FitTask {
  readonly chain: Chain;
  readonly advUsd: number;
  /** Whose chain it is. */
  readonly feed: 'configured' | 'own';
}

export interface Fitted {
  readonly analytics: ChainAnalytics;
  /** By `section:generation`. */
  readonly answers: ReadonlyMap<string, string>;
}

/** Everything that follows from a chain by itself: what needs a tape or a history says that there is none. */
export default threadTask(({ chain, advUsd, feed }: FitTask): Fitted => {
  const session = sessionOf(newYorkDate(Date.parse(chain.asOf)));
  const none = { realisedVolatility: null, open: null, flow: null, rawShares: [] };
  const figures = marketFigures({ chain, advUsd, session, ...none });
  const first = figures.generations['1'];
  if (!first) throw new Error('expected the figures of generation 1, got none');
  return { analytics: first.analytics, answers: sectionAnswers(figures, feed) };
});
