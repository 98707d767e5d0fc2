import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deAmericanise } from '#src/analytics/domain/book/de-americanise.ts';
import { impliedForwards } from '#src/analytics/domain/book/forwards.ts';
import { priceBook } from '#src/analytics/domain/book/price-book.ts';
import { settlementInstant, yearsBetween } from '#src/analytics/domain/calendar/time.ts';
import type { Chain } from '#src/analytics/domain/chain/chain.ts';
import { cleanChain } from '#src/analytics/domain/chain/clean-chain.ts';
import { formatOsiSymbol } from '#src/analytics/domain/chain/osi-symbol.ts';
import { markets } from '#src/analytics/domain/chain/symbols.ts';
import { americanVolatility } from '#src/analytics/domain/pricing/american-volatility.ts';
import { bsmGreeks, bsmPrice } from '#src/analytics/domain/pricing/black-scholes.ts';
import { exerciseTable } from '#src/analytics/domain/pricing/exercise-table.ts';
import { AppError } from '#src/lib/errors.ts';
import { americanPrice } from '#test/analytics/american.ts';

const market = fc.record({
  isCall: fc.boolean(),
  spot: fc.constant(450),
  years: fc.double({ min: 0.01, max: 2.5, noNaN: true }),
  rate: fc.double({ min: 0.001, max: 0.08, noNaN: true }),
  dividend: fc.double({ min: 0.001, max: 0.04, noNaN: true }),
});
const volatility = fc.double({ min: 0.06, max: 0.8, noNaN: true });

test('the volatility that made an American price comes back to 1e-6, or to what 8e-7 of the strike tells', () => {
  let compared = 0;
  fc.assert(
    fc.property(market, volatility, fc.double({ min: 0, max: 2, noNaN: true }), (one, sigma, distance) => {
      const out = Math.exp((one.isCall ? 1 : -1) * distance * sigma * Math.sqrt(one.years));
      const option = {
        ...one,
        strike: one.spot * Math.exp((one.rate - one.dividend) * one.years) * out,
        volatility: sigma,
      };
      const price = Number(americanPrice(option, 'accurate'));
      const table = exerciseTable(one);
      // Next to the boundary, in the money by spot, a price says nothing of the volatility.
      const vega = (table.american(option.strike, sigma + 1e-3) - table.american(option.strike, sigma - 1e-3)) / 2e-3;
      if (vega < 20) return;
      const found = americanVolatility(table, option.strike, price);
      expect(Math.abs(Number(found) - sigma)).toBeLessThan(Math.max(1e-6, (8e-7 * option.strike) / vega));
      compared++;
    }),
    { numRuns: 300 },
  );
  expect(compared).toBeGreaterThan(100);
});

test('the prices of a table are those of the direct method to 1e-6 of the strike', () => {
  fc.assert(
    fc.property(market, volatility, fc.double({ min: -0.4, max: 0.4, noNaN: true }), (one, sigma, moneyness) => {
      const strike = one.spot * Math.exp(moneyness);
      const direct = Number(americanPrice({ ...one, strike, volatility: sigma }));
      expect(Math.abs(exerciseTable(one).american(strike, sigma) - direct)).toBeLessThan(1e-6 * strike);
    }),
    { numRuns: 200 },
  );
});

test('error: a price to exercise at, one over the bound and one that is no number have a reason, not a number', () => {
  const table = exerciseTable({ isCall: false, spot: 100, years: 0.5, rate: 0.05, dividend: 0.01 });
  expect(americanVolatility(table, 110, 10)).toBe('at_or_below_intrinsic');
  expect(americanVolatility(table, 110, 110)).toBe('at_or_above_bound');
  expect(americanVolatility(table, 110, Number.NaN)).toBe('not_finite');
  expect(americanVolatility(table, 110, 10.5)).toBeGreaterThan(0);
  // Above what a European put can cost, and yet a fair American price.
  expect(americanVolatility(table, 110, 109)).toBeGreaterThan(1);
});

test('where exercise has two boundaries or none, prices are European', () => {
  const base = { isCall: false, spot: 100, years: 0.5 };
  for (const carry of [
    { rate: -0.01, dividend: -0.03 },
    { rate: 0, dividend: 0.02 },
  ]) {
    const table = exerciseTable({ ...base, ...carry });
    expect(table.american(105, 0.2)).toBeCloseTo(bsmPrice({ ...base, ...carry, strike: 105, volatility: 0.2 }), 12);
  }
});

const asOf = Date.parse('2026-11-20T15:00:00Z');
const dates = ['2026-12-18', '2027-01-15', '2027-03-19', '2027-06-18', '2027-11-19'];
const RATE = 0.05;
const SPOT = 680;

