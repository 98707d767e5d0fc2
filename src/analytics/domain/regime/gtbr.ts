import type { Book } from '#src/analytics/domain/book/book.ts';
import { bookRows } from '#src/analytics/domain/book/book-rows.ts';
import { gammaSums } from '#src/analytics/domain/exposures/gamma-sums.ts';
import type { Gtbr } from './gtbr-schema.ts';

export interface GtbrInput {
  readonly book: Book;
  /** Annual realised volatility (or its forecast), decimal; null if unknown. */
  readonly realisedVolatility: number | null;
  /** Spot at the opening of the session; null if unknown. */
  readonly open?: number | null;
  /** Log returns of spot since the opening, at whatever pace they were observed. */
  readonly returns?: readonly number[];
  /** Regular sessions that have passed since the opening, 0 to 1. */
  readonly elapsed?: number;
}

const HARVESTING = 1.1;
const BURNING = 0.9;

/**
 * Realised over gamma-weighted implied variance, gross, so that it is defined at the flip too: 1 is a market whose moves
 * pay exactly for the theta. With it the dealers' net carry and the moves at which a day breaks even.
 *
 * The break-even range is around the opening, around spot where that is not known.
 */
export function gammaThetaBurn({ book, realisedVolatility, open = null, returns = [], elapsed = 0 }: GtbrInput): Gtbr {
  const sums = gammaSums(bookRows(book), { spot: book.spot });
  const variance = sums.gexAbs > 0 ? sums.grossVariance / sums.gexAbs : null;
  const known = realisedVolatility !== null && realisedVolatility >= 0;
  const realised = known ? realisedVolatility ** 2 : null;
  const move = variance === null ? null : book.spot * Math.sqrt(variance / 252);
  const anchor = open !== null && open > 0 ? open : book.spot;
  const gtbr = variance === null || realised === null ? null : realised / variance;
  const squares = returns.reduce((sum, value) => sum + value * value, 0);
  const burnStatus = burnStatusOf({ variance, elapsed, returns });
  return {
    status: variance === null ? 'no_gamma' : realised === null ? 'no_realised_volatility' : 'ok',
    gtbr,
    sigma_gamma: variance === null ? null : Math.sqrt(variance),
    realised_volatility: known ? realisedVolatility : null,
    net_carry_per_day: realised === null ? null : (50 * (sums.gex * realised - sums.netVariance)) / 252,
    breakeven_move_pts_1d: move,
    range:
      move === null ? null : { lower: anchor - move, upper: anchor + move, anchor: anchor === open ? 'open' : 'spot' },
    burn_status: burnStatus,
    burn_used: burnStatus === 'ok' ? squares / (variance! * (Math.min(elapsed, 1) / 252)) : null,
    state: gtbr === null ? null : stateOf(gtbr),
    breach: move === null || open === null ? null : sums.gex < 0 && Math.abs(book.spot - open) > move,
    net_gex: sums.gex,
  };
}

interface Burn {
  readonly variance: number | null;
  readonly elapsed: number;
  readonly returns: readonly number[];
}

function burnStatusOf({ variance, elapsed, returns }: Burn): Gtbr['burn_status'] {
  if (variance === null) return 'no_gamma';
  if (!(elapsed > 0)) return 'no_session';
  return returns.length > 0 ? 'ok' : 'no_prices';
}

function stateOf(gtbr: number): 'harvesting' | 'balanced' | 'burning' {
  if (gtbr > HARVESTING) return 'harvesting';
  return gtbr < BURNING ? 'burning' : 'balanced';
}
