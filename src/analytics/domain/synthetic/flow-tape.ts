import { sessionOn } from '#src/analytics/domain/calendar/exchange-calendar.ts';
import { previousTradingDay } from '#src/analytics/domain/calendar/exchange-days.ts';
import { newYorkDate } from '#src/analytics/domain/calendar/time.ts';
import { chainInterest } from '#src/analytics/domain/chain/chain-interest.ts';
import { applyTrades } from '#src/analytics/domain/positions/apply-trades.ts';
import { openFlow, startFlowDay } from '#src/analytics/domain/positions/flow-days.ts';
import type { FlowState } from '#src/analytics/domain/positions/flow-state.ts';
import type { OptionTrade } from '#src/analytics/domain/tapes/option-trade.ts';
import type { SyntheticMarket } from './market.ts';
import type { SyntheticTrade } from './option-trades.ts';

/** Trading days before today's that the tape begins with; what was held before is left-censored. */
const DAYS_BEFORE = 2;

/**
 * The dealers' inventory as the tape of a synthetic market shows it, at instants that rise within a day: each call
 * signs only the trades since the one before. What the market hides (the true sides) is not read.
 */
export function syntheticTape(market: Pick<SyntheticMarket, 'chainAt' | 'tradesBetween'>): (at: number) => FlowState {
  let known: { date: string; upTo: number; state: FlowState } | null = null;
  return (at) => {
    const date = newYorkDate(at);
    if (known === null || known.date !== date || known.upTo > at) {
      const { open } = sessionOn(date);
      known = { date, upTo: open, state: morning(market, date, DAYS_BEFORE) };
    }
    const trades = market.tradesBetween(known.upTo, at).map(asTrade);
    known = { date, upTo: at, state: applyTrades(known.state, trades, { asOf: at }) };
    return known.state;
  };
}

/** The state on the morning of a trading day, from a tape that begins `days` trading days before. */
function morning(market: Pick<SyntheticMarket, 'chainAt' | 'tradesBetween'>, date: string, days: number): FlowState {
  const { open } = sessionOn(date);
  const day = { date, at: open, openInterest: chainInterest(market.chainAt(open)) };
  if (days === 0) return openFlow(day);
  const previousDate = previousTradingDay(date);
  const session = sessionOn(previousDate);
  const before = morning(market, previousDate, days - 1);
  const trades = market.tradesBetween(session.open, session.close).map(asTrade);
  const closed = applyTrades(before, trades, { asOf: session.close });
  return startFlowDay(closed, { ...day, previousDate });
}

function asTrade({ id, at, symbol, price, size, bid, ask, isComplex, isAuction }: SyntheticTrade): OptionTrade {
  return {
    id,
    time: at,
    contract: symbol,
    price,
    size,
    bid,
    ask,
    complex: isComplex,
    auction: isAuction,
    cross: false,
  };
}