const smile = (strike: number): number => 0.17 - 0.25 * Math.log(strike / SPOT) + 0.3 * Math.log(strike / SPOT) ** 2;

/** American quotes of a fund, a cent wide, from a known smile, rate and the fund's own yield. */
function americanChain(): Chain {
  const contracts = dates.flatMap((date) =>
    [true, false].flatMap((isCall) =>
      Array.from({ length: 41 }, (_, i) => {
        const strike = SPOT - 200 + 10 * i;
        const years = yearsBetween(asOf, settlementInstant(date, 'pm'));
        const option = { isCall, spot: SPOT, strike, years, volatility: smile(strike) };
        const price = Number(americanPrice({ ...option, rate: RATE, dividend: markets.SPY.dividendYield }, 'accurate'));
        return {
          symbol: formatOsiSymbol({ root: 'SPY', date, isCall, strike }),
          stated: { strike: null, date: null },
          bid: price - 0.005,
          ask: price + 0.005,
          openInterest: 100,
          volume: 1,
          iv: 0,
        };
      }),
    ),
  );
  return cleanChain({ symbol: 'SPY', name: 'SPY', source: 'cboe_json', asOf, spot: SPOT, contracts });
}

const fund = americanChain();

test('a fund’s book has the volatilities, forwards and rate that its American prices were made from', () => {
  const { forwards, premiums } = deAmericanise(fund);
  const naive = impliedForwards(fund);
  for (const [e, { years }] of fund.expiries.entries()) {
    const truth = SPOT * Math.exp((RATE - markets.SPY.dividendYield) * years);
    expect(Math.abs(forwards[e]!.rate - RATE)).toBeLessThan(6e-4);
    expect(Math.abs(forwards[e]!.forward / truth - 1)).toBeLessThan(6e-4 * years);
    expect(Math.abs(forwards[e]!.forward - truth)).toBeLessThan(0.1 * Math.abs(naive[e]!.forward - truth));
  }
  expect(premiums.every((premium) => premium > -1e-9)).toBe(true);
  // Left out: options to be exercised now, whose other side is worth less than half a cent.
  const { book } = priceBook(fund);
  expect(book.contracts).toBeGreaterThan(0.98 * fund.contracts);
  for (let i = 0; i < book.contracts; i++) {
    const strike = book.strike[i]!;
    const { years, rate, dividend } = book.expiries[book.expiry[i]!]!;
    const { vega } = bsmGreeks({ isCall: true, spot: SPOT, strike, years, volatility: smile(strike), rate, dividend });
    // Where the other side is worth less than half a cent, a cent of the forward is points of volatility.
    if (vega > 1) expect(Math.abs(book.volatility[i]! - smile(strike))).toBeLessThan(5e-4);
  }
});

test('an index is European: its prices are left as they are', () => {
  const chain = { ...fund, symbol: 'SPX' };
  expect(priceBook(chain).forwards).toEqual(impliedForwards(chain));
});

test('fuzz: a fund’s chain of any quotes is priced in finite numbers or refused with invalid_chain', () => {
  const quote = fc.record({
    date: fc.constantFrom('2026-11-20', '2026-11-23', '2027-01-15', '2031-12-19'),
    isCall: fc.boolean(),
    strike: fc.oneof(fc.integer({ min: 600, max: 760 }), fc.integer({ min: 1, max: 90_000 })),
    bid: fc.oneof(fc.double({ min: 0, max: 200, noNaN: true }), fc.double({ min: 0, max: 1e7, noNaN: true })),
    width: fc.double({ min: 0, max: 5, noNaN: true }),
  });
  fc.assert(
    fc.property(
      fc.array(quote, { minLength: 4, maxLength: 80 }),
      fc.double({ min: 0.01, max: 1e5 }),
      (quotes, other) => {
        for (const spot of [SPOT, other]) {
          const contracts = quotes.map(({ date, isCall, strike, bid, width }) => ({
            symbol: formatOsiSymbol({ root: 'SPY', date, isCall, strike }),
            stated: { strike: null, date: null },
            bid,
            ask: bid + width,
            openInterest: 10,
            volume: 1,
            iv: 0.2,
          }));
          try {
            const chain = cleanChain({ symbol: 'SPY', name: 'SPY', source: 'cboe_json', asOf, spot, contracts });
            const { book } = priceBook(chain);
            expect(book.volatility.every((sigma) => sigma > 0 && sigma <= 5)).toBe(true);
            expect(book.expiries.every(({ rate, dividend }) => Number.isFinite(rate + dividend))).toBe(true);
          } catch (error) {
            if (!(error instanceof AppError && error.code === 'invalid_chain')) throw error;
          }
        }
      },
    ),
    { numRuns: 60 },
  );
});
