import type { Forward } from '#src/analytics/domain/book/forwards.ts';
import type { PricedBook } from '#src/analytics/domain/book/price-book.ts';
import type { Chain } from '#src/analytics/domain/chain/chain.ts';
import { impliedVolatility } from '#src/analytics/domain/pricing/implied-volatility.ts';
import type { ExpiryQuotes } from './vol-surface.ts';
import { halfSpread, type VolatilityQuotes } from './volatility-quotes.ts';

/** More quotes than this of one expiry cost time and tell nothing new about five parameters. */
const MAX_QUOTES = 60;
/** Outside these a volatility is a mistake in the quote, not a market. */
const SANE = [0.005, 5] as const;
/**
 * Strikes further out than this many of their own deviations trade for the least price there is, at one chance in forty to
 * be reached: their volatility tells of the tick, and no smile of three parameters reaches from there to the money.
 */
const FARTHEST = 2;
/**
 * A quote whose two sides are further apart than this part of its volatility only says that its strike is not quoted.
 */
const WIDEST = 0.5;

/**
 * The quotes a surface is fitted to: of every expiry the strikes whose out-of-the-money side is quoted two-sided, as
 * Black volatilities of bid, mid and ask, early exercise taken out, against the parity forward. Expiries without one stay, with no quotes.
 */
export function surfaceInputs(
  chain: Chain,
  { forwards, premiums }: Pick<PricedBook, 'forwards' | 'premiums'>,
): ExpiryQuotes[] {
  const rows = chain.expiries.map((): Row[] => []);
  const growth = chain.expiries.map(({ years }, e) => Math.exp(forwards[e]!.rate * years));
  for (let i = 0; i < chain.contracts; i++) {
    const e = chain.columns.expiry[i]!;
    const row = rowOf(chain, i, { forward: forwards[e]!, growth: growth[e]!, premium: premiums[i]! });
    if (row) rows[e]!.push(row);
  }
  return chain.expiries.map(({ root, date, years }, e) => {
    const quotes = columns(rows[e]!);
    const level = forwards[e]!;
    return { label: `${root} ${date}`, years, forward: level.forward, quotes: thinned(quotes) };
  });
}

interface Row {
  readonly k: number;
  readonly bid: number;
  readonly mid: number;
  readonly ask: number;
}

interface Place {
  readonly forward: Forward;
  /** One over the discount factor. */
  readonly growth: number;
  /** For early exercise, dollars. */
  readonly premium: number;
}

function rowOf(chain: Chain, i: number, at: Place): Row | null {
  const { strike, bid, ask, isCall, expiry } = chain.columns;
  const { forward } = at.forward;
  if (!(bid[i]! > 0 && ask[i]! >= bid[i]!) || strike[i]! >= forward !== (isCall[i] === 1)) return null;
  const { years } = chain.expiries[expiry[i]!]!;
  const volatility = (quote: number): number => {
    const option = {
      price: (quote - at.premium) * at.growth,
      forward,
      strike: strike[i]!,
      years,
      isCall: isCall[i] === 1,
    };
    const sigma = impliedVolatility(option);
    return typeof sigma === 'number' && sigma >= SANE[0] && sigma <= SANE[1] ? sigma : Number.NaN;
  };
  const low = volatility(bid[i]!);
  const mid = volatility(0.5 * (bid[i]! + ask[i]!));
  const high = volatility(ask[i]!);
  const k = Math.log(strike[i]! / forward);
  // Also false where one of the three has none.
  return high - low <= WIDEST * mid && Math.abs(k) <= FARTHEST * mid * Math.sqrt(years)
    ? { k, bid: low, mid, ask: high }
    : null;
}

function columns(rows: readonly Row[]): VolatilityQuotes {
  const column = (name: keyof Row) => Float64Array.from(rows, (row) => row[name]);
  return { k: column('k'), bid: column('bid'), mid: column('mid'), ask: column('ask') };
}

/**
 * Keeps the closest quote of each of as many equal intervals of k as quotes are wanted: the whole smile, well known.
 */
function thinned(quotes: VolatilityQuotes): VolatilityQuotes {
  const { k } = quotes;
  if (k.length <= MAX_QUOTES) return quotes;
  const first = k[0]!;
  const width = (k.at(-1)! - first) / MAX_QUOTES;
  const best = new Map<number, number>();
  for (let i = 0; i < k.length; i++) {
    const bin = Math.min(Math.floor((k[i]! - first) / width), MAX_QUOTES - 1);
    const kept = best.get(bin);
    if (kept === undefined || halfSpread(quotes, i) < halfSpread(quotes, kept)) best.set(bin, i);
  }
  const rows = [...best.values()];
  const pick = (column: Float64Array) => Float64Array.from(rows, (i) => column[i]!);
  return { k: pick(k), bid: pick(quotes.bid), mid: pick(quotes.mid), ask: pick(quotes.ask) };
}
