import { expect, test } from 'vitest';
import { surfaceAnswer } from '#src/analytics/domain/surface/surface-answer.ts';
import { expirySkew, fitSurface } from '#src/analytics/domain/surface/vol-surface.ts';
import { expiryOf, quotesOf, strikesFor } from '#test/analytics/smile-quotes.ts';

test('a surface without a lean of its own, or one that misses its quotes, says so, and no skew is made from it', () => {
  const one = fitSurface([
    expiryOf(
      0.1,
      quotesOf([0.01], () => 0.2),
    ),
  ]);
  expect(one).toMatchObject({ status: 'poor_fit', surface: { expiries: [{ status: 'thin' }] } });
  const apart = fitSurface([
    expiryOf(
      0.1,
      quotesOf([-0.01, 0, 0.01], (k) => (k === 0 ? 0.1 : 0.3), { half: 0.001 }),
    ),
  ]);
  expect(apart).toMatchObject({ status: 'poor_fit', surface: { expiries: [{ status: 'poor_fit' }] } });
  for (const { surface } of [one, apart]) {
    expect(expirySkew(surface!, surface!.expiries[0]!)).toBeNull();
    const [answer] = surfaceAnswer(surface!, { days: [30], k: [0] }).expiries;
    expect(answer).toMatchObject({ skew: null, atm_volatility: expect.any(Number) });
  }
  // a thin expiry among others stays thin, and those that are told stay
  const smile = (k: number) => 0.2 - 0.3 * k + k * k;
  const mixed = fitSurface([
    expiryOf(0.05, quotesOf([0.01], smile)),
    expiryOf(0.1, quotesOf(strikesFor(0.06), smile)),
    { label: 'none', years: 0.2, forward: 1000, quotes: quotesOf([], smile) },
  ]);
  expect(mixed.status).toBe('ok');
  const skews = mixed.surface!.expiries.map((expiry) => expirySkew(mixed.surface!, expiry));
  expect(skews).toEqual([null, expect.closeTo(-0.3, 1), expect.any(Number)]);
});
