import type { Book } from './book.ts';

/**
 * The positions of a book as sums over it need them: call and put of one strike, expiry and volatility are one row,
 * because their gamma, vanna and vega are the same and their deltas differ by the discounted share, kept per expiry.
 */
export interface BookRows {
  readonly count: number;
  /** ln of the strike. */
  readonly logStrike: Float64Array;
  readonly volatility: Float64Array;
  /** Shares the dealers are long through the row: Σ n·M. */
  readonly net: Float64Array;
  /** The same with every position long: Σ |n|·M. */
  readonly gross: Float64Array;
  readonly expiry: Uint16Array;
  /** Σ n·M of the puts of each expiry: a put's delta is the call's less e^{−qT}. */
  readonly puts: Float64Array;
  /** True where Greeks near expiry go over to Bachelier's model, as those of the book do. */
  readonly blended: boolean;
  readonly years: Float64Array;
  readonly rate: Float64Array;
  readonly dividend: Float64Array;
}

/** The rows of the requested expiries, all unless a choice is given. Contracts without a position are left out. */
export function bookRows(book: Book, chosen?: (expiry: number) => boolean): BookRows {
  const { contracts, expiries, multiplier } = book;
  const logStrike = new Float64Array(contracts);
  const volatility = new Float64Array(contracts);
  const net = new Float64Array(contracts);
  const gross = new Float64Array(contracts);
  const expiry = new Uint16Array(contracts);
  const puts = new Float64Array(expiries.length);
  const wanted = expiries.map((_, e) => chosen?.(e) ?? true);
  let count = 0;
  let strike = 0;
  for (let i = 0; i < contracts; i++) {
    const n = book.position[i]! * multiplier;
    const e = book.expiry[i]!;
    if (n === 0 || !wanted[e]) continue;
    if (book.isCall[i] === 0) puts[e]! += n;
    const last = count - 1;
    if (count > 0 && strike === book.strike[i] && expiry[last] === e && volatility[last] === book.volatility[i]) {
      net[last]! += n;
      gross[last]! += Math.abs(n);
      continue;
    }
    strike = book.strike[i]!;
    logStrike[count] = Math.log(strike);
    volatility[count] = book.volatility[i]!;
    net[count] = n;
    gross[count] = Math.abs(n);
    expiry[count] = e;
    count++;
  }
  return {
    count,
    logStrike,
    volatility,
    net,
    gross,
    expiry,
    puts,
    blended: book.blended === true,
    years: Float64Array.from(expiries, ({ years }) => years),
    rate: Float64Array.from(expiries, ({ rate }) => rate),
    dividend: Float64Array.from(expiries, ({ dividend }) => dividend),
  };
}
