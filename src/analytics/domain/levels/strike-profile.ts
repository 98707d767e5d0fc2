import type { Book } from '#src/analytics/domain/book/book.ts';

/** Gamma dollars per strike, ascending strikes, all expiries summed; $ of delta per +1 % spot. */
export interface StrikeProfile {
  readonly strikes: Float64Array;
  readonly gex: Float64Array;
  readonly callGex: Float64Array;
  readonly putGex: Float64Array;
  readonly grossGex: Float64Array;
  readonly callOpenInterest: Float64Array;
  readonly putOpenInterest: Float64Array;
}

/** Gathers the exposures of single contracts by strike. */
export function strikeProfile(book: Book, gexByContract: Float64Array): StrikeProfile {
  const strikes = book.strike.toSorted().filter((strike, i, sorted) => strike !== sorted[i - 1]);
  const place = new Map(Array.from(strikes, (strike, index) => [strike, index]));
  const zeros = (): Float64Array => new Float64Array(strikes.length);
  const profile = {
    strikes,
    gex: zeros(),
    callGex: zeros(),
    putGex: zeros(),
    grossGex: zeros(),
    callOpenInterest: zeros(),
    putOpenInterest: zeros(),
  };
  for (let i = 0; i < book.contracts; i++) {
    const k = place.get(book.strike[i]!)!;
    const isCall = book.isCall[i] === 1;
    const value = gexByContract[i]!;
    profile.gex[k]! += value;
    profile.grossGex[k]! += Math.abs(value);
    (isCall ? profile.callGex : profile.putGex)[k]! += value;
    (isCall ? profile.callOpenInterest : profile.putOpenInterest)[k]! += book.openInterest[i]!;
  }
  return profile;
}
