import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sessionOf, sessionOn } from '#src/analytics/domain/calendar/exchange-calendar.ts';
import { randomBits, randomUniform, walk } from '#src/analytics/domain/synthetic/counter-random.ts';
import { openMarketPath } from '#src/analytics/domain/synthetic/market-path.ts';
import { sliceVariance, surfacesOn } from '#src/analytics/domain/synthetic/synthetic-surface.ts';
import { tradingDay, tradingNumber } from '#src/analytics/domain/synthetic/trading-index.ts';
import { underlyings } from '#src/analytics/domain/synthetic/underlyings.ts';

const MINUTE = 60_000;
const path = openMarketPath({ seed: 11 });
const another = openMarketPath({ seed: 12 });
const lastDay = tradingNumber('2026-11-20');

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const dot = (a: readonly number[], b: readonly number[]): number => mean(a.map((value, i) => value * b[i]!));
const correlation = (a: readonly number[], b: readonly number[]): number =>
  dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));

/** Log returns of an index from close to close, up to 2026-11-20. */
function dailyReturns(index: number): number[] {
  return Array.from({ length: lastDay }, (_, day) => path.ends(day + 1, index).close - path.ends(day, index).close);
}

/** Log levels of SPX at each minute of a full session. */
function minuteLevels(day: number): number[] {
  const { open } = sessionOn(tradingDay(day));
  return Array.from({ length: 391 }, (_, minute) => path.pointAt(open + minute * MINUTE).state[0]!);
}

/** Full sessions of the year before the last day. */
const fullDays = Array.from({ length: 250 }, (_, back) => lastDay - back).filter((day) => {
  const session = sessionOf(tradingDay(day));
  return session !== null && session.close - session.open === 390 * MINUTE;
});

test('numbers by counter are uniform, and unlike for neighbours', () => {
  const drawn = Array.from({ length: 20_000 }, (_, i) => randomUniform(7, i, 3));
  expect(mean(drawn)).toBeCloseTo(0.5, 2);
  expect(dot(drawn, drawn)).toBeCloseTo(1 / 3, 2);
  const centred = drawn.map((value) => value - 0.5);
  expect(Math.abs(correlation(centred.slice(1), centred.slice(0, -1)))).toBeLessThan(0.03);
  const others = Array.from({ length: 20_000 }, (_, i) => randomUniform(7, i, 4) - 0.5);
  expect(Math.abs(correlation(centred, others))).toBeLessThan(0.03);
});

test('property: a walk after k steps depends on k bits alone, and has variance k/32', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer(), fc.integer({ min: 1, max: 31 }), (bits, later, steps) => {
      const mask = (1 << steps) - 1;
      expect(walk((bits & mask) | (later & ~mask), steps)).toBe(walk(bits, steps));
    }),
  );
  for (const steps of [4, 16, 32]) {
    const ends = Array.from({ length: 20_000 }, (_, i) => walk(randomBits(5, i), steps));
    expect(Math.abs(dot(ends, ends) / (steps / 32) - 1)).toBeLessThan(0.05);
  }
});

test('a path in any order of asking is the path in order', () => {
  const instants = Array.from({ length: 60 }, (_, i) => sessionOn('2024-03-04').open + i * 47 * MINUTE * 60 + i * 811);
  const inOrder = instants.map((instant) => path.pointAt(instant));
  const fresh = openMarketPath({ seed: 11 });
  const backwards = instants.toReversed().map((instant) => fresh.pointAt(instant));
  expect(backwards.toReversed()).toEqual(inOrder);
});

test('inside a minute the path moves, and meets the next minute', () => {
  const { open } = sessionOn('2026-11-20');
  const at = open + 77 * MINUTE;
  const seen = new Set(Array.from({ length: 32 }, (_, k) => path.pointAt(at + k * 1875).state[0]!));
  expect(seen.size).toBeGreaterThan(10);
  // One step of 1.875 seconds is all that lies between.
  const gap = path.pointAt(at + MINUTE).state[0]! - path.pointAt(at + MINUTE - 1).state[0]!;
  expect(Math.abs(gap)).toBeLessThan(3e-4);
});

test('a jump comes inside its minute, not with the minute', () => {
  let largest = { move: 0, at: 0 };
  for (const day of fullDays) {
    const levels = minuteLevels(day);
    for (let minute = 0; minute < 390; minute++) {
      const move = Math.abs(levels[minute + 1]! - levels[minute]!);
      if (move > largest.move) largest = { move, at: sessionOn(tradingDay(day)).open + minute * MINUTE };
    }
  }
  expect(largest.move).toBeGreaterThan(0.01);
  const parts = Array.from({ length: 33 }, (_, k) => path.pointAt(largest.at + k * 1875).state[0]!);
  const moves = parts.slice(1).map((level, k) => Math.abs(level - parts[k]!));
  expect(Math.max(...moves)).toBeGreaterThan(0.8 * largest.move);
  expect(moves.indexOf(Math.max(...moves))).toBeGreaterThan(0);
});

test('the market stands still between sessions, and opens elsewhere', () => {
  const friday = sessionOn('2026-11-20');
  const atClose = path.pointAt(friday.close);
  expect(path.pointAt(friday.close + 40 * 3_600_000)).toEqual(atClose);
  expect(atClose.at).toBe(friday.close);
  expect(path.pointAt(sessionOn('2026-11-23').open).state[0]).not.toBe(atClose.state[0]);
  expect(atClose.state[0]).toBe(path.ends(atClose.day, 0).close);
});

