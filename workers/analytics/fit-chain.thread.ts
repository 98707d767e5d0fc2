import { sessionOf } from '#src/analytics/domain/calendar/exchange-calendar.ts';
import { newYorkDate } from '#src/analytics/domain/calendar/time.ts';
import type { Chain } from '#src/analytics/domain/chain/chain.ts';
import { isMarketSymbol } from '#src/analytics/domain/chain/symbols.ts';
import { marketFigures } from '#src/analytics/domain/figures/market-figures.ts';
import type { ModelOptions } from '#src/analytics/domain/figures/model-options-schema.ts';
import { byGeneration } from '#src/analytics/domain/positions/dealer-positions.ts';
import type { FlowState } from '#src/analytics/domain/positions/flow-state.ts';
import type { PreviousRegimes } from '#src/analytics/domain/regime/regime.ts';
import { realisedVolatility } from '#src/analytics/domain/statistics/descriptive.ts';
import { openFileReader } from '#src/analytics/feed/feed-folder.ts';
import type { FeedPast } from '#src/analytics/feed/feed-past.ts';
import { folderDark } from '#src/analytics/feed/folder-dark.ts';
import { folderFlow } from '#src/analytics/feed/folder-flow.ts';
import { threadTask } from '#src/lib/async/thread-task.ts';
import { feedFigures } from './feed-figures.ts';
import type { FeedFigures } from './take-figures.ts';

/** Facts about a symbol's feed beside a chain. */
export interface FeedFacts extends FeedPast {
  readonly previousRegimes: PreviousRegimes;
  /** Spot from the opening of the session on, oldest first; none where that is not known. */
  readonly spots: readonly number[];
  /** Folder of the tapes; null without. */
  readonly folder: string | null;
  /** Inventory on the newest morning that was kept. */
  readonly morning: FlowState | null;
}

export interface FitTask {
  readonly chain: Chain;
  readonly advUsd: number;
  /** Null for a chain that a caller uploaded: nothing else is known of it. */
  readonly facts: FeedFacts | null;
  /** Options of the models that a caller has set; absent for the defaults. */
  readonly options?: ModelOptions;
}

export interface Fitted extends FeedFigures {
  /** Inventory on the morning of the chain's day, to be kept; null where there is none or it is known. */
  readonly morning: FlowState | null;
  /** Faults of the files that were read, each reported once. */
  readonly problems: readonly string[];
}

/** Versions of files that this thread has read. */
let problems: string[] = [];
const read = openFileReader((sentence) => problems.push(sentence));

/** Everything that follows from a chain: by itself, or with what its feed, its history and its tapes tell. */
export default threadTask(({ chain, advUsd, facts, options }: FitTask): Fitted => {
  problems = [];
  const at = Date.parse(chain.asOf);
  const session = sessionOf(newYorkDate(at));
  const { rawShares, moves, closes, spots, previousRegimes, ...tapes } = facts ?? nothing;
  const open = spots[0] ?? null;
  const { flow, morning, dark } = fromTapes(chain, tapes);
  const figures = marketFigures({
    chain,
    advUsd,
    session,
    previousRegimes,
    realisedVolatility: realisedVolatility(closes),
    open,
    spots,
    flow,
    rawShares,
    moves,
    ...(dark && { dark }),
    ...(options && { options }),
  });
  return {
    ...feedFigures(figures, { chain, session, open, feed: facts === null ? 'own' : 'configured' }),
    morning: morning === tapes.morning ? null : morning,
    problems,
  };
});

const nothing: FeedFacts = {
  previousRegimes: {},
  rawShares: byGeneration(() => []),
  moves: [],
  closes: [],
  spots: [],
  folder: null,
  morning: null,
};

function fromTapes(chain: Chain, { folder, morning }: Pick<FeedFacts, 'folder' | 'morning'>) {
  if (folder === null || !isMarketSymbol(chain.symbol)) return { flow: null, morning, dark: null };
  return {
    ...folderFlow(folder, read, chain, morning),
    dark: folderDark(folder, read, chain.symbol, Date.parse(chain.asOf)),
  };
}
