import { latestSession, sessionOn } from '#src/analytics/domain/calendar/exchange-calendar.ts';
import { previousTradingDay } from '#src/analytics/domain/calendar/exchange-days.ts';
import type { Chain } from '#src/analytics/domain/chain/chain.ts';
import { chainInterest } from '#src/analytics/domain/chain/chain-interest.ts';
import type { MarketSymbol } from '#src/analytics/domain/chain/symbols.ts';
import { applyTrades } from '#src/analytics/domain/positions/apply-trades.ts';
import { openFlow, startFlowDay } from '#src/analytics/domain/positions/flow-days.ts';
import type { FlowState } from '#src/analytics/domain/positions/flow-state.ts';
import type { OptionTrade } from '#src/analytics/domain/tapes/option-trade.ts';
import { readTradeTape } from '#src/analytics/domain/tapes/read-trade-tape.ts';
import { type FileReader, feedFiles, symbolOfFile } from './feed-folder.ts';

export interface FolderFlow {
  /** Inventory as the tapes show it at the chain's instant; null without a tape of its day or of days before. */
  readonly flow: FlowState | null;
  /** The state on the morning of the chain's day, to be handed in again; null where there is none. */
  readonly morning: FlowState | null;
}

const none: FolderFlow = { flow: null, morning: null };

/**
 * The dealers' inventory of a real chain from the option trade tapes in the folder. The day's trades are taken from every
 * tape of the symbol written since its session opened, each trade once, none stamped after the chain. `before` is the
 * newest morning that was made: on the first chain of a new day the trades of its day are added to it and carried over, so
 * that the tapes of a day must stay until then. A chain of a day before that says nothing.
 */
export function folderFlow(folder: string, read: FileReader, chain: Chain, before: FlowState | null): FolderFlow {
  const asOf = Date.parse(chain.asOf);
  const { date, open } = latestSession(asOf);
  if (before !== null && before.date > date) return none;
  const symbol = chain.symbol as MarketSymbol;
  const since = before === null ? open : sessionOn(before.date).open;
  const trades = tapeTrades(folder, read, symbol, since);
  const today = trades.filter(({ time }) => time >= open && time <= asOf);
  if (before === null && today.length === 0) return none;
  const day = { date, at: open, openInterest: chainInterest(chain) };
  const morning = before === null ? openFlow(day) : before.date === date ? before : carryOver(before, trades, day);
  return { flow: applyTrades(morning, today, { asOf }), morning };
}

function carryOver(before: FlowState, trades: readonly OptionTrade[], day: Parameters<typeof openFlow>[0]): FlowState {
  const session = sessionOn(before.date);
  const of = trades.filter(({ time }) => time >= session.open && time < day.at);
  const closed = applyTrades(before, of, { asOf: day.at });
  return startFlowDay(closed, { ...day, previousDate: previousTradingDay(day.date) });
}

/** Trades of the tapes that were written since an instant: a tape finished before it holds none after it. */
function tapeTrades(folder: string, read: FileReader, symbol: MarketSymbol, since: number): OptionTrade[] {
  const seen = new Set<string>();
  return feedFiles(folder, 'trades')
    .filter(({ name, modified }) => symbolOfFile(name) === symbol && modified >= since)
    .flatMap((file) => read(file, 'trades', (text) => readTradeTape(text, { symbol, asOf: Infinity }).trades) ?? [])
    .filter(({ id }) => !seen.has(id) && seen.add(id));
}
