/** Call mid minus put mid at one strike. */
export interface ParityPoint {
  readonly strike: number;
  readonly gap: number;
  /** Call mid plus put mid: its least value locates the money and measures σ√T. */
  readonly straddle: number;
  /** Inverse variance, from the two spreads. */
  readonly weight: number;
}

/** A weighted line of gap on strike, in the form that stays accurate when the slope is replaced. */
export interface Line {
  readonly slope: number;
  /** Weighted means of the points: the line passes through them whatever its slope. */
  readonly meanStrike: number;
  readonly meanGap: number;
  /** Standard errors of the slope and of the mean gap. */
  readonly slopeError: number;
  readonly gapError: number;
  readonly points: number;
}

const HUBER = 1.5;

/**
 * Least squares with Huber's weights in three rounds, so that one stale quote does not tilt the line. Null where the
 * points do not determine a line (fewer than three, or one strike).
 *
 * @see P. J. Huber, Robust Statistics (1981), chapter 7
 */
export function fitLine(points: readonly ParityPoint[]): Line | null {
  let weights = points.map(({ weight }) => weight);
  let line = solve(points, weights);
  for (let round = 0; round < 3 && line; round++) {
    const fitted = line;
    const residuals = points.map((point) => Math.abs(residual(fitted, point)) * Math.sqrt(point.weight));
    const scale = 1.4826 * median(residuals);
    if (!(scale > 0)) break;
    weights = points.map(({ weight }, i) => weight * Math.min(1, (HUBER * scale) / residuals[i]!));
    line = solve(points, weights) ?? line;
  }
  return line;
}

function solve(points: readonly ParityPoint[], weights: readonly number[]): Line | null {
  if (points.length < 3) return null;
  let total = 0;
  let strikes = 0;
  let gaps = 0;
  for (const [i, { strike, gap }] of points.entries()) {
    total += weights[i]!;
    strikes += weights[i]! * strike;
    gaps += weights[i]! * gap;
  }
  const meanStrike = strikes / total;
  const meanGap = gaps / total;
  let spread = 0;
  let product = 0;
  for (const [i, { strike, gap }] of points.entries()) {
    spread += weights[i]! * (strike - meanStrike) ** 2;
    product += weights[i]! * (strike - meanStrike) * (gap - meanGap);
  }
  if (!(spread > 0)) return null;
  const slope = product / spread;
  let squares = 0;
  for (const [i, point] of points.entries()) {
    squares += weights[i]! * (point.gap - meanGap - slope * (point.strike - meanStrike)) ** 2;
  }
  const variance = squares / (points.length - 2);
  return {
    slope,
    meanStrike,
    meanGap,
    slopeError: Math.sqrt(variance / spread),
    gapError: Math.sqrt(variance / total),
    points: points.length,
  };
}

function residual(line: Line, { strike, gap }: ParityPoint): number {
  return gap - line.meanGap - line.slope * (strike - line.meanStrike);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
