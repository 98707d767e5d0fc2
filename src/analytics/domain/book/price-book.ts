import type { Chain } from '#src/analytics/domain/chain/chain.ts';
import { isMarketSymbol, markets } from '#src/analytics/domain/chain/symbols.ts';
import { impliedVolatility } from '#src/analytics/domain/pricing/implied-volatility.ts';
import { type Book, emptyBook, staticPosition } from './book.ts';
import { deAmericanise } from './de-americanise.ts';
import { type Forward, impliedForwards } from './forwards.ts';

/** Sources of a contract's volatility, in the order they are tried. */
export type VolatilitySource = 'out_of_the_money_mid' | 'in_the_money_mid' | 'quoted';

/** A book with volatilities, and an account of what it was made from. */
export interface PricedBook {
  readonly book: Book;
  readonly forwards: readonly Forward[];
  /** Part of each contract's price that is for early exercise, dollars; NaN where it is not known. */
  readonly premiums: Float64Array;
  /** Contracts by the source of their volatility. */
  readonly sources: Readonly<Record<VolatilitySource, number>>;
  /** Contracts of the chain left out here, by reason; in addition to the chain's own. */
  readonly dropped: { readonly below_intrinsic: number; readonly no_volatility: number };
  /** Open interest of the contracts used over that of the chain, 0 to 1; null where the chain has none. */
  readonly coverage: number | null;
}

/** Outside these an implied volatility is a mistake in the quote, not a market. */
const SANE = [0.005, 5] as const;

/**
 * Forwards by parity, then one volatility per strike and expiry from the mid of its out-of-the-money side, for call
 * and put alike. Where that side has no two-sided quote: the in-the-money mid if its bid holds some time value, else
 * the quoted volatility, else the contract is dropped. From the American options of a fund the premium for early
 * exercise is taken first, so that theirs are the volatilities of European options, too.
 */
export function priceBook(chain: Chain): PricedBook {
  const american = isAmerican(chain) ? deAmericanise(chain) : null;
  const forwards = american?.forwards ?? impliedForwards(chain);
  const premiums = american?.premiums ?? new Float64Array(chain.contracts);
  const volatility = new Float64Array(chain.contracts);
  const counts = { out_of_the_money_mid: 0, in_the_money_mid: 0, quoted: 0, below_intrinsic: 0, no_volatility: 0 };
  const growth = forwards.map(({ rate }, e) => Math.exp(rate * chain.expiries[e]!.years));
  let kept = 0;
  const { strike, expiry } = chain.columns;
  for (let i = 0; i < chain.contracts; ) {
    const paired = i + 1 < chain.contracts && strike[i] === strike[i + 1] && expiry[i] === expiry[i + 1];
    const last = paired ? i + 1 : i;
    const forward = forwards[expiry[i]!]!;
    const years = chain.expiries[expiry[i]!]!.years;
    const at = { first: i, last, forward: forward.forward, years, growth: growth[expiry[i]!]!, premiums };
    const outside = sideVolatility(chain, at, true);
    const inside = outside > 0 ? 0 : sideVolatility(chain, at, false);
    for (; i <= last; i++) {
      const sigma = outside + inside > 0 ? outside + inside : quotedVolatility(chain, i, last);
      if (isBelowIntrinsic(chain, i, forward, at.growth)) counts.below_intrinsic++;
      else if (sigma > 0) {
        volatility[i] = sigma;
        counts[outside > 0 ? 'out_of_the_money_mid' : inside > 0 ? 'in_the_money_mid' : 'quoted']++;
        kept++;
      } else counts.no_volatility++;
    }
  }
  const { below_intrinsic, no_volatility, ...sources } = counts;
  const book = toBook(chain, { forwards, volatility, kept });
  return {
    book,
    forwards,
    premiums,
    sources,
    dropped: { below_intrinsic, no_volatility },
    coverage: coverage(chain, book),
  };
}

