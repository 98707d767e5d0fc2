import { inverseNormalCdf, normalCdf } from '#src/analytics/domain/numerics/normal.ts';
import { controlAtLeft, rationalCubic, type Segment } from '#src/analytics/domain/numerics/rational-cubic.ts';

const SQRT_HALF_PI = 1.2533141373155003;

export interface UpperSplit {
  readonly sHigh: number;
  readonly bHigh: number;
  readonly limit: number;
}

/** The guess for a price over b(s_u), near the upper bound `limit`: there f(s) = Φ(−s/2) is nearly linear in it. */
export function seedHighest(price: number, x: number, top: UpperSplit): number {
  const { sHigh, bHigh, limit } = top;
  const w = (x / sHigh) * (x / sHigh);
  const ss = sHigh * sHigh;
  const f = normalCdf(-0.5 * sHigh);
  const f1 = -0.5 * Math.exp(0.5 * w);
  const f2 = SQRT_HALF_PI * Math.exp(w + 0.125 * ss) * (w / sHigh);
  const segment: Segment = { x0: bHigh, x1: limit, y0: f, y1: 0, slope0: f1, slope1: -0.5 };
  let value = Number.isFinite(f2) ? rationalCubic(price, segment, controlAtLeft(segment, f2)) : 0;
  if (!(value > 0)) {
    const t = (price - bHigh) / (limit - bHigh);
    value = f * (1 - t) * (1 - t) + 0.5 * (limit - bHigh) * t * (1 - t);
  }
  return value > 0 ? -2 * inverseNormalCdf(value) : sHigh;
}
