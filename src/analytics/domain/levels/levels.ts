import { atmVolatility } from '#src/analytics/domain/book/atm-volatility.ts';
import type { Book } from '#src/analytics/domain/book/book.ts';
import { expiryBuckets } from '#src/analytics/domain/book/expiry-buckets.ts';
import type { AllLevels } from './levels-schema.ts';
import { maxPain } from './max-pain.ts';
import { type StrikeProfile, strikeProfile } from './strike-profile.ts';

/** The strikes people watch. A level without a candidate (nowhere at or above spot are dealers long calls, say) is null. */
export interface Levels {
  /** Strike at or above spot where dealers are most long calls by gamma, expiries summed first; null where nowhere. */
  readonly call_wall: number | null;
  /** Strike at or below spot where dealers are most short puts by gamma; null where nowhere. */
  readonly put_wall: number | null;
  /** Strike with the most gross gamma. */
  readonly abs_gamma: number | null;
  /** Strike at which cumulative GEX from the lowest strike is least; not the flip. */
  readonly hvl: number | null;
  /** Cumulative GEX there, in $ per +1 % spot. */
  readonly hvl_cumulative_gex: number | null;
  /** Annual volatility at the money, 30 days, as a decimal. */
  readonly atm_volatility: number | null;
  /** One standard deviation of a day's move, spot·σ√(1/252), in points. */
  readonly expected_move_1d: number | null;
}

/** Levels of the strike profile of a book (analytics.md 2.2). */
export function levels(book: Book, profile: StrikeProfile): Levels {
  const { strikes, callGex, putGex, grossGex } = profile;
  const cumulative = cumulativeLow(profile);
  const sigma = atmVolatility(book);
  return {
    call_wall: strikeOfMost(strikes, callGex, (strike) => strike >= book.spot),
    // the convention has dealers short of puts: their wall is where that gamma is most negative
    put_wall: strikeOfMost(
      strikes,
      putGex.map((gex) => -gex),
      (strike) => strike <= book.spot,
    ),
    abs_gamma: strikeOfMost(strikes, grossGex, () => true),
    hvl: cumulative?.strike ?? null,
    hvl_cumulative_gex: cumulative?.gex ?? null,
    atm_volatility: sigma,
    expected_move_1d: sigma === null ? null : book.spot * sigma * Math.sqrt(1 / 252),
  };
}

export interface AllLevelsInput {
  readonly book: Book;
  /** Gamma dollars per +1 % of each row's position, in the order of the book. */
  readonly gexByContract: Float64Array;
  /** Level of the primary flip; null if there is none. */
  readonly flip: number | null;
  /** Epoch milliseconds of the book. */
  readonly asOf: number;
}

/** {@link levels}, the flip under both its names, where today's expiries may pin spot, and max pain by expiry. */
export function allLevels({ book, gexByContract, flip, asOf }: AllLevelsInput): AllLevels {
  const marks = levels(book, strikeProfile(book, gexByContract));
  const pains = maxPain(book);
  const move = marks.expected_move_1d;
  return {
    ...marks,
    expected_range_1d: move === null ? null : { lower: book.spot - move, upper: book.spot + move },
    flip,
    vol_trigger: { level: flip, alias_of: 'flip' },
    ...pin(book, gexByContract, expiryBuckets(book, asOf).zero_dte, move),
    max_pain: Array.from(book.expiries.entries())
      .toSorted(([, a], [, b]) => a.years - b.years)
      .map(([e, { label }]) => ({ expiry: label, level: pains[e] ?? null })),
  };
}

function pin(book: Book, gexByContract: Float64Array, today: readonly boolean[], move: number | null) {
  const own = gexByContract.map((value, i) => (today[book.expiry[i]!] ? value : 0));
  if (own.every((value) => value === 0)) return { pin_strike: null, pin_status: 'no_zero_dte' } as const;
  if (move === null) return { pin_strike: null, pin_status: 'no_volatility' } as const;
  const { strikes, grossGex } = strikeProfile(book, own);
  const strike = strikeOfMost(strikes, grossGex, (level) => Math.abs(level - book.spot) <= 0.5 * move);
  return { pin_strike: strike, pin_status: strike === null ? 'no_strike_in_range' : 'ok' } as const;
}

/** The strike with the largest value above zero among those allowed; null where none is above zero. */
function strikeOfMost(
  strikes: Float64Array,
  values: Float64Array,
  allowed: (strike: number) => boolean,
): number | null {
  let best: number | null = null;
  let most = 0;
  for (const [i, strike] of strikes.entries()) {
    const value = values[i]!;
    if (!allowed(strike) || value <= most) continue;
    best = strike;
    most = value;
  }
  return best;
}

function cumulativeLow({ strikes, gex, grossGex }: StrikeProfile): { strike: number; gex: number } | null {
  let least: { strike: number; gex: number } | null = null;
  let sum = 0;
  let gross = 0;
  for (const [i, strike] of strikes.entries()) {
    sum += gex[i]!;
    gross += grossGex[i]!;
    if (gross > 0 && (least === null || sum < least.gex)) least = { strike, gex: sum };
  }
  return least;
}
