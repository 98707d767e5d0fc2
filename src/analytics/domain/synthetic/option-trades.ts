import type { Session } from '#src/analytics/domain/calendar/exchange-calendar.ts';
import { formatOsiSymbol } from '#src/analytics/domain/chain/osi-symbol.ts';
import { randomUniform } from './counter-random.ts';
import type { DayBook } from './day-book.ts';
import { BUY_OPEN, type DayFlows, dealerSign, SELL_OPEN } from './day-flows.ts';
import type { SyntheticContract } from './open-interest.ts';
import type { StrikeQuote } from './quotes.ts';

export type CustomerKind = 'overwriter' | 'put_hedger' | 'zero_dte_lottery' | 'spread' | 'institutional';

/** One trade as the tape shows it, and what the tape does not show: the fields that begin with `hidden`. */
export interface SyntheticTrade {
  readonly id: string;
  /** Epoch ms. */
  readonly at: number;
  /** OSI symbol. */
  readonly symbol: string;
  readonly price: number;
  /** Contracts. */
  readonly size: number;
  /** The quote that the trade met. */
  readonly bid: number;
  readonly ask: number;
  readonly isComplex: boolean;
  readonly isAuction: boolean;
  /** 1 where the dealer bought, −1 where he sold. */
  readonly hiddenDealerSide: 1 | -1;
  /** True where the customer opened a position; otherwise he closed one. */
  readonly hiddenCustomerOpens: boolean;
  readonly hiddenCustomer: CustomerKind;
}

const COMPLEX = 0.15;
const AUCTION = 0.08;
const BLOCK = 100;

export interface TradeSource {
  readonly book: DayBook;
  readonly flows: DayFlows;
  readonly session: Session;
  /** Key of what is drawn per trade. */
  readonly key: number;
  readonly quoteAt: (at: number, contract: number) => StrikeQuote;
}

/** The trade in a slot of the day's flows. */
export function tradeAt({ book, flows, session, key, quoteAt }: TradeSource, slot: number): SyntheticTrade {
  const at = session.open + flows.time[slot]!;
  const index = flows.contract[slot]!;
  const contract = book.contracts[index]!;
  const quote = quoteAt(at, index);
  const bid = contract.isCall ? quote.callBid : quote.putBid;
  const ask = contract.isCall ? quote.callAsk : quote.putAsk;
  const act = flows.act[slot]!;
  const side = dealerSign(act);
  const isComplex = randomUniform(key, slot, 1) < COMPLEX;
  const isAuction = !isComplex && randomUniform(key, slot, 2) < AUCTION;
  const lean = -side * leanOf({ isComplex, isAuction }, [randomUniform(key, slot, 3), randomUniform(key, slot, 4)]);
  // No contract trades for nothing, also where there is no bid.
  const price = Math.max(Math.round(50 * (bid + ask + lean * (ask - bid))) / 100, 0.01);
  const size = flows.size[slot]!;
  return {
    id: `${contract.expiry.root}-${session.date}-${slot}`,
    at,
    symbol: osiOf(contract),
    price: Math.min(Math.max(price, bid), ask),
    size,
    bid,
    ask,
    isComplex,
    isAuction,
    hiddenDealerSide: side,
    hiddenCustomerOpens: act === BUY_OPEN || act === SELL_OPEN,
    hiddenCustomer: isComplex ? 'spread' : customerOf(contract, { act, size, date: session.date }),
  };
}

export function osiOf({ expiry: { root, date }, isCall, strike }: SyntheticContract): string {
  return formatOsiSymbol({ root, date, isCall, strike });
}

interface Manner {
  readonly isComplex: boolean;
  readonly isAuction: boolean;
}

/**
 * Computes where between bid and ask a trade is made, 1 being the far side from the customer: mostly there or inside,
 * sometimes at the mid, and now and then on his own side, where his limit order waited. A leg of a spread may be
 * anywhere.
 */
function leanOf({ isComplex, isAuction }: Manner, [which, where]: readonly [number, number]): number {
  if (isComplex) return 2 * where - 1;
  if (isAuction) return which < 0.7 ? where : -0.5 * where;
  if (which < 0.62) return 1;
  if (which < 0.82) return where;
  return which < 0.89 ? 0 : -1;
}

interface Deal {
  readonly act: number;
  readonly size: number;
  readonly date: string;
}

function customerOf({ expiry, isCall }: SyntheticContract, { act, size, date }: Deal): CustomerKind {
  if (size >= BLOCK) return 'institutional';
  if (expiry.date === date) return 'zero_dte_lottery';
  if (isCall && act === SELL_OPEN) return 'overwriter';
  return !isCall && act === BUY_OPEN ? 'put_hedger' : 'institutional';
}
