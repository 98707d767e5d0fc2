import { atmVolatility } from './atm-volatility.ts';
import type { Book } from './book.ts';
import type { StrikeProfile } from './strike-profile.ts';

/** The strikes people watch. A level without a candidate (no call gamma at or above spot, say) is null. */
export interface Levels {
  /** Strike at or above spot with the most call gamma, expiries summed first. */
  readonly call_wall: number | null;
  /** Strike at or below spot with the most put gamma. */
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
  const gross = argmax(strikes, grossGex, () => true);
  const cumulative = cumulativeLow(profile);
  const sigma = atmVolatility(book);
  return {
    call_wall: argmax(strikes, callGex, (strike) => strike >= book.spot),
    put_wall: argmax(strikes, putGex, (strike) => strike <= book.spot),
    abs_gamma: gross,
    hvl: cumulative?.strike ?? null,
    hvl_cumulative_gex: cumulative?.gex ?? null,
    atm_volatility: sigma,
    expected_move_1d: sigma === null ? null : book.spot * sigma * Math.sqrt(1 / 252),
  };
}

/** The strike with the largest absolute value among those allowed; null where all of them are zero. */
function argmax(strikes: Float64Array, values: Float64Array, allowed: (strike: number) => boolean): number | null {
  let best: number | null = null;
  let most = 0;
  for (const [i, strike] of strikes.entries()) {
    const size = Math.abs(values[i]!);
    if (allowed(strike) && size > most) {
      best = strike;
      most = size;
    }
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
