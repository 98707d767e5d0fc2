import type { Static } from 'typebox';
import { essviTotalVariance } from './essvi.ts';
import { essviAt } from './essvi-between.ts';
import type { SURFACE_GRID } from './surface-schema.ts';
import type { ExpiryFit } from './vol-surface.ts';

/**
 * Slices of a surface, which ascend in time, with the forwards they are measured from: all that its values follow from.
 */
export interface GridSurface {
  readonly expiries: readonly Pick<ExpiryFit, 'label' | 'years' | 'forward' | 'slice'>[];
}

/**
 * Points at which values of a surface are requested: days to settlement against log-moneynesses, or against strikes.
 */
export interface GridRequest {
  /** Calendar days to settlement, above 0; parts of a day too. */
  readonly days: readonly number[];
  readonly k?: readonly number[] | undefined;
  readonly strikes?: readonly number[] | undefined;
}

/** Points at which a surface is shown unless the caller requests others. */
export const defaultGrid = {
  days: [1, 7, 14, 30, 60, 90, 180, 365],
  k: [-0.2, -0.1, -0.05, -0.025, 0, 0.025, 0.05, 0.1, 0.2],
} as const satisfies GridRequest;

/** Values of the surface: a row per day, a column per strike, or per k where the request names no strikes. */
export function surfaceGrid(surface: GridSurface, { days, k, strikes }: GridRequest): Static<typeof SURFACE_GRID> {
  const slices = surface.expiries.flatMap(({ slice }) => slice ?? []);
  const forwards = days.map((day) => forwardAt(surface, day / 365));
  const volatility = days.map((day, row) => {
    const columns = strikes ? strikes.map((strike) => Math.log(strike / forwards[row]!)) : (k ?? []);
    const years = day / 365;
    if (!(years > 0 && years < Infinity)) return columns.map(() => null);
    const slice = essviAt(slices, years);
    return columns.map((column) => Math.sqrt(essviTotalVariance(slice, column) / years));
  });
  return {
    days: [...days],
    forwards,
    k: strikes ? null : [...(k ?? [])],
    strikes: strikes ? [...strikes] : null,
    volatility,
  };
}

/** Forward at any time: of constant growth between two expiries, and outside of the mean growth of them all. */
export function forwardAt({ expiries }: GridSurface, years: number): number {
  const known = expiries.filter(({ slice }) => slice !== null);
  const first = known[0]!;
  const last = known.at(-1)!;
  const after = known.findIndex((expiry) => expiry.years >= years);
  if (known.length === 1) return first.forward;
  const [from, to, at] =
    after === 0
      ? [first, last, first]
      : after === -1
        ? [first, last, last]
        : [known[after - 1]!, known[after]!, known[after]!];
  const growth = Math.log(to.forward / from.forward) / (to.years - from.years);
  return at.forward * Math.exp(growth * (years - at.years));
}
