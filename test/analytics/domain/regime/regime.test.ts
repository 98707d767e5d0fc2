import { expect, test } from 'vitest';
import { type RegimeInput, regime } from '#src/analytics/domain/regime/regime.ts';

const base: RegimeInput = { spot: 6000, gex: 0, gexAbs: 1e9, flip: null, atmVolatility: 0.15, advUsd: 400e9 };
const state = (ngr: number, more: Partial<RegimeInput> = {}) => regime({ ...base, gex: ngr * 1e9, ...more }).state;

test('the ratio of net to gross gamma decides among five states at 0.10 and 0.35', () => {
  const ratios = [0.36, 0.34, 0.11, 0.1, 0, -0.1, -0.11, -0.34, -0.36];
  expect(ratios.map((ngr) => state(ngr))).toEqual([
    'strong_positive',
    'positive',
    'positive',
    'transition',
    'transition',
    'transition',
    'negative',
    'negative',
    'strong_negative',
  ]);
});

test('a flip within half a day of one sigma forces transition, one further off does not', () => {
  const halfDay = 0.5 * (0.15 / Math.sqrt(252)) * 6000;
  expect(state(0.5, { flip: 6000 + 0.99 * halfDay })).toBe('transition');
  expect(state(0.5, { flip: 6000 - 1.01 * halfDay })).toBe('strong_positive');
});

test('a state is left only when the ratio is 0.02 past its band', () => {
  expect(state(0.09, { previous: 'positive' })).toBe('positive');
  expect(state(0.079, { previous: 'positive' })).toBe('transition');
  expect(state(0.115, { previous: 'transition' })).toBe('transition');
  expect(state(-0.36, { previous: 'negative' })).toBe('negative');
  expect(state(0.5, { previous: 'strong_negative' })).toBe('strong_positive');
});

test('without a positioning sd there is no confidence and its rule rests; with one, under 0.75 is transition', () => {
  expect(regime({ ...base, gex: 5e8 })).toMatchObject({ confidence: null, state: 'strong_positive' });
  expect(regime({ ...base, gex: 5e8, gexSd: 1e9 })).toMatchObject({ state: 'transition', reason: 'low_confidence' });
  expect(regime({ ...base, gex: 5e8, gexSd: 1e8 })).toMatchObject({ state: 'strong_positive', reason: 'ngr' });
});

test('confidence is the probability of the sign: a half where the estimate is zero, one without doubt', () => {
  const confidence = (gex: number, gexSd: number) => regime({ ...base, gex, gexSd }).confidence;
  expect(confidence(1e8, 1e8)).toBeCloseTo(0.8413447460685429, 12);
  expect(confidence(-1e8, 1e8)).toBe(confidence(1e8, 1e8));
  expect([confidence(0, 1e8), confidence(0, 0), confidence(1, 0), confidence(-1, 0)]).toEqual([0.5, 0.5, 1, 1]);
  expect(state(0.05, { gexSd: 0 })).toBe('transition');
});

test('the gamma imbalance is the share of a day’s volume traded on a one-sigma move', () => {
  expect(regime({ ...base, gex: 4e9, gexAbs: 1e10 }).gir).toBeCloseTo((4e9 * (15 / Math.sqrt(252))) / 400e9, 12);
});

test('no gamma has no state, and no volatility no imbalance', () => {
  expect(regime({ ...base, gexAbs: 0 })).toMatchObject({ state: null, ngr: null, reason: 'no_gamma' });
  expect(regime({ ...base, gex: 5e8, atmVolatility: null })).toMatchObject({ gir: null, sigma_d_pct: null });
});
