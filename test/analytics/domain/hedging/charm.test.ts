import fc from 'fast-check';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { exposures } from '#src/analytics/domain/exposures/exposures.ts';
import { charm } from '#src/analytics/domain/hedging/charm.ts';
import { charmSchedule, volumePassed } from '#src/analytics/domain/hedging/charm-schedule.ts';
import { CHARM_SCHEDULE } from '#src/analytics/domain/hedging/charm-schedule-schema.ts';
import { CHARM } from '#src/analytics/domain/hedging/charm-schema.ts';
import { anyBook } from '#test/analytics/degenerate-books.ts';
import { metricCase } from '#test/analytics/metric-oracle.ts';
import { fixtureBook, missBy } from '#test/analytics/oracle.ts';

const book = fixtureBook();
const session = { open: Date.parse('2026-11-20T14:30:00Z'), close: Date.parse('2026-11-20T21:00:00Z') };
const hour = 3_600_000;

test('the flow until a close three hours away is that of the definition, and the sum of the expiries', () => {
  const found = charm({ book, asOf: session.close - 3 * hour, session });
  const item = metricCase('charm_flow_3h');
  expect(missBy(found.flow_to_close ?? 0, item.expected, item)).toBeLessThanOrEqual(1);
  for (const name of ['cex', 'flow_1h', 'flow_to_close', 'flow_1d'] as const) {
    const sum = found.by_expiry.reduce((total, row) => total + (row[name] ?? 0), 0);
    expect(Math.abs(sum / (found[name] ?? 0) - 1), name).toBeLessThan(1e-9);
  }
  expect(Math.abs(found.cex / exposures(book).cex - 1)).toBeLessThan(1e-10);
});

test('far from settlement a repriced day is the formula, with the sign of a flow', () => {
  const { by_expiry } = charm({ book, asOf: session.open, session });
  const month = by_expiry[2]!;
  expect(Math.abs(month.flow_1h / (-month.cex / 24) - 1)).toBeLessThan(0.01);
  expect(by_expiry.map(({ settles_within_1d }) => settles_within_1d)).toEqual([true, false, false]);
});

test('a day without a session, and one that has closed, have no flow to the close', () => {
  expect(charm({ book, asOf: session.open, session: null }).flow_to_close).toBeNull();
  expect(charm({ book, asOf: session.close, session }).flow_to_close).toBeNull();
});

// The first expiry of the fixture is half a day away: seen at four in the morning it settles at the close.
const asOf = session.close - 12 * hour;
const schedule = charmSchedule({ book, asOf, session, advUsd: 400e9 });

test('eleven windows of thirty minutes and four of fifteen tile the session and add up', () => {
  expect(schedule.windows).toHaveLength(15);
  expect(schedule.windows[0]?.from).toBe('2026-11-20T14:30:00.000Z');
  expect(schedule.windows.at(-1)?.to).toBe('2026-11-20T21:00:00.000Z');
  let sum = 0;
  for (const [k, { from, to, flow_usd, cumulative_usd, direction, by_expiry }] of schedule.windows.entries()) {
    if (k > 0) expect(from).toBe(schedule.windows[k - 1]?.to);
    expect(Date.parse(to) - Date.parse(from)).toBe((k < 11 ? 0.5 : 0.25) * hour);
    sum += flow_usd;
    expect(cumulative_usd).toBeCloseTo(sum, 3);
    expect(direction).toBe(flow_usd > 0 ? 'BUY' : 'SELL');
    const split = Object.values(by_expiry).reduce((total, value) => total + value, 0);
    const size = Object.values(by_expiry).reduce((total, value) => total + Math.abs(value), 0);
    expect(Math.abs(split - flow_usd)).toBeLessThan(0.004 * size);
  }
  expect(schedule.total_usd).toBeCloseTo(sum, 3);
});

test('what settles at the close ends at its intrinsic delta', () => {
  const position = book.position.map((n, i) => (book.expiry[i] === 0 ? n : 0));
  const only = { ...book, position };
  // From the opening, where the book is repriced to, until the bell.
  const found = charmSchedule({ book: only, asOf, session, advUsd: 400e9 });
  const atOpen = {
    ...only,
    expiries: book.expiries.map((expiry) => ({ ...expiry, years: expiry.years - 5.5 / 8760 })),
  };
  let intrinsic = 0;
  for (let i = 0; i < book.contracts; i++) {
    const isIn = book.isCall[i] === 1 ? book.strike[i]! < 6000 : book.strike[i]! > 6000;
    const half = book.strike[i] === 6000 ? 0.5 : Number(isIn);
    intrinsic += position[i]! * (book.isCall[i] === 1 ? half : -half) * 100 * 6000;
  }
  const flow = -(intrinsic - exposures(atOpen).dex);
  expect(Math.abs(found.total_usd / flow - 1)).toBeLessThan(1e-9);
});

test('the schedule turns active by its cumulative flow where volume is thin, by intensity where it is deep', () => {
  // Five points from a strike that settles at the bell, delta runs to all or nothing in the last hours.
  const pinned = { ...book, spot: 5905 };
  const at = (advUsd: number) => charmSchedule({ book: pinned, asOf, session, advUsd }).activation;
  expect(at(1e8)).toEqual({ at: '2026-11-20T14:32:00.000Z', reason: 'cumulative' });
  expect(at(1e13)?.reason).toBe('intensity');
  expect(Date.parse(at(1e13)!.at)).toBeGreaterThan(session.open + 4 * hour);
  expect(schedule.activation?.reason).toBe('cumulative');
  expect(schedule.peak?.flow_usd).toBe(
    schedule.windows.map(({ flow_usd }) => flow_usd).toSorted((a, b) => Math.abs(b) - Math.abs(a))[0],
  );
});

test('a half day has its last hour in quarters, too; no session has no schedule', () => {
  const half = { open: session.open, close: session.close - 3 * hour };
  expect(charmSchedule({ book, asOf, session: half, advUsd: 4e11 }).windows).toHaveLength(9);
  expect(charmSchedule({ book, asOf, session: null, advUsd: 4e11 })).toMatchObject({
    status: 'no_session',
    windows: [],
  });
});

test('the volume of a session is all of it, and densest at both ends', () => {
  expect([volumePassed(-1), volumePassed(0.5), volumePassed(1), volumePassed(2)]).toEqual([0, 0.5, 1, 1]);
  expect(volumePassed(0.1)).toBeGreaterThan(2.4 * (volumePassed(0.55) - volumePassed(0.45)));
});

test('both fit their schemas on any book at any time of the day', () => {
  fc.assert(
    fc.property(
      anyBook,
      fc.double({ min: -9, max: 9, noNaN: true }),
      fc.constantFrom(0, 1e11),
      (given, offset, advUsd) => {
        const when = { book: given, asOf: session.open + offset * hour, session };
        expect([...Value.Errors(CHARM, charm(when))]).toEqual([]);
        const found = charmSchedule({ ...when, advUsd });
        expect([...Value.Errors(CHARM_SCHEDULE, found)]).toEqual([]);
        expect(found.status === 'no_flow').toBe(found.peak === null);
      },
    ),
    { numRuns: 60 },
  );
});
