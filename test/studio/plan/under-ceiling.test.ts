import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PlanBody, PlanStep } from '#src/studio/model/bodies.ts';
import { ceilingWarnings, underCeiling } from '#src/studio/plan/under-ceiling.ts';

/** A step whose providers cost so much, in millionths, best first. */
const stepOf = (step: string, ...prices: readonly number[]): PlanStep => {
  const [primary, ...backups] = prices.map((price, n) => ({
    provider: `p${n + 1}`,
    model: 'm',
    estimatedCostUsd: price / 1e6,
    estimatedLatencyMs: 1,
    score: 1,
    scores: { quality: 1, latency: 1, cost: 1, health: 1 },
  }));
  if (!primary) throw new Error('expected a price');
  return { step, capability: 'image.generate', after: [], request: { prompt: 'a' }, primary, backups };
};

const routes = (steps: readonly PlanStep[], ceiling: number) =>
  Object.fromEntries(
    [...underCeiling(steps, ceiling).routes].map(([step, legs]) => [step, legs.map(({ provider }) => provider).join()]),
  );

test('a step takes the first provider that leaves the others what they need at least', () => {
  expect(routes([stepOf('a', 150_000, 0)], 0)).toEqual({ a: 'p2' });
  expect(routes([stepOf('a', 150_000, 0)], 150_000)).toEqual({ a: 'p1,p2' });
  // the second step has nobody cheaper
  expect(routes([stepOf('a', 150_000, 0), stepOf('b', 40_000)], 150_000)).toEqual({ a: 'p2', b: 'p1' });
  expect(routes([stepOf('a', 150_000, 0), stepOf('b', 40_000)], 190_000)).toEqual({ a: 'p1,p2', b: 'p1' });
  // too little for anything: the routes of the plan, and the budget says which call it cannot pay
  expect(routes([stepOf('a', 150_000, 10)], 9)).toEqual({ a: 'p1,p2' });
});

test('property: the first providers of all steps never cost more than a ceiling that suffices, and one that is enough for all changes nothing', () => {
  const price = fc.integer({ min: 0, max: 1_000 });
  const steps = fc.array(fc.array(price, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(steps, fc.integer({ min: 0, max: 6_000 }), (prices, ceiling) => {
      const shaped = prices.map((each, n) => stepOf(`s${n}`, ...each));
      const { least, routes: shared } = underCeiling(shaped, ceiling);
      expect(least).toBe(prices.reduce((sum, each) => sum + Math.min(...each), 0));
      const first = shaped.reduce((sum, { step }) => {
        const [leg] = shared.get(step) ?? [];
        return sum + Math.round((leg?.estimatedCostUsd ?? Number.NaN) * 1e6);
      }, 0);
      if (ceiling >= least) expect(first).toBeLessThanOrEqual(ceiling);
      const highestCosts = prices.reduce((sum, each) => sum + Math.max(...each), 0);
      if (ceiling < highestCosts && ceiling >= least) return;
      for (const { step, primary, backups } of shaped) expect(shared.get(step)).toEqual([primary, ...backups]);
    }),
  );
});

test('what is said of a ceiling before it is approved', () => {
  const plan = (budgetUsd: number | null, ...steps: readonly PlanStep[]) =>
    ({ budgetUsd, steps }) as unknown as PlanBody;
  expect(ceilingWarnings(plan(null, stepOf('a', 150_000, 0)), 200_000, 'maxCostUsd')).toEqual([]);
  expect(ceilingWarnings(plan(0, stepOf('a', 150_000, 0)), 0, 'budgetUsd')).toEqual([
    'Under a budgetUsd of $0 a is made by p2 ($0) instead of p1 ($0.15).',
  ]);
  expect(ceilingWarnings(plan(0.06, stepOf('a', 150_000)), 50_000, 'maxCostUsd')).toEqual([
    expect.stringMatching(/^A maxCostUsd of \$0\.05 cannot suffice: the cheapest .* cost \$0\.15 together/),
  ]);
  expect(ceilingWarnings(plan(0.06, stepOf('a', 150_000)), 1_000_000, 'maxCostUsd')).toEqual([
    'maxCostUsd ($1) is above the budgetUsd of the plan ($0.06): maxCostUsd counts.',
  ]);
});
