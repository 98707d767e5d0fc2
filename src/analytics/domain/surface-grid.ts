import type { Static } from 'typebox';
import { type Surface, volatilityAt } from './surface.ts';
import type { SURFACE_GRID } from './surface-schema.ts';

/** Where a surface is wanted: days to settlement against log-moneynesses, or against strikes. */
export interface GridRequest {
  /** Calendar days to settlement, above 0; parts of a day too. */
  readonly days: readonly number[];
  readonly k?: readonly number[] | undefined;
  readonly strikes?: readonly number[] | undefined;
}

/** Values of the surface: a row per day, a column per strike, or per k where strikes are not given. */
export function surfaceGrid(surface: Surface, { days, k, strikes }: GridRequest): Static<typeof SURFACE_GRID> {
  const forwards = days.map((day) => forwardAt(surface, day / 365));
  const volatility = days.map((day, row) => {
    const columns = strikes ? strikes.map((strike) => Math.log(strike / forwards[row]!)) : (k ?? []);
    return columns.map((column) => volatilityAt(surface, column, day / 365));
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
export function forwardAt({ expiries }: Surface, years: number): number {
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
