import { durrlemanG, durrlemanSlope, leastVariance, type RawSvi, sviDerivatives, wingSlopes } from './svi.ts';

/** Results of the checks of one smile. */
export interface SviCertificate {
  /** Least of Durrleman's g over all k, its limits far out included; −Infinity where some variance is not above 0. */
  readonly leastG: number;
  /** Log-moneyness of that least g; null where it is the limit far out. */
  readonly leastGAt: number | null;
  /** Least total variance. */
  readonly leastVariance: number;
  /** Slopes of the wings; at most 2 each. */
  readonly leftWing: number;
  readonly rightWing: number;
  /** True where variance is above zero, g ≥ 0 at every k and no wing is steeper than 2. */
  readonly holds: boolean;
}

const CELLS = 72;
const FINE_CELLS = 24;
const CLOSE_CELLS = 50;
/** Below it two minima of g may hide in one cell and one of them be negative. */
const NEAR_ZERO = 0.05;

/**
 * Checks a smile for butterfly arbitrage: least g on a grid that is dense where the smile bends and reaches a hundred
 * times as far as any of its scales, then at every minimum of g between the points of the grid, then its limits
 * ¼ − slope²/16 far out, which are not negative exactly where the wings keep Lee's bound.
 */
export function certifySvi(raw: RawSvi): SviCertificate {
  const { left, right } = wingSlopes(raw);
  const floor = leastVariance(raw);
  const sound = raw.b >= 0 && Math.abs(raw.rho) < 1 && raw.sigma > 0 && floor > 0 && Number.isFinite(raw.m);
  const least = sound ? leastG(raw) : { g: -Infinity, k: null };
  const far = 0.25 - Math.max(left, right) ** 2 / 16;
  return {
    leastG: Math.min(least.g, far),
    leastGAt: least.g <= far ? least.k : null,
    leastVariance: floor,
    leftWing: left,
    rightWing: right,
    holds: sound && least.g >= 0 && left <= 2 && right <= 2,
  };
}

interface Least {
  g: number;
  k: number | null;
}

function leastG(raw: RawSvi): Least {
  const { a, b, rho, m, sigma } = raw;
  const least: Least = { g: Infinity, k: null };
  if (b === 0) return { g: 1, k: 0 };
  const reach = 100 * (1 + sigma + Math.abs(m) + Math.abs(a) / b);
  scan(raw, { centre: m, scale: sigma, reach, cells: CELLS }, least);
  // Where the least variance is small, g turns within a distance of it that the bend's own width does not show.
  const bottom = m - (rho * sigma) / Math.sqrt(1 - rho * rho);
  const { w, second } = sviDerivatives(raw, bottom);
  const narrow = Math.min(Math.sqrt((2 * w) / second), sigma);
  scan(raw, { centre: bottom, scale: narrow, reach: 8 * sigma, cells: FINE_CELLS }, least);
  if (least.g < NEAR_ZERO && least.k !== null) lookCloser(raw, least.k, least);
  return least;
}

/** Looks closer where g comes near zero: at the two cells on both sides of the least point, in far shorter steps. */
function lookCloser(raw: RawSvi, k: number, least: Least): void {
  const { m, sigma } = raw;
  const width = 0.4 * Math.hypot(k - m, sigma);
  let before = k - width;
  let falling = false;
  for (let i = -CLOSE_CELLS; i <= CLOSE_CELLS; i++) {
    const at = k + (width * i) / CLOSE_CELLS;
    const point = sviDerivatives(raw, at);
    keep(least, at, durrlemanG(at, point));
    const rising = durrlemanSlope(at, point) > 0;
    if (falling && rising) refine(raw, before, at, least);
    falling = !rising;
    before = at;
  }
}

interface Grid {
  readonly centre: number;
  readonly scale: number;
  readonly reach: number;
  readonly cells: number;
}

function scan(raw: RawSvi, { centre, scale, reach, cells }: Grid, least: Least): void {
  const ratio = Math.exp((2 * Math.asinh(reach / scale)) / cells);
  let power = Math.exp(-Math.asinh(reach / scale));
  let before = 0;
  let falling = false;
  for (let i = 0; i <= cells; i++, power *= ratio) {
    const k = centre + 0.5 * scale * (power - 1 / power);
    const point = sviDerivatives(raw, k);
    keep(least, k, durrlemanG(k, point));
    const rising = durrlemanSlope(k, point) > 0;
    if (falling && rising) refine(raw, before, k, least);
    falling = !rising;
    before = k;
  }
}

/**
 * The minimum between a point where g falls and one where it rises, by bisection of its slope: g is flat there, so that
 * eight digits of k give sixteen of g.
 */
function refine(raw: RawSvi, from: number, to: number, least: Least): void {
  let low = from;
  let high = to;
  for (let i = 0; i < 40 && high - low > 1e-8 * (Math.abs(low) + raw.sigma); i++) {
    const middle = 0.5 * (low + high);
    if (durrlemanSlope(middle, sviDerivatives(raw, middle)) > 0) high = middle;
    else low = middle;
  }
  const k = 0.5 * (low + high);
  keep(least, k, durrlemanG(k, sviDerivatives(raw, k)));
}

function keep(least: Least, k: number, g: number): void {
  if (g >= least.g) return;
  least.g = g;
  least.k = k;
}
