import {
  costAt,
  type LeastSquares,
  levenbergMarquardt,
  type Stopping,
} from '#src/analytics/domain/numerics/levenberg-marquardt.ts';
import { refitSvi } from './refit-svi.ts';
import { repairSvi } from './repair-svi.ts';
import { type ScaledQuotes, scaleQuotes } from './smile-misfit.ts';
import type { RawSvi } from './svi.ts';
import { certifySvi, type SviCertificate } from './svi-certificate.ts';
import { scaleSvi, sviMisfit, unscaleSvi } from './svi-misfit.ts';
import { sviStart } from './svi-start.ts';
import type { VolatilityQuotes } from './volatility-quotes.ts';

/** A smile that holds its certificate, or the reason why there is none. */
export type SviFit =
  | {
      /** `repaired`: the best fit had butterfly arbitrage, and this is the nearest to it that was found without. */
      readonly status: 'ok' | 'repaired';
      readonly raw: RawSvi;
      readonly certificate: SviCertificate;
    }
  | { readonly status: 'too_few_quotes' | 'no_fit' | 'arbitrage'; readonly raw: null; readonly certificate: null };

/** Under as many quotes as parameters a smile is not determined. */
const MIN_QUOTES = 5;

/**
 * Fits raw SVI to the usable quotes of an expiry `years` away, by misses in half-spreads of volatility with none
 * counted between bid and ask. A smile that fails its certificate is repaired or refused, never returned.
 *
 * @param known a smile to begin at where it misses less than what the quotes alone suggest: a smile that is almost
 *   straight over the quotes has its bend far outside of them, where no start of our own lies.
 */
export function fitSvi(quotes: VolatilityQuotes, years: number, known?: RawSvi): SviFit {
  if (quotes.k.length < MIN_QUOTES) return refused('too_few_quotes');
  const scaled = scaleQuotes(quotes, years);
  const misfit = sviMisfit(scaled);
  const start = better(misfit, sviStart(scaled), known ? scaleSvi(known, scaled.theta) : null);
  if (!start) return refused('no_fit');
  const { x, cost } = levenbergMarquardt(misfit, start, stopping(scaled));
  if (!(cost < Infinity)) return refused('no_fit');
  const raw = unscaleSvi(x, scaled.theta);
  const certificate = certifySvi(raw);
  if (certificate.holds) return { status: 'ok', raw, certificate };
  const drawn = repairSvi(raw, years);
  const repaired = refitSvi(scaled, x, drawn && scaleSvi(drawn.raw, scaled.theta)) ?? drawn;
  return repaired ? { status: 'repaired', ...repaired } : refused('arbitrage');
}

/** Of two starts that which misses less. */
function better(misfit: LeastSquares, one: Float64Array | null, other: Float64Array | null): Float64Array | null {
  if (!one || !other) return one ?? other;
  return costAt(misfit, other) < costAt(misfit, one) ? other : one;
}

/** A step that gains a ten-thousandth of a squared half-spread per quote moves no smile that anyone could see. */
function stopping({ count }: ScaledQuotes): Stopping {
  return { tolerance: 1e-3, negligible: 1e-4 * count, limit: 40 };
}

function refused(status: 'too_few_quotes' | 'no_fit' | 'arbitrage'): SviFit {
  return { status, raw: null, certificate: null };
}
