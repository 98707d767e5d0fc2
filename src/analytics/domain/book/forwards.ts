import type { Chain } from '#src/analytics/domain/chain/chain.ts';
import { isMarketSymbol, markets } from '#src/analytics/domain/chain/symbols.ts';
import { fitLine, type Line, type ParityPoint } from '#src/analytics/domain/statistics/fit-line.ts';

/** Forward and discounting of one expiry, and where they come from. */
export interface Forward {
  readonly forward: number;
  /** Continuous rate from the discount factor, per year. */
  readonly rate: number;
  /** Continuous yield that makes spot grow into the forward, per year. */
  readonly dividend: number;
  /**
   * `parity`: both fitted; `parity_pooled_rate`: the rate of the whole chain, the forward fitted;
   * `parity_near_money`: American options, see {@link impliedForwards}; `spot`: no fit.
   */
  readonly method: 'parity' | 'parity_pooled_rate' | 'parity_near_money' | 'spot';
  /** Strikes with both sides quoted two-sided that went into the fit. */
  readonly strikes: number;
  /** Standard error of the fitted forward, in points; null without a fit. */
  readonly standardError: number | null;
}

const MIN_STRIKES = 5;
/** Rates outside are artefacts of a short expiry, where the slope says next to nothing. */
const RATE_LIMITS = [-0.02, 0.15] as const;
/**
 * A rate known no better than this, or of an expiry so near, is replaced by the chain's pooled one: over a few weeks
 * the lean of the quotes tilts the line by percents, which the scatter of the points does not show.
 */
const MAX_RATE_ERROR = 0.005;
const MIN_RATE_YEARS = 0.2;

/**
 * Forward and rate of every expiry by put-call parity: a robust weighted line through call mid − put mid against the
 * strike has slope −D and intercept D·F. Under five usable strikes the spot is used instead, with r = q = 0.
 *
 * American options break parity by the early-exercise premium, least near the money and in no way that tells D. For
 * funds only the middle of the line is used, and one rate: the forwards' growth plus the fund's dividend yield. What
 * of each price pays for early exercise, in dollars per share, can be given once it is known; NaN leaves a row out.
 */
export function impliedForwards(chain: Chain, premiums?: Float64Array): Forward[] {
  const market = isMarketSymbol(chain.symbol) ? markets[chain.symbol] : undefined;
  const american = market?.kind === 'etf';
  const reach = american ? 0.5 : 2;
  const lines = parityPairs(chain, premiums).map((points) =>
    points.length >= MIN_STRIKES ? fitLine(nearTheMoney(points, reach)) : null,
  );
  const pooled = american ? growthRate(chain, lines) + market.dividendYield : pooledRate(chain, lines);
  return chain.expiries.map(({ years }, index) => {
    const line = lines[index];
    return line ? fromLine(line, { spot: chain.spot, years, pooled, american }) : fromSpot(chain.spot);
  });
}

function parityPairs({ columns, contracts, expiries }: Chain, premiums?: Float64Array): ParityPoint[][] {
  const { strike, expiry, isCall, bid, ask } = columns;
  const points: ParityPoint[][] = expiries.map(() => []);
  for (let i = 1; i < contracts; i++) {
    const c = i - 1;
    if (!(isCall[c] === 1 && isCall[i] === 0 && strike[c] === strike[i] && expiry[c] === expiry[i])) continue;
    if (!(bid[c]! > 0 && bid[i]! > 0 && ask[c]! > 0 && ask[i]! > 0)) continue;
    const call = 0.5 * (bid[c]! + ask[c]!) - (premiums?.[c] ?? 0);
    const put = 0.5 * (bid[i]! + ask[i]!) - (premiums?.[i] ?? 0);
    if (!(call > 0 && put > 0)) continue;
    // A locked quote has no spread; a cent keeps one of them from outweighing all the others.
    const spread = Math.max(ask[c]! - bid[c]!, 0.01) ** 2 + Math.max(ask[i]! - bid[i]!, 0.01) ** 2;
    points[expiry[i]!]!.push({ strike: strike[i]!, gap: call - put, straddle: call + put, weight: 1 / spread });
  }
  return points;
}

