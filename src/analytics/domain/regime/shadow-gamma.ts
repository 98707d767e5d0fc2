import type { Book } from '#src/analytics/domain/book/book.ts';
import { bookRows } from '#src/analytics/domain/book/book-rows.ts';
import { type ExposureCoefficients, exposureCoefficients } from '#src/analytics/domain/exposures/exposures.ts';
import { gammaSums } from '#src/analytics/domain/exposures/gamma-sums.ts';
import { volatilityMoves } from '#src/analytics/domain/exposures/smile-dynamics.ts';
import { dailyDeviation } from './market-impact.ts';
import type { ShadowGamma } from './shadow-gamma-schema.ts';
import type { SkewStickiness } from './skew-stickiness-schema.ts';

export interface ShadowGammaInput {
  readonly book: Book;
  /** The ratio R, and how it is known. */
  readonly stickiness: SkewStickiness;
  /** dσ/d ln S of each expiry, (R − 1)·skew: {@link volatilitySlopes}. */
  readonly slopes: Float64Array;
  /** Annual volatility at the money, decimal; null if unknown. */
  readonly atmVolatility: number | null;
}

/** Under this share of gross gamma, net gamma is too small to divide by. */
const SMALL = 0.02;
/** Under this share of the gross gamma of both sides, up and down gamma are rounding. */
const DEAD = 1e-9;

/**
 * Gamma of the dealers when volatility moves with spot: Γ + vanna·(R − 1)·skew/S, here and one standard deviation of a
 * day up and down (volatilities slid along), and the curvature of the price with the smile's own terms.
 *
 * @see N. N. Taleb, Dynamic Hedging (1997), "shadow gamma"
 */
export function shadowGamma({ book, stickiness, slopes, atmVolatility }: ShadowGammaInput): ShadowGamma {
  const rows = bookRows(book);
  const here = gammaSums(rows, { spot: book.spot, slopes });
  const shadow = here.gex + here.vannaDrag;
  const sigmaD = dailyDeviation(atmVolatility);
  const at = (logMove: number) => {
    const moves = volatilityMoves(slopes, logMove);
    const sums = gammaSums(rows, { spot: book.spot * Math.exp(logMove), slopes, moves });
    return { gamma: sums.gex + sums.vannaDrag, gross: sums.gexAbs };
  };
  const up = sigmaD === null ? null : at(sigmaD);
  const down = sigmaD === null ? null : at(-sigmaD);
  const small = Math.abs(here.gex) < SMALL * here.gexAbs;
  return {
    status: here.gexAbs === 0 ? 'no_gamma' : small ? 'small_net_gamma' : up === null ? 'no_volatility' : 'ok',
    gex: here.gex,
    gex_abs: here.gexAbs,
    shadow_gex: shadow,
    hidden_gamma: here.vannaDrag,
    gamma_adjustment_factor: small || here.gexAbs === 0 ? null : shadow / here.gex,
    price_convexity: here.priceConvexity,
    up_gamma: up?.gamma ?? null,
    down_gamma: down?.gamma ?? null,
    instability_ratio: up && down ? instability(down, up) : null,
    sigma_d_pct: sigmaD === null ? null : 100 * sigmaD,
    ssr: stickiness,
  };
}

interface Side {
  readonly gamma: number;
  readonly gross: number;
}

/** |a − b|/(|a| + |b|): 0 where both sides agree, 1 exactly where the sign changes between them. */
function instability(down: Side, up: Side): number | null {
  const size = Math.abs(down.gamma) + Math.abs(up.gamma);
  if (!(size > DEAD * (down.gross + up.gross))) return null;
  return Math.min(Math.abs(down.gamma - up.gamma) / size, 1);
}

/**
 * Computes what one contract held long adds to shadow GEX, per row of the book, in $ per +1 % spot: with the positions
 * of a generation it gives the standard deviation that the stability index makes its band from.
 */
export function shadowCoefficients(
  book: Book,
  slopes: Float64Array,
  { gex, vex }: ExposureCoefficients = exposureCoefficients(book),
): Float64Array {
  return gex.map((gamma, i) => gamma + vex[i]! * slopes[book.expiry[i]!]!);
}
