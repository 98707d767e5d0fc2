import { analyzeChain } from '#src/analytics/domain/analyze-chain.ts';
import type { Chain } from '#src/analytics/domain/chain.ts';
import { sessionOf } from '#src/analytics/domain/exchange-calendar.ts';
import { type MarketFigures, marketFigures } from '#src/analytics/domain/market-figures.ts';
import { observe } from '#src/analytics/domain/observe.ts';
import { realisedVolatility } from '#src/analytics/domain/realised-volatility.ts';
import type { RegimeState } from '#src/analytics/domain/regime.ts';
import type { MarketSymbol } from '#src/analytics/domain/symbols.ts';
import { syntheticDarkTapes } from '#src/analytics/domain/synthetic/dark-tapes.ts';
import { syntheticTape } from '#src/analytics/domain/synthetic/flow-tape.ts';
import { openSyntheticMarket } from '#src/analytics/domain/synthetic/market.ts';
import { openMarketPath } from '#src/analytics/domain/synthetic/market-path.ts';
import { newYorkDate } from '#src/analytics/domain/time.ts';
import { sectionAnswers } from '#src/analytics/section-answers.ts';
import { threadTask } from '#src/lib/thread-task.ts';
import type { FeedFigures } from './tell-figures.ts';

export interface TickTask {
  readonly symbol: MarketSymbol;
  /** Epoch milliseconds of the market. */
  readonly at: number;
  readonly seed: number;
  /** About how many contracts the chain has. */
  readonly contracts: number;
  readonly advUsd: number;
  readonly previousRegime?: RegimeState;
  /** Whether every figure is wanted, or only those of generation 1 that the stream tells. */
  readonly full: boolean;
  /** Stabilising shares of the sessions before, oldest first. */
  readonly rawShares: readonly number[];
}

export interface Ticked extends FeedFigures {
  readonly chain: Chain;
}

const DAY_MS = 86_400_000;
/** Calendar days that hold about 21 closes. */
const MONTH_DAYS = 31;

/** Markets of this thread: their days are costly to make and cheap to keep. */
const markets = new Map<string, ReturnType<typeof openMarket>>();
const paths = new Map<number, ReturnType<typeof openPath>>();

function openPath(seed: number) {
  const path = openMarketPath({ seed });
  return { path, dark: syntheticDarkTapes(seed, path) };
}

function openMarket({ symbol, seed, contracts }: TickTask) {
  const opened = paths.get(seed) ?? openPath(seed);
  paths.set(seed, opened);
  const { path, dark } = opened;
  const market = openSyntheticMarket({ seed, symbol, contracts, path });
  return { market, tape: syntheticTape(market), dark };
}

/** The synthetic market of a symbol at an instant, and what follows from it. */
export default threadTask((task: TickTask): Ticked => {
  const { symbol, at, seed, contracts, advUsd, previousRegime, full, rawShares } = task;
  const name = `${seed} ${symbol} ${contracts}`;
  const opened = markets.get(name) ?? openMarket(task);
  markets.set(name, opened);
  const { market, tape, dark } = opened;
  const chain = market.chainAt(at);
  if (!full)
    return {
      chain,
      analytics: analyzeChain(chain, { advUsd, previousRegime }),
      answers: new Map(),
      rawShare: null,
      observation: null,
    };
  const date = newYorkDate(at);
  const session = sessionOf(date);
  const open = market.spotAt(session?.open ?? at);
  const closes = market.dailyCloses(newYorkDate(at - MONTH_DAYS * DAY_MS), date).filter((day) => day.date < date);
  const figures: MarketFigures = marketFigures({
    chain,
    advUsd,
    previousRegime,
    session,
    realisedVolatility: realisedVolatility(closes.map(({ close }) => close)),
    open,
    flow: tape(at),
    dark: dark(symbol, Date.parse(chain.asOf)),
    rawShares,
  });
  const first = figures.generations['1'];
  if (!first) throw new Error('expected the figures of generation 1, got none');
  return {
    chain,
    analytics: first.analytics,
    answers: sectionAnswers(figures, 'configured'),
    rawShare: first.dsi.raw_share,
    observation: observe(first, { chain, session, open }),
  };
});
