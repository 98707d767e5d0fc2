import fc from 'fast-check';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { gatherNodes, priceNodes } from '#src/analytics/domain/book/price-nodes.ts';
import { confirmLevels } from '#src/analytics/domain/darkpool/confirm-levels.ts';
import { type DarkDay, type DarkPoolInput, darkPool } from '#src/analytics/domain/darkpool/dark-pool.ts';
import { DARK_POOL } from '#src/analytics/domain/darkpool/dark-pool-schema.ts';
import { gammaConfirmation, shiftedCosine } from '#src/analytics/domain/darkpool/gamma-confirmation.ts';
import { darkIndex, darkShare, zScore } from '#src/analytics/domain/darkpool/short-volume-share.ts';
import { exposureCoefficients } from '#src/analytics/domain/exposures/exposures.ts';
import type { OffExchangePrint } from '#src/analytics/domain/tapes/read-offexchange-tape.ts';
import { fixtureBook } from '#test/analytics/oracle.ts';
import { books } from '#test/analytics/random-book.ts';

const book = fixtureBook();
const asOf = Date.parse('2026-11-20T20:00:00Z');
const day = 86_400_000;

/** Eighty days whose share swings around 0.45; the file of the last is not posted yet. */
const days: DarkDay[] = Array.from({ length: 80 }, (_, i) => {
  const at = asOf - (79 - i) * day;
  const shortVolume = 45 + (i % 2 === 0 ? 2 : -2);
  return {
    date: new Date(at).toISOString().slice(0, 10),
    knowledgeTime: at + 3 * 3_600_000,
    shortVolume,
    totalVolume: 100,
  };
});

const print = (price: number, size: number, i = 0): OffExchangePrint => ({ id: `p${i}`, time: asOf - 1, price, size });

/** Strikes ten points apart, so that there are nodes enough; open interest heaped at 6000. */
function denseBook() {
  const strikes = Array.from({ length: 61 }, (_, i) => 5700 + 10 * i);
  const dense = fixtureBook({
    spot: 6000,
    r: 0,
    q: 0,
    multiplier: 100,
    contracts: strikes.map((strike) => {
      return { type: 'call', strike, T: 0.02, iv: 0.15, oi: 10 + 1000 * Math.exp(-(((strike - 6000) / 40) ** 2)) };
    }),
  });
  return dense;
}

const input = (more: Partial<DarkPoolInput> = {}): DarkPoolInput => {
  const of = more.book ?? denseBook();
  return {
    symbol: 'SPX',
    asOf,
    book: of,
    gammaPerContract: exposureCoefficients(of).gex,
    levels: { call_wall: 6000, put_wall: 5800, flip: null },
    days,
    constituents: [],
    dixBefore: [],
    prints: [print(600, 900, 1), print(601, 300, 2), print(590, 50, 3), print(575, 20, 4)],
    proxyPrice: 600,
    seed: 'SPX 2026-11-20',
    ...more,
  };
};

test('DPI is short over total, DIX the same weighted by dollars', () => {
  expect(darkShare({ shortVolume: 6373542.318262, totalVolume: 12170952.290403 })).toBeCloseTo(0.523668, 6);
  expect(darkShare({ shortVolume: 0, totalVolume: 0 })).toBeNull();
  const constituents = [
    { price: 100, shortVolume: 45, totalVolume: 100 },
    { price: 200, shortVolume: 50, totalVolume: 100 },
    { price: 50, shortVolume: 48, totalVolume: 100 },
  ];
  expect(darkIndex(constituents)).toBeCloseTo(16900 / 35000, 12);
  expect(darkIndex([])).toBeNull();
});

test('z is against the sixty days before, and null with its reason where there are too few or none differ', () => {
  const before = Array.from({ length: 100 }, (_, i) => (i < 40 ? 99 : i % 2));
  const { z, status } = zScore(2, before);
  expect(status).toBe('ok');
  expect(z).toBeCloseTo(1.5 / Math.sqrt((60 * 0.25) / 59), 12);
  expect(zScore(1, before.slice(0, 19))).toEqual({ z: null, status: 'short_history' });
  expect(
    zScore(
      1,
      Array.from({ length: 60 }, () => 0.1),
    ),
  ).toEqual({ z: null, status: 'no_variation' });
  expect(zScore(null, before)).toEqual({ z: null, status: 'no_data' });
});

