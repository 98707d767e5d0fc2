import fc from 'fast-check';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { type Book, emptyBook } from '#src/analytics/domain/book/book.ts';
import { exposureCoefficients } from '#src/analytics/domain/exposures/exposures.ts';
import { positioning } from '#src/analytics/domain/positions/positioning.ts';
import { POSITIONING } from '#src/analytics/domain/positions/positioning-schema.ts';
import { priorPositions } from '#src/analytics/domain/positions/positions-prior.ts';
import { staticPositions } from '#src/analytics/domain/positions/positions-static.ts';
import { fixtureBook } from '#test/analytics/oracle.ts';
import { books } from '#test/analytics/random-book.ts';

const book = fixtureBook();

function priorOf(of: Book) {
  const { dex } = exposureCoefficients(of);
  return priorPositions(of, { kind: 'index', delta: dex.map((value) => value / (of.multiplier * of.spot)) });
}

test('by the convention customers sold every call and bought every put, without a probability', () => {
  const found = positioning(book, staticPositions(book));
  expect([...Value.Errors(POSITIONING, found)]).toEqual([]);
  expect(found).toMatchObject({ status: 'ok', generation: 1, basis: 'convention' });
  expect(found.strikes.map(({ strike }) => strike)).toEqual([5700, 5800, 5900, 6000, 6100, 6200, 6300]);
  for (const { calls, puts, total } of found.strikes) {
    expect([calls.state, puts.state]).toEqual(['sold', 'bought']);
    expect([calls.net, puts.net]).toEqual([-calls.open_interest, puts.open_interest]);
    expect([total.sd, total.z, total.p_bought]).toEqual([null, null, null]);
  }
});

test('the prior calls puts bought, and does not know the last day', () => {
  const found = positioning(book, priorOf(book));
  expect(found).toMatchObject({ generation: 2, basis: 'estimate', coverage: 1 });
  const low = found.strikes[0]!.puts;
  expect(low.state).toBe('bought');
  expect(low.z!).toBeGreaterThan(2);
  expect(low.p_bought!).toBeGreaterThan(0.97);
  const rows = Array.from(book.expiry.keys()).filter((i) => book.expiry[i] === 0);
  const pick = (column: Float64Array) => Float64Array.from(rows, (i) => column[i]!);
  const today: Book = {
    ...book,
    contracts: rows.length,
    expiry: Uint16Array.from(rows, () => 0),
    isCall: Uint8Array.from(rows, (i) => book.isCall[i]!),
    strike: pick(book.strike),
    volatility: pick(book.volatility),
    openInterest: pick(book.openInterest),
    position: pick(book.position),
  };
  const last = positioning(today, priorOf(today));
  expect(new Set(last.strikes.flatMap(({ calls, puts }) => [calls.state, puts.state]))).toEqual(new Set(['unknown']));
});

test('a small position known well is balanced, one known exactly is called, and an empty strike is left out', () => {
  const frame = { spot: 100, multiplier: 100, expiries: [{ label: 'E', years: 0.1, rate: 0, dividend: 0 }] };
  const small = emptyBook(frame, 4);
  small.strike.set([90, 95, 100, 105]);
  small.isCall.fill(1);
  small.openInterest.set([100, 100, 100, 0]);
  const found = positioning(small, {
    generation: 3,
    mean: Float64Array.of(4, -5, 0, 0),
    bucket: new Uint16Array(4),
    loading: Float64Array.of(10, 0, 0, 0),
    variance: new Float64Array(4),
    coverage: 1,
    censoredShare: 0,
  });
  const calls = found.strikes.map((row) => row.calls);
  expect(calls.map(({ state }) => state)).toEqual(['balanced', 'bought', 'balanced']);
  expect(calls.map(({ z }) => z)).toEqual([-0.4, null, null]);
  expect(calls.map(({ net }) => net)).toEqual([-4, 5, 0]);
  expect(Object.is(calls[2]!.net, -0)).toBe(false);
  expect(found.strikes[0]!.puts).toMatchObject({ state: 'balanced', net: 0, open_interest: 0 });
  const none = positioning(emptyBook(frame, 0), staticPositions(emptyBook(frame, 0)));
  expect(none).toMatchObject({ status: 'no_positions', strikes: [], coverage: null });
});

test('customers hold what dealers do not, strikes sum to the whole, and every answer fits the schema', () => {
  fc.assert(
    fc.property(books, fc.boolean(), (random, prior) => {
      const positions = prior ? priorOf(random) : staticPositions(random);
      const found = positioning(random, positions);
      expect([...Value.Errors(POSITIONING, found)]).toEqual([]);
      const dealers = positions.mean.reduce((sum, n) => sum + n, 0);
      const customers = found.strikes.reduce((sum, { total }) => sum + total.net, 0);
      expect(customers).toBeCloseTo(-dealers, 6);
      expect(found.calls.net + found.puts.net).toBeCloseTo(-dealers, 6);
      for (const { calls, puts, total } of found.strikes) {
        expect(total.net).toBeCloseTo(calls.net + puts.net, 6);
        expect(total.open_interest).toBe(calls.open_interest + puts.open_interest);
      }
    }),
    { numRuns: 50 },
  );
});
