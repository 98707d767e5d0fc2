import type { SessionHours } from '#src/analytics/domain/calendar/horizons.ts';
import type { Chain } from '#src/analytics/domain/chain/chain.ts';
import { type MarketFigures, rememberedOf } from '#src/analytics/domain/figures/market-figures.ts';
import { observe } from '#src/analytics/domain/signals/observe.ts';
import { sectionAnswers } from '#src/analytics/sections/section-answers.ts';
import type { FeedFigures } from './take-figures.ts';

interface Beside {
  readonly chain: Chain;
  /** Null on a day without one. */
  readonly session: SessionHours | null;
  /** Spot at the opening; null if unknown. */
  readonly open: number | null;
  /** Owner of the chain, as the answers say. */
  readonly feed: Parameters<typeof sectionAnswers>[1];
}

/**
 * Collects the answers, the history and the observation of a chain's figures, be it of a feed, generated or a caller's
 * own.
 */
export function feedFigures(figures: MarketFigures, { chain, session, open, feed }: Beside): FeedFigures {
  const { '1': first, ensemble } = figures.generations;
  if (!first) throw new Error('expected the figures of generation 1, got none');
  const pPositive = ensemble?.estimates.gex.p_positive ?? null;
  return {
    analytics: first.analytics,
    answers: sectionAnswers(figures, feed),
    remembered: rememberedOf(figures),
    observation: observe(first, { chain, session, open, pPositive }),
  };
}
