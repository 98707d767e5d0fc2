import type { Book } from '#src/analytics/domain/book/book.ts';
import { bookRows } from '#src/analytics/domain/book/book-rows.ts';
import type { Horizon } from '#src/analytics/domain/calendar/horizons.ts';
import { deltaShares } from '#src/analytics/domain/exposures/delta-sums.ts';
import { exposures } from '#src/analytics/domain/exposures/exposures.ts';
import type { Vcm } from './vcm-schema.ts';

export interface VcmInput {
  readonly book: Book;
  /** Dollars traded per day in the hedging instrument. */
  readonly advUsd: number;
  readonly horizon: Horizon;
  /** Annual volatility at the money and the forecast of the realised one, decimal; null if unknown. */
  readonly atmVolatility: number | null;
  readonly realisedVolatility: number | null;
  /** Change of implied volatility expected over the horizon, in vol points, instead of the pull to realised. */
  readonly expectedVolPoints?: number | undefined;
  /** Share of a day's volume that trades in the horizon; that of an even day unless set. */
  readonly volumeShare?: number;
}

const KAPPA = 0.02;
/** Calendar days in which half of the gap between implied and realised volatility closes. */
const HALF_LIFE = 5;
const QUIET = 0.1;

/**
 * Vanna-Charm Meta-signal, tanh of the dealers' expected vanna and charm flow over 2 % of the horizon's volume, −1 to 1:
 * above zero they buy. Vanna flow is −VEX·E[Δσ]; charm flow is −[D(t + H) − D(t)] by full reprice at this spot and
 * volatility. Unless set, implied volatility is expected to close its gap to realised with a half-life of five days.
 */
export function vannaCharmSignal(input: VcmInput): Vcm {
  const { book, advUsd, horizon, volumeShare = horizon.sessions } = input;
  const drift = expectedDrift(input);
  const rows = bookRows(book);
  const before = deltaShares(rows, { spot: book.spot });
  const charm = -(deltaShares(rows, { spot: book.spot, elapsed: horizon.years }) - before) * book.spot;
  const vanna = drift === null ? null : -exposures(book).vex * drift;
  const scale = KAPPA * advUsd * volumeShare;
  const status = vanna === null ? 'no_volatility' : scale > 0 ? 'ok' : 'no_volume';
  const vcm = vanna === null || !(scale > 0) ? null : Math.tanh((vanna + charm) / scale);
  const agreement = vanna === null ? null : signOf(vanna) * signOf(charm);
  return {
    status,
    vcm,
    vanna_flow_usd: vanna,
    charm_flow_usd: charm,
    expected_vol_points: drift,
    agreement,
    state: vcm === null || agreement === null ? null : stateOf(vcm, agreement),
    horizon_hours: horizon.years * 365 * 24,
    volume_share: volumeShare,
    kappa: KAPPA,
  };
}

function expectedDrift({ expectedVolPoints, atmVolatility, realisedVolatility, horizon }: VcmInput): number | null {
  if (expectedVolPoints !== undefined) return expectedVolPoints;
  if (atmVolatility === null || realisedVolatility === null) return null;
  return 100 * (realisedVolatility - atmVolatility) * (1 - 2 ** ((-365 * horizon.years) / HALF_LIFE));
}

function signOf(flow: number): -1 | 0 | 1 {
  if (flow === 0) return 0;
  return flow > 0 ? 1 : -1;
}

function stateOf(vcm: number, agreement: number): Vcm['state'] {
  if (Math.abs(vcm) < QUIET) return 'quiet';
  // one flow alone agrees with nothing and conflicts with nothing
  if (agreement === 0) return null;
  if (agreement < 0) return 'conflict';
  return vcm > 0 ? 'aligned_bid' : 'aligned_offer';
}
