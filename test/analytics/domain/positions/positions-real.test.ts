import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { priceBook } from '#src/analytics/domain/book/price-book.ts';
import { cleanChain } from '#src/analytics/domain/chain/clean-chain.ts';
import { readChain } from '#src/analytics/domain/chain/read-chain.ts';
import { darkPool } from '#src/analytics/domain/darkpool/dark-pool.ts';
import { DARK_POOL } from '#src/analytics/domain/darkpool/dark-pool-schema.ts';
import { exposureEstimates } from '#src/analytics/domain/exposures/exposure-estimates.ts';
import { EXPOSURE_ESTIMATES } from '#src/analytics/domain/exposures/exposure-estimates-schema.ts';
import { exposureCoefficients } from '#src/analytics/domain/exposures/exposures.ts';
import { flipInterval } from '#src/analytics/domain/levels/flip-interval.ts';
import { gammaFlips } from '#src/analytics/domain/levels/gamma-flips.ts';
import { openFlow } from '#src/analytics/domain/positions/flow-days.ts';
import { positioning } from '#src/analytics/domain/positions/positioning.ts';
import { POSITIONING } from '#src/analytics/domain/positions/positioning-schema.ts';
import { ensemblePositions } from '#src/analytics/domain/positions/positions-ensemble.ts';
import { bookSymbols, flowFrame, flowPositions } from '#src/analytics/domain/positions/positions-flow.ts';
import { priorPositions } from '#src/analytics/domain/positions/positions-prior.ts';
import { staticPositions } from '#src/analytics/domain/positions/positions-static.ts';

const file = new URL('../../../../../shared/data/cboe/spx-2023-09-14.csv.gz', import.meta.url);
const absent = existsSync(file) ? undefined : 'skipped: the real chains are not in ../shared/data';

test('every generation of a real SPX chain fits its schemas, and none exceeds the open interest', ({ skip }) => {
  skip(absent !== undefined, absent);
  const chain = cleanChain(readChain(gunzipSync(readFileSync(file)).toString(), 'SPX'));
  const { book, coverage } = priceBook(chain);
  const coefficients = exposureCoefficients(book);
  const delta = coefficients.dex.map((value) => value / (book.multiplier * book.spot));
  const symbols = bookSymbols(book);
  expect(new Set(symbols).size).toBe(book.contracts);
  const openInterest = new Map(symbols.map((symbol, i) => [symbol!, book.openInterest[i]!]));
  const first = staticPositions(book);
  const second = priorPositions(book, { kind: 'index', delta });
  const state = openFlow({ date: '2023-09-14', at: Date.parse(chain.asOf), openInterest });
  const third = flowPositions(book, state, { symbols, bucket: second.bucket });
  const { ignorance } = flowFrame(book, state, symbols);
  const ensemble = ensemblePositions([first, second, third], { gammaPerContract: coefficients.gex, ignorance })!;
  expect(third).toMatchObject({ coverage: 0, censoredShare: 1 });
  for (const positions of [first, second, third, ensemble]) {
    expect(positions.mean.every((n, i) => Math.abs(n) <= book.openInterest[i]!)).toBe(true);
    const found = exposureEstimates(book, positions, coefficients);
    expect([...Value.Errors(EXPOSURE_ESTIMATES, found)]).toEqual([]);
    expect([...Value.Errors(POSITIONING, positioning(book, positions))]).toEqual([]);
    const { primary } = gammaFlips({ ...book, position: positions.mean }, coverage);
    const interval = flipInterval(book, positions, { primary, coverage });
    if (interval.low !== null) expect(interval.low).toBeLessThanOrEqual(primary!.level);
    if (interval.high !== null) expect(interval.high).toBeGreaterThanOrEqual(primary!.level);
  }
  // The tape saw nothing, so what is believed is the prior.
  const [prior, mixed] = [second, ensemble].map((p) => exposureEstimates(book, p, coefficients).gex);
  expect(mixed!.value / prior!.value).toBeCloseTo(1, 9);
  expect(mixed!.sd! / prior!.sd!).toBeCloseTo(1, 9);
  const overlay = darkPool({
    symbol: 'SPX',
    asOf: Date.parse(chain.asOf),
    book,
    gammaPerContract: coefficients.gex,
    levels: {},
    days: [],
    constituents: [],
    dixBefore: [],
    prints: [{ id: '1', time: 0, price: 450, size: 100 }],
    proxyPrice: 450,
    seed: '1',
  });
  expect([...Value.Errors(DARK_POOL, overlay)]).toEqual([]);
  expect(overlay.gci_status).toBe('ok');
});
