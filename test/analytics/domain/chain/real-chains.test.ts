import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { priceBook } from '#src/analytics/domain/book/price-book.ts';
import type { Chain } from '#src/analytics/domain/chain/chain.ts';
import { cleanChain } from '#src/analytics/domain/chain/clean-chain.ts';
import { readChain } from '#src/analytics/domain/chain/read-chain.ts';
import { markets } from '#src/analytics/domain/chain/symbols.ts';
import { CHAIN_ANALYTICS } from '#src/analytics/domain/figures/analytics-schema.ts';
import { analyzeChain } from '#src/analytics/domain/figures/analyze-chain.ts';

const folder = new URL('../../../../../shared/data/cboe/', import.meta.url);
const absent = existsSync(folder) ? undefined : 'skipped: the real chains are not in ../shared/data';

function chainOf(symbol: 'SPX' | 'SPY'): Chain {
  const file = new URL(`${symbol.toLowerCase()}-2023-09-14.csv.gz`, folder);
  return cleanChain(readChain(gunzipSync(readFileSync(file)).toString(), symbol));
}

test.for(['SPX', 'SPY'] as const)(
  '%s of 2023-09-14 is read, used almost whole and fits the schema',
  (symbol, { skip }) => {
    skip(absent !== undefined, absent);
    const chain = chainOf(symbol);
    expect(chain.asOf).toBe('2023-09-14T20:31:00.000Z');
    expect(chain.dropped['expired']).toBeGreaterThan(200);
    const answer = analyzeChain(chain, { advUsd: markets[symbol].advUsd });
    expect([...Value.Errors(CHAIN_ANALYTICS, answer)]).toEqual([]);
    expect(answer.quality.contracts_used).toBeGreaterThan(0.98 * chain.contracts);
    expect(answer.quality.coverage).toBeGreaterThan(0.98);
    expect(answer.flips.status).toBe('ok');
  },
);

test('SPX implies the money-market rate of its day, and a dividend yield near its own', ({ skip }) => {
  skip(absent !== undefined, absent);
  const rows = analyzeChain(chainOf('SPX'), { advUsd: 400e9 }).expiries.filter(
    ({ years }) => years > 0.02 && years < 1.3,
  );
  for (const { rate, dividend, years } of rows) {
    expect(rate).toBeGreaterThan(0.05);
    expect(rate).toBeLessThan(0.062);
    // In shorter expiries the minutes between the spot and the quotes weigh more than any dividend.
    if (years < 0.15) continue;
    expect(dividend).toBeGreaterThan(0.004);
    expect(dividend).toBeLessThan(0.02);
  }
});

test('our volatility of out-of-the-money SPX contracts is that of Cboe within half a point at the median', ({
  skip,
}) => {
  skip(absent !== undefined, absent);
  const chain = chainOf('SPX');
  const { book } = priceBook(chain);
  const quoted = new Map(
    Array.from(chain.columns.strike, (strike, i) => [
      `${chain.columns.expiry[i]}/${strike}/${chain.columns.isCall[i]}`,
      chain.columns.quotedIv[i]!,
    ]),
  );
  const gaps: number[] = [];
  for (let i = 0; i < book.contracts; i++) {
    const { years } = book.expiries[book.expiry[i]!]!;
    const theirs = quoted.get(`${book.expiry[i]}/${book.strike[i]}/${book.isCall[i]}`) ?? Number.NaN;
    const out = (book.isCall[i] === 1) === book.strike[i]! > book.spot;
    if (out && years > 0.05 && theirs > 0 && Math.abs(book.strike[i]! / book.spot - 1) < 0.15) {
      gaps.push(Math.abs(book.volatility[i]! - theirs));
    }
  }
  expect(gaps.length).toBeGreaterThan(2000);
  expect(gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)]).toBeLessThan(0.005);
});

test('the volatility of SPY at the money is that of SPX of the same day within one point', ({ skip }) => {
  skip(absent !== undefined, absent);
  const spx = analyzeChain(chainOf('SPX'), { advUsd: 1e9 }).expiries;
  const spy = analyzeChain(chainOf('SPY'), { advUsd: 1e9 }).expiries;
  let compared = 0;
  for (const { date, atm_volatility } of spy) {
    const same = spx.find((expiry) => expiry.date === date && expiry.settlement === 'pm');
    if (!same || same.years < 0.01) continue;
    expect(Math.abs((atm_volatility ?? 0) - (same.atm_volatility ?? 1))).toBeLessThan(0.01);
    compared++;
  }
  expect(compared).toBeGreaterThan(10);
});
