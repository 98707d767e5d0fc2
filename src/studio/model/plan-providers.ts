import type { PlanStep } from './bodies.ts';

/** Every provider that a plan may come to, in order of their names. */
export function providersOf(steps: readonly Pick<PlanStep, 'primary' | 'backups'>[]): string[] {
  return [
    ...new Set(steps.flatMap(({ primary, backups }) => [primary, ...backups].map(({ provider }) => provider))),
  ].toSorted();
}