test('an index is overlaid by its fund, on its own scale, by what was known at the instant', () => {
  const found = darkPool(input());
  expect([...Value.Errors(DARK_POOL, found)]).toEqual([]);
  expect(found).toMatchObject({
    proxy: 'SPY',
    is_proxy: true,
    points_per_dollar: 10,
    dpi: 0.47,
    dpi_date: '2026-11-19',
    dpi_z_status: 'ok',
    dix: null,
    dix_status: 'no_constituents',
    dix_z_status: 'no_data',
    prints: 4,
    node_share: 1,
    gci_status: 'ok',
  });
  expect(found.tilt).toBeCloseTo(1, 1);
  expect(found.nodes.map(({ price, shares }) => [price, shares])).toEqual([
    [5750, 20],
    [5900, 50],
    [6000, 900],
    [6010, 300],
  ]);
  const late = darkPool(input({ prints: [...input().prints, { ...print(600, 1e6, 9), time: asOf + 1 }] }));
  expect(late).toEqual(found);
  const evening = darkPool(input({ asOf: asOf + 3 * 3_600_000 }));
  expect(evening).toMatchObject({ dpi: 0.43, dpi_date: '2026-11-20' });
});

test('a fund is its own, and an index whose fund has no price keeps what needs none', () => {
  expect(darkPool(input({ symbol: 'SPY', proxyPrice: null }))).toMatchObject({
    proxy: 'SPY',
    is_proxy: false,
    points_per_dollar: 1,
  });
  const without = darkPool(input({ proxyPrice: null }));
  expect([...Value.Errors(DARK_POOL, without)]).toEqual([]);
  expect(without).toMatchObject({ dpi: 0.47, gci: null, gci_status: 'no_proxy_price', nodes: [], levels: [] });
});

test('without files, prints, gamma or strikes each figure is null with its reason', () => {
  const empty = darkPool(input({ days: [], prints: [] }));
  expect([...Value.Errors(DARK_POOL, empty)]).toEqual([]);
  expect(empty).toMatchObject({
    dpi: null,
    dpi_status: 'no_data',
    dpi_z_status: 'no_data',
    gci: null,
    gci_status: 'no_prints',
    node_share: null,
    levels_status: 'no_range',
  });
  expect(darkPool(input({ days: days.slice(0, 10) }))).toMatchObject({ dpi_z: null, dpi_z_status: 'short_history' });
  const bare = denseBook();
  expect(darkPool(input({ book: { ...bare, openInterest: new Float64Array(61) } })).gci_status).toBe('no_gamma');
  expect(darkPool(input({ book })).gci_status).toBe('too_few_strikes');
});

test('volume where gamma sits is confirmed against the shifts, volume elsewhere is not', () => {
  const near = darkPool(input());
  expect(near.gci!).toBeGreaterThan(0.8);
  expect(near.gci_p_value!).toBeLessThan(0.1);
  expect(near.gci_excess).toBeCloseTo(near.gci! - near.gci_null_mean!, 12);
  const far = darkPool(input({ prints: [print(575, 900, 1), print(574, 300, 2)] }));
  expect(far.gci!).toBeLessThan(0.1);
  expect(far.gci_p_value!).toBeGreaterThan(0.3);
  expect(darkPool(input())).toEqual(near);
});

