import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { generationScores } from '#src/analytics/domain/benchmark/generation-scores.ts';
import { GENERATION_SCORES } from '#src/analytics/domain/benchmark/generation-scores-schema.ts';

test('generations are scored against the truth of a generated market, the same for the same seed', {
  timeout: 120_000,
}, () => {
  const day = ['2026-11-19'];
  const [one, again, other] = [
    generationScores('IWM', 3, day),
    generationScores('IWM', 3, day),
    generationScores('IWM', 4, day),
  ];
  expect([...Value.Errors(GENERATION_SCORES, one)]).toEqual([]);
  expect(again).toEqual(one);
  expect(other.generations).not.toEqual(one.generations);
  expect(one.generations.map(({ generation }) => generation)).toEqual([1, 2, 3, 'ensemble']);
  const [first, second] = one.generations;
  // a convention states no band; a day is one case
  expect(first!.gex).toMatchObject({ sign: { trials: 1 }, band_coverage: { trials: 0, rate: null } });
  expect(second!.vex.band_coverage.trials).toBe(1);
  expect(second!.contracts.sign_accuracy!).toBeGreaterThan(0.5);
});
