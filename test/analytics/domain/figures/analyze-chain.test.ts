import { Value } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { impliedForwards } from '#src/analytics/domain/book/forwards.ts';
import { priceBook } from '#src/analytics/domain/book/price-book.ts';
import { cleanChain } from '#src/analytics/domain/chain/clean-chain.ts';
import { readCboeJson } from '#src/analytics/domain/chain/read-cboe-json.ts';
import { readChain } from '#src/analytics/domain/chain/read-chain.ts';
import { marketSymbols, markets } from '#src/analytics/domain/chain/symbols.ts';
import { CHAIN_ANALYTICS } from '#src/analytics/domain/figures/analytics-schema.ts';
import { analyzeChain } from '#src/analytics/domain/figures/analyze-chain.ts';
import { csv, noon, quotesDocument } from '#test/analytics/chain-text.ts';
import { generateChainCsv } from '#test/analytics/generate-chain.ts';

const analyze = (text: string, symbol: (typeof marketSymbols)[number]) =>
  analyzeChain(cleanChain(readChain(text, symbol)), { advUsd: markets[symbol].advUsd });

describe.each(marketSymbols)('the generated chain of %s', (symbol) => {
  const text = generateChainCsv({ symbol, at: noon });

  test('says that it is synthetic, is the same each time, and differs by seed and by day', () => {
    expect(text.startsWith(`${symbol} synthetic,`)).toBe(true);
    expect(generateChainCsv({ symbol, at: noon })).toBe(text);
    expect(generateChainCsv({ symbol, at: noon, seed: 2 })).not.toBe(text);
    expect(generateChainCsv({ symbol, at: noon + 86_400_000 * 3 })).not.toBe(text);
  });

  test('is used whole, and its analytics fit the schema in finite numbers', () => {
    const answer = analyze(text, symbol);
    expect([...Value.Errors(CHAIN_ANALYTICS, answer)]).toEqual([]);
    expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
    expect(answer.quality.dropped).toEqual({});
    expect(answer.expiries).toHaveLength(8);
    expect(answer.exercise).toBe(markets[symbol].kind === 'index' ? 'european' : 'de_americanised');
    expect(Math.abs(answer.exposures.net_gex)).toBeLessThanOrEqual(answer.exposures.gex_abs);
  });

  test('gives back the volatilities it was made with, and the forward within its error', () => {
    const chain = cleanChain(readChain(text, symbol));
    const { book, sources } = priceBook(chain);
    for (let i = 0; i < book.contracts; i++) {
      if (Math.abs(book.strike[i]! / book.spot - 1) > 0.01) continue;
      expect(Math.abs(book.volatility[i]! - chain.columns.quotedIv[i]!)).toBeLessThan(0.02);
    }
    expect(sources.out_of_the_money_mid).toBeGreaterThan(0.6 * book.contracts);
    for (const [e, { forward }] of impliedForwards(chain).entries()) {
      const growth = Math.exp((0.04 - markets[symbol].dividendYield) * chain.expiries[e]!.years);
      expect(Math.abs(forward / (chain.spot * growth) - 1)).toBeLessThan(5e-4);
    }
  });

  test('holds no butterfly arbitrage: call mids are convex in strike within the tick', () => {
    const { columns, contracts } = cleanChain(readChain(text, symbol));
    const calls = Array.from(columns.isCall.keys()).filter((i) => columns.isCall[i] === 1 && i < contracts);
    for (let c = 1; c + 1 < calls.length; c++) {
      const [a, b, d] = [calls[c - 1]!, calls[c]!, calls[c + 1]!];
      if (columns.expiry[a] !== columns.expiry[d]) continue;
      expect(columns.bid[b]!).toBeLessThanOrEqual(0.5 * (columns.ask[a]! + columns.ask[d]!) + 1e-9);
    }
  });
});

test('the exposures are the sums of the strikes, and of the expiries', () => {
  const { exposures, profile_by_strike, expiries } = analyze(csv, 'SPX');
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const room = 1e-9 * exposures.gex_abs;
  expect(Math.abs(sum(profile_by_strike.map(({ gex }) => gex)) - exposures.net_gex)).toBeLessThan(room);
  expect(Math.abs(sum(profile_by_strike.map(({ gex_abs }) => gex_abs)) - exposures.gex_abs)).toBeLessThan(room);
  expect(Math.abs(sum(expiries.map(({ gex }) => gex)) - exposures.net_gex)).toBeLessThan(room);
});

test('under five strikes the forward is the spot at zero rates, and the answer says so', () => {
  const chain = cleanChain(readCboeJson(quotesDocument(), 'SPX'));
  const [expiry] = analyzeChain(chain, { advUsd: 1e9 }).expiries;
  expect(expiry).toMatchObject({
    forward: 6000,
    rate: 0,
    dividend: 0,
    forward_method: 'spot',
    forward_standard_error: null,
  });
});

test('a side without quotes takes the volatility of the other side of its strike', () => {
  const document = quotesDocument();
  document.data.options[1]!.bid = 0;
  document.data.options[1]!.ask = 0;
  document.data.options[1]!.iv = 0;
  const { sources, book } = priceBook(cleanChain(readCboeJson(document, 'SPX')));
  expect(sources.in_the_money_mid).toBe(2);
  expect(book.volatility[0]).toBe(book.volatility[1]);
});

test('a strike without any quote takes the quoted volatility, and is dropped where that is none', () => {
  const document = quotesDocument();
  for (const i of [0, 1]) Object.assign(document.data.options[i]!, { bid: 0, ask: 0 });
  expect(priceBook(cleanChain(readCboeJson(document, 'SPX'))).sources.quoted).toBe(2);
  for (const i of [0, 1]) document.data.options[i]!.iv = 0;
  expect(priceBook(cleanChain(readCboeJson(document, 'SPX'))).dropped).toEqual({
    below_intrinsic: 0,
    no_volatility: 2,
  });
});

test('a chain whose contracts all lack a volatility is refused', () => {
  const document = quotesDocument();
  for (const option of document.data.options) Object.assign(option, { bid: 0.01, ask: 11_990, iv: 0 });
  const refused = expect.objectContaining({
    code: 'invalid_chain',
    details: expect.objectContaining({ field: 'volatility' }),
  });
  expect(() => analyzeChain(cleanChain(readCboeJson(document, 'SPX')), { advUsd: 1e9 })).toThrow(refused);
});
