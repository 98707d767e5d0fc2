import { microUsd } from '#src/lib/money.ts';
import type { PlanBody, PlanStep, Routed } from '#src/studio/model/bodies.ts';

/** Shares of a ceiling that the steps of a plan get. */
export interface Shares {
  /** Millionths of a dollar that the plan costs with the cheapest provider of every step. */
  readonly least: number;
  /** The providers that each step asks, in their order: the first one of a step is taken to make it. */
  readonly routes: ReadonlyMap<string, readonly Routed[]>;
}

/** Returns what may be spent on it unless the render says otherwise, in millionths of a dollar. */
export function ceilingOf({ budgetUsd, maximumCostUsd }: PlanBody): number {
  return microUsd(budgetUsd ?? maximumCostUsd);
}

const priceOf = ({ estimatedCostUsd }: Routed): number => microUsd(estimatedCostUsd);
const routeOf = ({ primary, backups }: Pick<PlanStep, 'primary' | 'backups'>): readonly Routed[] => [
  primary,
  ...backups,
];
const cheapest = (step: PlanStep): number => Math.min(...routeOf(step).map(priceOf));

/**
 * Shares a ceiling among the steps, in their order. Each takes the first provider of its route that leaves the other
 * steps their least need, and after it the ones that cost no more than that and what is left over in the end. Where the
 * ceiling is too low for the cheapest of every step, the routes are the plan's.
 *
 * @param ceiling millionths of a dollar
 */
export function underCeiling(steps: readonly PlanStep[], ceiling: number): Shares {
  const least = steps.reduce((sum, step) => sum + cheapest(step), 0);
  let over = ceiling - least;
  const whole = new Map(steps.map((step) => [step.step, routeOf(step)]));
  if (over < 0) return { least, routes: whole };
  const taken = steps.map((step) => {
    const floor = cheapest(step);
    const first = routeOf(step).find((leg) => priceOf(leg) - floor <= over);
    const price = first ? priceOf(first) : floor;
    over -= price - floor;
    return { step, price };
  });
  const routes = taken.map(
    ({ step, price }) => [step.step, routeOf(step).filter((leg) => priceOf(leg) <= price + over)] as const,
  );
  return { least, routes: new Map(routes) };
}

/** Warns of a ceiling before it is approved: that it cannot suffice, or which providers replace which. */
export function ceilingWarnings(
  { steps, budgetUsd }: PlanBody,
  ceiling: number,
  field: 'budgetUsd' | 'maxCostUsd',
): string[] {
  const { least, routes } = underCeiling(steps, ceiling);
  const limit = dollars(ceiling);
  const aboveBudget =
    field === 'maxCostUsd' && budgetUsd !== null && ceiling > microUsd(budgetUsd)
      ? [
          `maxCostUsd (${limit}) is above the budgetUsd of the plan (${dollars(microUsd(budgetUsd))}): maxCostUsd counts.`,
        ]
      : [];
  if (ceiling < least)
    return [
      ...aboveBudget,
      `A ${field} of ${limit} cannot suffice: the cheapest providers of its steps cost ${dollars(least)} together, so rendering it will fail at the ceiling. Allow ${dollars(least)} or more, or plan fewer steps.`,
    ];
  const instead = steps.flatMap((step) => {
    const [first] = routes.get(step.step) ?? [];
    if (!first || first.provider === step.primary.provider) return [];
    return [
      `${step.step} is made by ${first.provider} (${dollars(priceOf(first))}) instead of ${step.primary.provider} (${dollars(priceOf(step.primary))})`,
    ];
  });
  if (instead.length === 0) return aboveBudget;
  return [...aboveBudget, `Under a ${field} of ${limit} ${instead.join(', ')}.`];
}

/** Without zeros that say nothing: `$0.15`, `$0`. */
function dollars(millionths: number): string {
  return `$${Number((millionths / 1e6).toFixed(6))}`;
}