test('error: before its first opening there is no market', () => {
  expect(() => path.pointAt(Date.parse('2018-01-02T14:29:59Z'))).toThrow('expected an instant from the opening of');
});

test('indices move together, NDX and RUT more than SPX, with fat tails', () => {
  const [spx, ndx, rut] = [0, 1, 2].map(dailyReturns);
  expect(correlation(spx!, ndx!)).toBeGreaterThan(0.9);
  expect(correlation(spx!, rut!)).toBeGreaterThan(0.8);
  expect(correlation(ndx!, rut!)).toBeLessThan(correlation(spx!, ndx!));
  const volatility = (returns: readonly number[]): number => Math.sqrt(252 * dot(returns, returns));
  expect(volatility(spx!)).toBeGreaterThan(0.12);
  expect(volatility(spx!)).toBeLessThan(0.22);
  expect(volatility(ndx!) / volatility(spx!)).toBeCloseTo(1.25, 1);
  const kurtosis = mean(spx!.map((value) => value ** 4)) / dot(spx!, spx!) ** 2;
  expect(kurtosis).toBeGreaterThan(3.5);
  // Days of large moves come together: the variance is a process of its own.
  const squares = spx!.map((value) => Math.min(value * value, 1e-3));
  const centred = squares.map((value) => value - mean(squares));
  expect(correlation(centred.slice(1), centred.slice(0, -1))).toBeGreaterThan(0.05);
});

test('volatility falls from the opening to noon and rises to the close', () => {
  const squares = new Float64Array(13);
  for (const day of fullDays.slice(0, 120)) {
    const levels = minuteLevels(day);
    for (let minute = 0; minute < 390; minute++) {
      squares[Math.floor(minute / 30)]! += (levels[minute + 1]! - levels[minute]!) ** 2;
    }
  }
  const noon = mean([...squares.subarray(5, 8)]);
  expect(squares[0]! / noon).toBeGreaterThan(1.8);
  expect(squares[12]! / noon).toBeGreaterThan(1.3);
});

test('at-the-money volatility follows spot by 1.5 times the skew', () => {
  const surfaces = surfacesOn(another, underlyings.SPX);
  for (const years of [5 / 252, 21 / 252, 0.5]) {
    let moved = 0;
    let sliding = 0;
    // Far apart, because the stickiness itself wanders by a few percent over weeks.
    for (const day of fullDays.filter((_, i) => i % 6 === 0)) {
      const { open } = sessionOn(tradingDay(day));
      let last: { level: number; volatility: number; skew: number } | undefined;
      for (let minute = 0; minute <= 390; minute += 5) {
        const point = another.pointAt(open + minute * MINUTE);
        const { theta, psi, rho } = surfaces(point).sliceAt(years);
        const volatility = Math.sqrt(theta / years);
        const now = { level: point.state[0]!, volatility, skew: (rho * psi) / (2 * volatility * years) };
        if (last) {
          const slide = last.skew * (now.level - last.level);
          moved += (now.volatility - last.volatility) * slide;
          sliding += slide * slide;
        }
        last = now;
      }
    }
    expect(Math.abs(moved / sliding - 1.5), `at ${years} years`).toBeLessThan(0.06);
  }
});

test('property: the surface has no butterfly and no calendar arbitrage, at any instant, also after crashes', () => {
  const times = [1e-6, 1e-5, 1e-4, 1e-3, 0.004, 0.02, 0.08, 0.2, 0.5, 1, 1.5];
  const symbols = fc.constantFrom('SPX', 'NDX', 'RUT');
  const instants = fc.integer({ min: Date.parse('2018-01-03'), max: Date.parse('2027-01-01') });
  fc.assert(
    fc.property(
      fc.constantFrom(path, another),
      symbols,
      instants,
      fc.double({ min: -2, max: 4, noNaN: true }),
      (one, symbol, at, stress) => {
        const point = one.pointAt(at);
        const { index } = underlyings[symbol];
        // Far beyond what the factors reach by themselves, where ψ must be held back.
        for (let f = 0; f < 3; f++) point.state[4 + 3 * index + f]! += stress;
        const surface = surfacesOn(one, underlyings[symbol])(point);
        const slices = times.map((years) => surface.sliceAt(years));
        for (const [i, slice] of slices.entries()) {
          expect(slice.psi * (1 + Math.abs(slice.rho))).toBeLessThan(4);
          expect(slice.psi ** 2 * (1 + Math.abs(slice.rho))).toBeLessThan(4 * slice.theta);
          for (let z = -8; z <= 8; z += 0.25) {
            const k = z * Math.sqrt(slice.theta);
            expect(durrleman(slice, k)).toBeGreaterThan(-1e-9);
            const earlier = slices[i - 1];
            if (earlier) expect(sliceVariance(slice, k)).toBeGreaterThan(sliceVariance(earlier, k));
          }
        }
      },
    ),
    { numRuns: 60 },
  );
});

/** Durrleman's function of a slice, from the exact derivatives of its total variance. */
function durrleman(slice: { rho: number; theta: number; psi: number }, k: number): number {
  const { rho, theta, psi } = slice;
  const w = sliceVariance(slice, k);
  const a = psi * k + rho * theta;
  const root = Math.sqrt(a * a + (1 - rho * rho) * theta * theta);
  const first = 0.5 * psi * (rho + a / root);
  const second = (0.5 * psi * psi * (1 - rho * rho) * theta * theta) / root ** 3;
  return (1 - (k * first) / (2 * w)) ** 2 - 0.25 * first * first * (1 / w + 0.25) + 0.5 * second;
}
