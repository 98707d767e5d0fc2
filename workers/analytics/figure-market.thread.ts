import { sessionOf } from '#src/analytics/domain/calendar/exchange-calendar.ts';
import type { SessionHours } from '#src/analytics/domain/calendar/horizons.ts';
import { newYorkDate } from '#src/analytics/domain/calendar/time.ts';
import type { Chain } from '#src/analytics/domain/chain/chain.ts';
import { marketFigures } from '#src/analytics/domain/figures/market-figures.ts';
import type { ModelOptions } from '#src/analytics/domain/figures/model-options-schema.ts';
import { realisedVolatility } from '#src/analytics/domain/statistics/descriptive.ts';
import { syntheticDarkTapes } from '#src/analytics/domain/synthetic/dark-tapes.ts';
import { syntheticTape } from '#src/analytics/domain/synthetic/flow-tape.ts';
import { openSyntheticMarket } from '#src/analytics/domain/synthetic/market.ts';
import { openMarketPath } from '#src/analytics/domain/synthetic/market-path.ts';
import type { FeedPast } from '#src/analytics/feed/feed-past.ts';
import { threadTask } from '#src/lib/async/thread-task.ts';
import { feedFigures } from './feed-figures.ts';
import type { FeedFigures } from './take-figures.ts';
import type { TickTask } from './tick-market.thread.ts';

export interface FigureTask extends TickTask {
  /** The symbol's chain at that instant. */
  readonly chain: Chain;
  /** Past of the sessions before; the closes are the market's own. */
  readonly past: Pick<FeedPast, 'rawShares' | 'moves'>;
  /** Options of the models that a caller has set; absent for the defaults. */
  readonly options?: ModelOptions;
}

const DAY_MS = 86_400_000;
/** Calendar days that hold about 21 closes. */
const MONTH_DAYS = 31;

/** Markets of this thread, with what was read of their tapes, which is costly to read again. */
const markets = new Map<string, ReturnType<typeof openMarket>>();
const paths = new Map<number, ReturnType<typeof openPath>>();

function openPath(seed: number) {
  const path = openMarketPath({ seed });
  return { path, dark: syntheticDarkTapes(seed, path) };
}

function openMarket({ symbol, seed, contracts }: FigureTask) {
  const opened = paths.get(seed) ?? openPath(seed);
  paths.set(seed, opened);
  const { path, dark } = opened;
  const market = openSyntheticMarket({ seed, symbol, contracts, path });
  return { market, tape: syntheticTape(market), dark };
}

const PACE_MS = 5 * 60_000;

/** Spot every five minutes from the opening to an instant of the session or its close, that one left out. */
function spotsSince({ open, close }: SessionHours, at: number, spotAt: (at: number) => number): number[] {
  const spots: number[] = [];
  for (let instant = open; instant < Math.min(at, close); instant += PACE_MS) spots.push(spotAt(instant));
  return spots;
}

/** Every figure that follows from the chain and the tapes of the synthetic market at an instant. */
export default threadTask((task: FigureTask): FeedFigures => {
  const { symbol, at, seed, contracts, advUsd, previousRegimes, chain, past } = task;
  const name = `${seed} ${symbol} ${contracts}`;
  const opened = markets.get(name) ?? openMarket(task);
  markets.set(name, opened);
  const { market, tape, dark } = opened;
  const date = newYorkDate(at);
  const session = sessionOf(date);
  const open = market.spotAt(session?.open ?? at);
  const closes = market.dailyCloses(newYorkDate(at - MONTH_DAYS * DAY_MS), date).filter((day) => day.date < date);
  const figures = marketFigures({
    chain,
    advUsd,
    ...(previousRegimes && { previousRegimes }),
    session,
    realisedVolatility: realisedVolatility(closes.map(({ close }) => close)),
    open,
    spots: session ? spotsSince(session, at, (instant) => market.spotAt(instant)) : [],
    flow: tape(at),
    dark: dark(symbol, Date.parse(chain.asOf)),
    ...past,
    ...(task.options && { options: task.options }),
  });
  return feedFigures(figures, { chain, session, open, feed: 'configured' });
});