test('the index is between 0 and 1, the same at any scale, and 1 of a profile with itself', () => {
  const profile = fc.array(fc.double({ min: 0, max: 1e9, noNaN: true }), { minLength: 10, maxLength: 40 });
  fc.assert(
    fc.property(profile, fc.double({ min: 1e-3, max: 1e6, noNaN: true }), (values, scale) => {
      const gamma = Float64Array.from(values, (value, i) => value + i);
      const volume = Float64Array.from(values.toReversed(), (value) => value + 1);
      const found = gammaConfirmation(volume, gamma, 'seed');
      if (typeof found === 'string') throw new Error(found);
      const { gci, pValue } = found;
      expect(gci).toBeGreaterThanOrEqual(0);
      expect(gci).toBeLessThanOrEqual(1);
      expect(pValue).toBeGreaterThanOrEqual(1 / 201);
      expect(pValue).toBeLessThanOrEqual(1);
      const larger = gammaConfirmation(
        volume.map((value) => value * scale),
        gamma,
        'seed',
      );
      expect((larger as typeof found).gci).toBeCloseTo(gci, 9);
      expect(shiftedCosine(volume, volume, 0)).toBeCloseTo(1, 12);
    }),
    { numRuns: 50 },
  );
});

test('a flat profile agrees with every shift of itself, which is no evidence', () => {
  const flat = new Float64Array(20).fill(3);
  const found = gammaConfirmation(flat, flat, 'seed') as { gci: number; pValue: number };
  expect(found.gci).toBeCloseTo(1, 12);
  expect(found.pValue).toBe(1);
});

test('each print goes to the nearest node, and those beyond the ends to none', () => {
  const nodes = priceNodes(denseBook())!;
  expect(nodes).toEqual({ low: 5700, step: 10, count: 61 });
  const amounts = gatherNodes(nodes, [
    [5694, 1],
    [5696, 2],
    [6004, 4],
    [6304, 8],
    [6306, 16],
  ]);
  expect([amounts[0], amounts[30], amounts[60]]).toEqual([2, 4, 8]);
  expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(14);
  expect(priceNodes({ strike: Float64Array.of(100), spot: 100 })).toBeNull();
  expect(priceNodes({ strike: Float64Array.of(50, 60), spot: 100 })).toBeNull();
});

test('a level is confirmed by one and a half times what evenly spread volume would put there', () => {
  const price = Float64Array.from({ length: 101 }, (_, i) => 950 + i);
  const even = new Float64Array(101).fill(1);
  const heaped = even.map((size, i) => (i === 50 ? 20 : size));
  const at = (shares: Float64Array) => confirmLevels({ wall: 1000, none: null, far: 2000 }, { price, shares })!;
  expect(at(even).map(({ name, confirmed }) => [name, confirmed])).toEqual([
    ['wall', false],
    ['far', false],
  ]);
  const [few] = at(even.map((size, i) => (i === 50 ? 2 : size)));
  expect(few).toMatchObject({ dark_share: 6 / 102, uniform_share: 5 / 100, confirmed: false });
  const [wall] = at(heaped);
  expect(wall).toMatchObject({ dark_share: 24 / 120, uniform_share: 5 / 100, confirmed: true });
  expect(confirmLevels({ wall: 1000 }, { price: Float64Array.of(5, 5), shares: Float64Array.of(1, 1) })).toBeNull();
  expect(confirmLevels({ wall: 1000 }, { price: new Float64Array(0), shares: new Float64Array(0) })).toBeNull();
});

test('whatever book and prints, the answer fits the schema and shares are shares', () => {
  const random = fc.array(
    fc.tuple(fc.double({ min: 0.01, max: 3000, noNaN: true }), fc.double({ min: 0.1, max: 1e9 })),
    {
      maxLength: 30,
    },
  );
  fc.assert(
    fc.property(books, random, (of, list) => {
      const prints = list.filter(([, size]) => size > 0).map(([price, size], i) => print(price, size, i));
      const found = darkPool(input({ book: of, symbol: 'SPY', prints, levels: { wall: 1000 } }));
      expect([...Value.Errors(DARK_POOL, found)]).toEqual([]);
      for (const value of [found.gci, found.node_share, ...found.nodes.map(({ share }) => share)]) {
        if (value !== null) expect(value >= 0 && value <= 1 + 1e-12).toBe(true);
      }
    }),
    { numRuns: 60 },
  );
});
