import { expect, test } from 'vitest';
import { priceBook } from '#src/analytics/domain/book/price-book.ts';
import { type MarketSymbol, marketSymbols, markets } from '#src/analytics/domain/chain/symbols.ts';
import { exposureCoefficients } from '#src/analytics/domain/exposures/exposures.ts';
import { volatilitySlopes } from '#src/analytics/domain/exposures/smile-dynamics.ts';
import { dealerPositions } from '#src/analytics/domain/figures/market-figures.ts';
import { bootstrapFlips, flipInterval } from '#src/analytics/domain/levels/flip-interval.ts';
import type { FlipInterval } from '#src/analytics/domain/levels/flip-interval-schema.ts';
import { gammaFlips, movingFlips } from '#src/analytics/domain/levels/gamma-flips.ts';
import { syntheticTape } from '#src/analytics/domain/synthetic/flow-tape.ts';
import { syntheticMarket } from '#test/analytics/synthetic.ts';

/** The closing hour of a day of expiries has many flips; on the others each generation has some. */
const instants = ['2025-11-20T17:00:00Z', '2025-12-19T20:45:00Z', '2026-03-04T20:45:00Z'].map((at) => Date.parse(at));

/** Asserts that an end lies beyond the flip or is not given, and that the status says which. */
function expectHonest({ status, low, high }: FlipInterval, flip: number | null): void {
  if (flip === null || status === 'no_sd') {
    expect([low, high]).toEqual([null, null]);
    expect(status).toMatch(/^no_(flip|sd)$/);
    return;
  }
  if (low !== null) expect(low).toBeLessThan(flip);
  if (high !== null) expect(high).toBeGreaterThan(flip);
  const open = { below: low === null, above: high === null };
  const expected = open.below ? (open.above ? 'open' : 'open_below') : open.above ? 'open_above' : 'ok';
  expect(status).toBe(expected);
}

/** The book of an instant under each generation of positions. */
function booksAt(symbol: MarketSymbol, market: ReturnType<typeof syntheticMarket>, at: number) {
  const { book, coverage } = priceBook(market.chainAt(at));
  const { dex, gex } = exposureCoefficients(book);
  const { first, second, third, mean } = dealerPositions(book, {
    kind: markets[symbol].kind,
    delta: dex.map((dollars) => dollars / (book.multiplier * book.spot)),
    gammaPerContract: gex,
    flow: syntheticTape(market)(at),
  });
  return [first, second, third, mean]
    .filter((positions) => positions !== null)
    .map((positions) => ({ positions, coverage, book: { ...book, position: positions.mean } }));
}

test.each(marketSymbols)(
  'the interval of a flip of %s has an end beyond the flip on each side, or says that the side is open, under every generation',
  (symbol) => {
    const market = syntheticMarket(symbol);
    let given = 0;
    for (const at of instants) {
      for (const { book, positions, coverage } of booksAt(symbol, market, at)) {
        const { primary } = gammaFlips(book, coverage);
        const interval = flipInterval(book, positions, { primary, coverage });
        expectHonest(interval, primary?.level ?? null);
        if (interval.low !== null || interval.high !== null) given++;
        const drawn = bootstrapFlips(book, positions, { primary, coverage, seed: symbol, draws: 16 });
        expectHonest(drawn, primary?.level ?? null);
        const slopes = volatilitySlopes(book, { regime: 'sticky_moneyness', ssr: 0, skewAt: () => -0.1 });
        const moving = movingFlips(book, slopes, coverage).primary;
        expectHonest(flipInterval(book, positions, { primary: moving, coverage, slopes }), moving?.level ?? null);
      }
    }
    expect(given).toBeGreaterThan(0);
  },
);