/** Checks whether a chain's options may be exercised early: those of funds may, those of indices not. */
export function isAmerican({ symbol, source }: Chain): boolean {
  // the synthetic market quotes European options for every symbol
  return source !== 'synthetic' && isMarketSymbol(symbol) && markets[symbol].kind === 'etf';
}

interface Strike {
  readonly first: number;
  readonly last: number;
  readonly forward: number;
  readonly years: number;
  /** One over the discount factor. */
  readonly growth: number;
  /**
   * Part of each contract's price that pays for early exercise, dollars per share; NaN if it is to be exercised now.
   */
  readonly premiums: Float64Array;
}

/** The volatility that the out-of-the-money (or the other) side of a strike gives; 0 where it gives none. */
function sideVolatility(chain: Chain, at: Strike, out: boolean): number {
  const { bid, ask, isCall, strike } = chain.columns;
  const { forward, years, growth, premiums } = at;
  const wanted = strike[at.first]! >= forward === out ? 1 : 0;
  const i = isCall[at.first] === wanted ? at.first : at.last;
  if (isCall[i] !== wanted || !(bid[i]! > 0 && ask[i]! > 0)) return 0;
  // An in-the-money bid at or under intrinsic value holds no time value: its mid would measure the spread.
  if (!out && (bid[i]! - premiums[i]!) * growth <= Math.abs(forward - strike[i]!)) return 0;
  const price = (0.5 * (bid[i]! + ask[i]!) - premiums[i]!) * growth;
  const sigma = impliedVolatility({ price, forward, strike: strike[i]!, years, isCall: wanted === 1 });
  return typeof sigma === 'number' && sigma >= SANE[0] && sigma <= SANE[1] ? sigma : 0;
}

function quotedVolatility(chain: Chain, i: number, last: number): number {
  const { quotedIv, strike, expiry } = chain.columns;
  const own = quotedIv[i]!;
  if (own >= SANE[0] && own <= SANE[1]) return own;
  const other = i === last ? i - 1 : last;
  const same = other >= 0 && strike[other] === strike[i] && expiry[other] === expiry[i];
  const theirs = same ? quotedIv[other]! : 0;
  return theirs >= SANE[0] && theirs <= SANE[1] ? theirs : 0;
}

/** An ask under intrinsic value would be free money: the quote is rubbish, and so may be the rest of the row. */
function isBelowIntrinsic(chain: Chain, i: number, forward: Forward, growth: number): boolean {
  const { ask, isCall, strike } = chain.columns;
  if (!(ask[i]! > 0)) return false;
  const intrinsic = (isCall[i] === 1 ? 1 : -1) * (forward.forward - strike[i]!);
  const slack = (forward.method === 'spot' ? 0.03 : 0.002) * forward.forward;
  return ask[i]! * growth < intrinsic - slack;
}

interface Solved {
  readonly forwards: readonly Forward[];
  readonly volatility: Float64Array;
  readonly kept: number;
}

function toBook(chain: Chain, { forwards, volatility, kept }: Solved): Book {
  const { strike, expiry, isCall, openInterest } = chain.columns;
  const expiries = chain.expiries.map(({ root, date, years }, index) => ({
    label: `${root} ${date}`,
    years,
    rate: forwards[index]!.rate,
    dividend: forwards[index]!.dividend,
  }));
  const book = emptyBook({ spot: chain.spot, multiplier: chain.multiplier, expiries, blended: true }, kept);
  let row = 0;
  for (let i = 0; i < chain.contracts; i++) {
    if (!(volatility[i]! > 0)) continue;
    book.strike[row] = strike[i]!;
    book.expiry[row] = expiry[i]!;
    book.isCall[row] = isCall[i]!;
    book.volatility[row] = volatility[i]!;
    book.openInterest[row] = openInterest[i]!;
    book.position[row] = staticPosition(isCall[i] === 1, openInterest[i]!);
    row++;
  }
  return book;
}

function coverage(chain: Chain, book: Book): number | null {
  const total = chain.columns.openInterest.reduce((sum, interest) => sum + interest, 0);
  return total > 0 ? book.openInterest.reduce((sum, interest) => sum + interest, 0) / total : null;
}
