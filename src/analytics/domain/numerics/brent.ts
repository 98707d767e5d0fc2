/** A root, or why there is none to report. */
export type BrentResult =
  | {
      readonly status: 'ok';
      readonly root: number;
      /** True where f goes from below zero to above as x rises through the bracket. */
      readonly rising: boolean;
      readonly evaluations: number;
    }
  | { readonly status: 'no_bracket' | 'not_finite' | 'no_convergence' };

const MAX_STEPS = 100;

/**
 * A root of f between a and b by Brent's method: inverse quadratic or secant steps where they shrink the bracket,
 * bisection where not. Finds one root, whichever; refuses a bracket without a sign change rather than guess.
 *
 * `tolerance` is absolute and in the unit of a: give about 1e-9 of the level. An exact zero ends the search at once.
 *
 * @see R. P. Brent, Algorithms for Minimization without Derivatives (1973), chapter 4
 */
export function brent(f: (x: number) => number, from: number, to: number, tolerance: number): BrentResult {
  let a = from;
  let b = to;
  let fa = f(a);
  let fb = f(b);
  if (!(Number.isFinite(fa) && Number.isFinite(fb))) return { status: 'not_finite' };
  const rising = from < to ? fb > fa : fa > fb;
  if (fa === 0) return { status: 'ok', root: a, rising, evaluations: 2 };
  if (fb === 0) return { status: 'ok', root: b, rising, evaluations: 2 };
  if (fa > 0 === fb > 0) return { status: 'no_bracket' };
  let c = a;
  let fc = fa;
  let step = b - a;
  let previous = step;
  for (let evaluations = 2; evaluations < MAX_STEPS; evaluations++) {
    if (Math.abs(fc) < Math.abs(fb)) {
      [a, b, c] = [b, c, b];
      [fa, fb, fc] = [fb, fc, fb];
    }
    const least = 2 * Number.EPSILON * Math.abs(b) + 0.5 * tolerance;
    const half = 0.5 * (c - b);
    if (Math.abs(half) <= least || fb === 0) return { status: 'ok', root: b, rising, evaluations };
    if (Math.abs(previous) < least || Math.abs(fa) <= Math.abs(fb)) {
      step = half;
      previous = half;
    } else {
      const guess = interpolate({ a, b, c, fa, fb, fc });
      const trusted = Math.abs(guess) < Math.min(1.5 * Math.abs(half) - 0.5 * least, 0.5 * Math.abs(previous));
      previous = trusted ? step : half;
      step = trusted && guess * half > 0 ? guess : half;
      if (step === half) previous = half;
    }
    a = b;
    fa = fb;
    b += Math.abs(step) > least ? step : Math.sign(half) * least;
    fb = f(b);
    if (!Number.isFinite(fb)) return { status: 'not_finite' };
    if (fb > 0 === fc > 0) {
      c = a;
      fc = fa;
      step = b - a;
      previous = step;
    }
  }
  return { status: 'no_convergence' };
}

interface Points {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly fa: number;
  readonly fb: number;
  readonly fc: number;
}

/** The step from b to the root of the secant (two points) or of the inverse parabola (three). */
function interpolate({ a, b, c, fa, fb, fc }: Points): number {
  const s = fb / fa;
  if (a === c) return (s * (c - b)) / (s - 1);
  const q = fa / fc;
  const r = fb / fc;
  return (s * ((c - b) * q * (q - r) - (b - a) * (r - 1))) / -((q - 1) * (r - 1) * (s - 1));
}
