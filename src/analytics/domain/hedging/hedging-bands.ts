import type { Book } from '#src/analytics/domain/book/book.ts';
import { bookRows } from '#src/analytics/domain/book/book-rows.ts';
import { oneDay, type SessionHours, toClose, tradingHours } from '#src/analytics/domain/calendar/horizons.ts';
import { deltaShares } from '#src/analytics/domain/exposures/delta-sums.ts';
import { gammaSums } from '#src/analytics/domain/exposures/gamma-sums.ts';
import { gammaProfile } from '#src/analytics/domain/levels/gamma-profile.ts';
import { gammaAt, gammaTerms } from '#src/analytics/domain/levels/gamma-terms.ts';
import { scanPoints } from '#src/analytics/domain/levels/scan-points.ts';
import { exitProbability, hitProbability } from '#src/analytics/domain/pricing/hit-probability.ts';
import { bandEdges } from './band-edges.ts';
import { dormantZones, type Zone } from './dormant-zones.ts';
import type { HedgingBands } from './hedging-bands-schema.ts';
import { type BandModel, hedgingWidth } from './hedging-width.ts';

export interface HedgingBandsInput {
  readonly book: Book;
  /** Annual volatility of the moves ahead, decimal; null if unknown. */
  readonly atmVolatility: number | null;
  /** Epoch milliseconds. */
  readonly asOf: number;
  /** Today's session, null where there is none. */
  readonly session: SessionHours | null;
  readonly model?: BandModel;
  /** Proportional cost of trading: about 2e-5 in index futures. */
  readonly cost?: number;
  /** Absolute risk aversion, per dollar. */
  readonly riskAversion?: number;
  /** Continuous rate that discounts the width, and years it is discounted over. */
  readonly rate?: number;
  readonly years?: number;
  /** Volatility for reaching a level, where it is not that at the money. */
  readonly volatilityAt?: (level: number) => number;
}

type Reached = NonNullable<HedgingBands['exit']>;
const GRID = 201;
/** Net gamma under this part of gross has no width worth the name. */
const FLAT = 1e-9;
/** Gross gamma under this, in dollars, is the far tail of a bell: no gamma, and a ratio of it may overflow. */
const NONE = 1e-100;

/** The band within which dealers leave delta alone, and the intervals of large gamma that sleep beyond it. */
export function hedgingBands(input: HedgingBandsInput): HedgingBands {
  const { book, atmVolatility, model = 'whalley_wilmott', cost = 2e-5, riskAversion = 1e-8 } = input;
  const sums = gammaSums(bookRows(book), { spot: book.spot });
  const gammaShares = sums.gex / (0.01 * book.spot * book.spot);
  const shared = { model, gamma_shares: gammaShares, cost, risk_aversion: riskAversion };
  if (!(sums.gexAbs > NONE)) return { status: 'no_gamma', ...shared, ...nothing };
  if (Math.abs(sums.gex) <= FLAT * sums.gexAbs) return { status: 'zero_net_gamma', ...shared, ...nothing };
  const volatility = atmVolatility !== null && atmVolatility > 0 ? atmVolatility : null;
  if (model === 'zakamouline' && volatility === null) return { status: 'no_volatility', ...shared, ...nothing };
  const width = hedgingWidth({
    ...shared,
    spot: book.spot,
    gammaShares,
    cost,
    riskAversion,
    volatility: volatility ?? 1,
    rate: input.rate ?? 0,
    // Zakamouline's law has no meaning at zero time; the book's own is where its gamma is.
    years: input.years ?? (model === 'zakamouline' ? sums.grossYears / sums.gexAbs : 0),
  });
  const hedged = { ...book, volatility: book.volatility.map((sigma) => sigma * width.volatilityFactor) };
  const terms = gammaTerms(hedged);
  const found = scanPoints(hedged, terms, gammaProfile(hedged, terms, GRID));
  // Bells of the last seconds are so narrow that the profile's recurrence overflows beside them: there the exact sum.
  const values = found.values.map((value, j) => (Number.isFinite(value) ? value : gammaAt(terms, found.points[j]!)));
  const scan = { points: found.points, values };
  const rows = bookRows(hedged);
  const edges = bandEdges({ rows, spot: book.spot, width: width.shares, ...scan });
  const hit = (level: number): Reached => reached(input, volatility, level);
  const delta = (level: number): number => deltaShares(rows, { spot: level });
  const start = delta(book.spot);
  const describe = (level: number | null): HedgingBands['lower'] =>
    level === null ? null : { level, hit: hit(level), flow_usd: -(delta(level) - start) * level };
  const zone = ({ lower, upper, peak, gex }: Zone): HedgingBands['zones'][number] => {
    const [near, far] = lower > book.spot ? [lower, upper] : [upper, lower];
    const flow = -(delta(far) - delta(near)) * far;
    const sign = gex > 0 ? 'positive' : 'negative';
    return { lower, upper, peak, sign, gex_peak: gex, hit: hit(near), expected_flow_usd: flow };
  };
  const open = edges.lower === null || edges.upper === null;
  return {
    status: open ? 'open_band' : volatility === null ? 'no_volatility' : 'ok',
    ...shared,
    half_width_shares: width.shares,
    half_width_pts: width.shares / Math.abs(gammaShares),
    volatility_factor: width.volatilityFactor,
    lower: describe(edges.lower),
    upper: describe(edges.upper),
    exit: exit(input, volatility, edges),
    zones: dormantZones({ terms, ...scan, ...edges }).map(zone),
  };
}

const nothing = {
  half_width_shares: null,
  half_width_pts: null,
  volatility_factor: null,
  lower: null,
  upper: null,
  exit: null,
  zones: [],
} satisfies Partial<HedgingBands>;

/** Trading years to each horizon: a return of one session has a 252nd of the annual variance. */
function horizonYears({ asOf, session }: HedgingBandsInput) {
  return {
    p_1h: tradingHours(1).sessions / 252,
    p_close: session === null ? null : toClose(asOf, session).sessions / 252,
    p_1d: oneDay.sessions / 252,
  };
}

function reached(input: HedgingBandsInput, atm: number | null, level: number): Reached {
  const volatility = input.volatilityAt?.(level) ?? atm;
  const at = (years: number | null): number | null =>
    years === null || volatility === null
      ? null
      : hitProbability({ spot: input.book.spot, barrier: level, volatility, years });
  const years = horizonYears(input);
  return { p_1h: at(years.p_1h), p_close: at(years.p_close), p_1d: at(years.p_1d) };
}

interface Edges {
  readonly lower: number | null;
  readonly upper: number | null;
}

/** Through either edge; where one side is open only the other can be reached. */
function exit(input: HedgingBandsInput, volatility: number | null, { lower, upper }: Edges): Reached | null {
  if (lower === null || upper === null) {
    const only = lower ?? upper;
    return only === null ? null : reached(input, volatility, only);
  }
  const at = (years: number | null): number | null =>
    years === null || volatility === null
      ? null
      : exitProbability({ spot: input.book.spot, lower, upper, volatility, years });
  const years = horizonYears(input);
  return { p_1h: at(years.p_1h), p_close: at(years.p_close), p_1d: at(years.p_1d) };
}
