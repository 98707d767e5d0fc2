import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Group, interleave, openShares } from '#src/jobs/feed/shares.ts';

const groups = fc
  .array(fc.record({ weight: fc.double({ min: 0.01, max: 100, noNaN: true }), most: fc.option(fc.nat(20)) }), {
    minLength: 1,
    maxLength: 30,
  })
  .map((all) =>
    all.map(({ weight, most }, index): Group => ({ name: `g${index}`, weight, ...(most !== null && { most }) })),
  );

const sum = (shares: ReadonlyMap<string, number>) => [...shares.values()].reduce((total, share) => total + share, 0);

test('shares never exceed the places, nor a bound; and none is left over that a group could have', () => {
  fc.assert(
    fc.property(groups, fc.array(fc.nat(100), { minLength: 1, maxLength: 5 }), (all, passes) => {
      const share = openShares();
      for (const places of passes) {
        const shares = share(all, places);
        const boundOf = (name: string) => all.find((group) => group.name === name)?.most ?? Infinity;
        for (const [name, count] of shares) {
          expect(count).toBeGreaterThan(0);
          expect(count).toBeLessThanOrEqual(boundOf(name));
        }
        const possible = all.reduce((total, { most = Infinity }) => total + most, 0);
        expect(sum(shares)).toBe(Math.min(places, possible));
      }
    }),
  );
});

test('over many passes groups without bounds get places by their weights, however few each pass has', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 2, maxLength: 8 }),
      fc.integer({ min: 1, max: 9 }),
      (weights, places) => {
        const share = openShares();
        const all = weights.map((weight, index) => ({ name: `g${index}`, weight }));
        const got = new Map<string, number>();
        const passes = 2_000;
        for (let pass = 0; pass < passes; pass++)
          for (const [name, count] of share(all, places)) got.set(name, (got.get(name) ?? 0) + count);
        const whole = weights.reduce((total, weight) => total + weight, 0);
        for (const { name, weight } of all)
          expect((got.get(name) ?? 0) / (passes * places)).toBeCloseTo(weight / whole, 2);
      },
    ),
    { numRuns: 30 },
  );
});

test('what is merged keeps the order of each group, and every stretch has them by their weights', () => {
  const jobs = ['a', 'b'].flatMap((group) => Array.from({ length: 30 }, (_, n) => ({ group, n })));
  const merged = interleave(jobs, (group) => (group === 'a' ? 3 : 1));
  const first = merged.slice(0, 40);
  expect(first.filter(({ group }) => group === 'a')).toHaveLength(30);
  for (const group of ['a', 'b'])
    expect(merged.filter((job) => job.group === group).map(({ n }) => n)).toEqual(
      Array.from({ length: 30 }, (_, n) => n),
    );
  expect(merged.slice(0, 8).filter(({ group }) => group === 'b')).toHaveLength(2);
});
