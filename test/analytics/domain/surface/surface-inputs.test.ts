import { expect, test } from 'vitest';
import { priceBook } from '#src/analytics/domain/book/price-book.ts';
import { cleanChain } from '#src/analytics/domain/chain/clean-chain.ts';
import { readChain } from '#src/analytics/domain/chain/read-chain.ts';
import { impliedVolatility } from '#src/analytics/domain/pricing/implied-volatility.ts';
import { surfaceInputs } from '#src/analytics/domain/surface/surface-inputs.ts';
import { generateChainCsv } from '#test/analytics/generate-chain.ts';

const chain = cleanChain(
  readChain(generateChainCsv({ symbol: 'SPX', at: Date.parse('2026-11-19T18:30:00Z'), seed: 3 }), 'SPX'),
);
const priced = priceBook(chain);
const { strike, isCall, expiry, bid, ask } = chain.columns;

test('quotes are those of the out-of-the-money side, against the parity forward', () => {
  let compared = 0;
  for (const [e, { quotes, forward, years }] of surfaceInputs(chain, priced).entries()) {
    expect(forward).toBe(priced.forwards[e]!.forward);
    const growth = Math.exp(priced.forwards[e]!.rate * years);
    for (let i = 0; i < chain.contracts; i++) {
      const k = Math.log(strike[i]! / forward);
      const row = quotes.k.indexOf(k);
      if (expiry[i] !== e || row === -1 || (isCall[i] === 1) !== k >= 0) continue;
      const sigma = (price: number) =>
        impliedVolatility({ price: price * growth, forward, strike: strike[i]!, years, isCall: k >= 0 });
      expect([quotes.bid[row], quotes.ask[row]]).toEqual([sigma(bid[i]!), sigma(ask[i]!)]);
      compared++;
    }
  }
  expect(compared).toBeGreaterThan(150);
});

test('an expiry whose every quote is one-sided stays, without quotes', () => {
  const silent = shared(bid.map((price, i) => (expiry[i] === 1 ? 0 : price)));
  const inputs = surfaceInputs({ ...chain, columns: { ...chain.columns, bid: silent } }, priced);
  expect(inputs).toHaveLength(chain.expiries.length);
  expect(inputs[1]!.quotes.k).toHaveLength(0);
  expect(inputs[0]!.quotes.k.length).toBeGreaterThan(10);
});

function shared(values: Float64Array): Float64Array<SharedArrayBuffer> {
  const copy = new Float64Array(new SharedArrayBuffer(values.byteLength));
  copy.set(values);
  return copy;
}
