/**
 * The rational cubic of Delbourgo and Gregory between two points, with given slopes there and a control parameter
 * r > −1: monotone and convex for the right r, a cubic Hermite for r = 3.
 *
 * @see R. Delbourgo and J. A. Gregory, "Shape preserving piecewise rational interpolation", SIAM J. Sci. Stat. Comput. 6 (1985)
 */
export interface Segment {
  readonly x0: number;
  readonly x1: number;
  readonly y0: number;
  readonly y1: number;
  readonly slope0: number;
  readonly slope1: number;
}

const LARGEST = 1e154;
const SMALLEST = -(1 - 1.5e-8);

/** Value at x of the segment with control parameter r. */
export function rationalCubic(x: number, segment: Segment, r: number): number {
  const { x0, x1, y0, y1, slope0, slope1 } = segment;
  const width = x1 - x0;
  if (!(width > 0)) return 0.5 * (y0 + y1);
  const t = (x - x0) / width;
  const u = 1 - t;
  if (r > 1e150) return y1 * t + y0 * u;
  const top =
    y1 * t * t * t + (r * y1 - width * slope1) * t * t * u + (r * y0 + width * slope0) * t * u * u + y0 * u * u * u;
  return top / (1 + (r - 3) * t * u);
}

/** Control parameter that gives the second derivative `curvature` at the right end, kept within the convex range. */
export function controlAtRight(segment: Segment, curvature: number): number {
  const { slope1 } = segment;
  const width = segment.x1 - segment.x0;
  const chord = (segment.y1 - segment.y0) / width;
  const top = 0.5 * width * curvature + (slope1 - segment.slope0);
  return convex(segment, chord, ratio(top, slope1 - chord));
}

/** Control parameter that gives the second derivative `curvature` at the left end, kept within the convex range. */
export function controlAtLeft(segment: Segment, curvature: number): number {
  const { slope0 } = segment;
  const width = segment.x1 - segment.x0;
  const chord = (segment.y1 - segment.y0) / width;
  const top = 0.5 * width * curvature + (segment.slope1 - slope0);
  return convex(segment, chord, ratio(top, chord - slope0));
}

function ratio(top: number, bottom: number): number {
  if (top === 0) return 0;
  if (bottom === 0) return top > 0 ? LARGEST : SMALLEST;
  return top / bottom;
}

/** The least r that keeps the segment monotone and convex (or concave): below it the shape is lost. */
function convex(segment: Segment, chord: number, r: number): number {
  const { slope0, slope1 } = segment;
  let least = SMALLEST;
  if (slope0 * chord >= 0 && slope1 * chord >= 0 && chord !== 0) least = Math.max(least, (slope0 + slope1) / chord);
  const left = chord - slope0;
  const right = slope1 - chord;
  if (left * right > 0) least = Math.max(least, 1 + Math.max(right / left, left / right));
  return Math.min(Math.max(r, least), LARGEST);
}