/** Strikes within `reach` deviations of the money, read off the straddle; five at least, if six deviations hold them. */
function nearTheMoney(points: readonly ParityPoint[], reach: number): ParityPoint[] {
  const centre = points.reduce((best, point) => (Math.abs(point.gap) < Math.abs(best.gap) ? point : best));
  const deviation = centre.straddle / (0.8 * centre.strike);
  const reachOf = (deviations: number): ParityPoint[] => {
    const low = centre.strike * Math.exp(-deviations * deviation);
    const high = centre.strike * Math.exp(deviations * deviation);
    return points.filter(({ strike }) => strike > low && strike < high);
  };
  const near = reachOf(reach);
  if (near.length >= MIN_STRIKES) return near;
  const distance = ({ strike }: ParityPoint): number => Math.abs(strike - centre.strike);
  return reachOf(6)
    .toSorted((a, b) => distance(a) - distance(b))
    .slice(0, MIN_STRIKES);
}

/** The chain's one rate: the mean of all fitted rates, weighted by how well each expiry knows its own. */
function pooledRate(chain: Chain, lines: readonly (Line | null)[]): number {
  let sum = 0;
  let weights = 0;
  for (const [index, line] of lines.entries()) {
    const years = chain.expiries[index]?.years ?? 0;
    if (!line || !(line.slope < 0)) continue;
    const error = line.slopeError / (-line.slope * years) + 1e-4;
    sum += clampRate(-Math.log(-line.slope) / years) / (error * error);
    weights += 1 / (error * error);
  }
  return weights > 0 ? sum / weights : 0;
}

/** Growth of the forward per year, from expiries of weeks to months: shorter ones are noise, longer ones biased. */
function growthRate(chain: Chain, lines: readonly (Line | null)[]): number {
  let sum = 0;
  let weights = 0;
  for (const [index, line] of lines.entries()) {
    const years = chain.expiries[index]?.years ?? 0;
    const growth = line ? Math.log((line.meanStrike + line.meanGap) / chain.spot) / years : Number.NaN;
    if (!(years > 0.04 && years < 0.75 && growth > RATE_LIMITS[0] && growth < RATE_LIMITS[1])) continue;
    sum += growth * years * years;
    weights += years * years;
  }
  return weights > 0 ? sum / weights : 0;
}

interface Setting {
  readonly spot: number;
  readonly years: number;
  readonly pooled: number;
  readonly american: boolean;
}

function fromLine(line: Line, { spot, years, pooled, american }: Setting): Forward {
  const own = line.slope < 0 ? -Math.log(-line.slope) / years : Number.NaN;
  const known =
    !american &&
    years > MIN_RATE_YEARS &&
    line.slopeError / (-line.slope * years) < MAX_RATE_ERROR &&
    own === clampRate(own);
  const rate = known ? own : pooled;
  const discount = Math.exp(-rate * years);
  // With the slope fixed, the line still passes through the weighted centre of the points.
  const forward = line.meanStrike + line.meanGap / discount;
  const drift = Math.log(forward / spot);
  if (!(Math.abs(drift) < 0.02 + 0.15 * years)) return fromSpot(spot);
  return {
    forward,
    rate,
    dividend: rate - drift / years,
    method: american ? 'parity_near_money' : known ? 'parity' : 'parity_pooled_rate',
    strikes: line.points,
    standardError: line.gapError / discount,
  };
}

function fromSpot(spot: number): Forward {
  return { forward: spot, rate: 0, dividend: 0, method: 'spot', strikes: 0, standardError: null };
}

function clampRate(rate: number): number {
  return Math.min(Math.max(rate, RATE_LIMITS[0]), RATE_LIMITS[1]);
}
