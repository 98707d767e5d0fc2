import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  isSessionOpen,
  latestSession,
  sessionOf,
  sessionOn,
  upcomingSession,
} from '#src/analytics/domain/calendar/exchange-calendar.ts';
import {
  addDays,
  isHalfDay,
  isTradingDay,
  nextTradingDay,
  previousTradingDay,
  tradingDaysBetween,
} from '#src/analytics/domain/calendar/exchange-days.ts';
import { settlementInstant } from '#src/analytics/domain/calendar/time.ts';
import { listings } from '#src/analytics/domain/synthetic/listing-calendar.ts';
import { contractState, contractTimes, lastTradingInstant } from '#test/analytics/contract-times.ts';

/**
 * Holidays and early closings (13:00) as the exchange announced them.
 *
 * @see https://www.nyse.com/markets/hours-calendars and ICE's yearly announcements
 */
const published: Readonly<Record<string, { readonly closed: string; readonly half: string }>> = {
  2012: { closed: '01-02 01-16 02-20 04-06 05-28 07-04 09-03 10-29 10-30 11-22 12-25', half: '07-03 11-23 12-24' },
  2013: { closed: '01-01 01-21 02-18 03-29 05-27 07-04 09-02 11-28 12-25', half: '07-03 11-29 12-24' },
  2018: { closed: '01-01 01-15 02-19 03-30 05-28 07-04 09-03 11-22 12-05 12-25', half: '07-03 11-23 12-24' },
  2020: { closed: '01-01 01-20 02-17 04-10 05-25 07-03 09-07 11-26 12-25', half: '11-27 12-24' },
  2021: { closed: '01-01 01-18 02-15 04-02 05-31 07-05 09-06 11-25 12-24', half: '11-26' },
  2022: { closed: '01-17 02-21 04-15 05-30 06-20 07-04 09-05 11-24 12-26', half: '11-25' },
  2023: { closed: '01-02 01-16 02-20 04-07 05-29 06-19 07-04 09-04 11-23 12-25', half: '07-03 11-24' },
  2024: { closed: '01-01 01-15 02-19 03-29 05-27 06-19 07-04 09-02 11-28 12-25', half: '07-03 11-29 12-24' },
  2025: { closed: '01-01 01-09 01-20 02-17 04-18 05-26 06-19 07-04 09-01 11-27 12-25', half: '07-03 11-28 12-24' },
  2026: { closed: '01-01 01-19 02-16 04-03 05-25 06-19 07-03 09-07 11-26 12-25', half: '11-27 12-24' },
  2027: { closed: '01-01 01-18 02-15 03-26 05-31 06-18 07-05 09-06 11-25 12-24', half: '11-26' },
};

test.for(Object.keys(published))('holidays and half days of %s are those the exchange published', (year) => {
  const days = Array.from({ length: 366 }, (_, i) => addDays(`${year}-01-01`, i)).filter((d) => d.startsWith(year));
  const weekdays = days.filter((date) => ![0, 6].includes(new Date(`${date}T00:00Z`).getUTCDay()));
  const inYear = (dates: readonly string[]): string => dates.map((date) => date.slice(5)).join(' ');
  expect(inYear(weekdays.filter((date) => !isTradingDay(date)))).toBe(published[year]?.closed);
  expect(inYear(days.filter(isHalfDay))).toBe(published[year]?.half);
});

test('Good Friday follows Easter of the published tables to the ends of its range', () => {
  const fridays = ['2000-04-21', '2008-03-21', '2011-04-22', '2016-03-25', '2038-04-23', '2076-04-17', '2100-03-26'];
  for (const friday of fridays) expect(isTradingDay(friday), friday).toBe(false);
});

test('a year has 249 to 253 trading days, save that of the attacks', () => {
  for (let year = 2000; year <= 2100; year++) {
    const days = tradingDaysBetween(`${year - 1}-12-31`, `${year}-12-31`);
    expect(days, String(year)).toBeGreaterThanOrEqual(year === 2001 ? 248 : 249);
    expect(days, String(year)).toBeLessThanOrEqual(253);
  }
});

test('sessions keep New York time over the changes of its clocks, and end early on half days', () => {
  const iso = (date: string): string[] =>
    [sessionOn(date).open, sessionOn(date).close].map((instant) => new Date(instant).toISOString().slice(11, 16));
  expect(iso('2026-03-06')).toEqual(['14:30', '21:00']);
  expect(iso('2026-03-09')).toEqual(['13:30', '20:00']);
  expect(iso('2026-10-30')).toEqual(['13:30', '20:00']);
  expect(iso('2026-11-02')).toEqual(['14:30', '21:00']);
  expect(iso('2026-11-27')).toEqual(['14:30', '18:00']);
  expect(sessionOf('2026-11-26')).toBeNull();
  expect(() => sessionOn('2026-11-26')).toThrow('expected a trading day, got 2026-11-26');
  expect(() => isTradingDay('2026-13-01')).toThrow('expected a day such as 2026-11-20, got 2026-13-01');
});

test('the latest and the upcoming session of an instant, and whether one runs', () => {
  const { open, close } = sessionOn('2026-11-27');
  expect(latestSession(open - 1).date).toBe('2026-11-25');
  expect(latestSession(open).date).toBe('2026-11-27');
  expect(latestSession(close + 48 * 3_600_000).date).toBe('2026-11-27');
  expect(upcomingSession(open - 1).date).toBe('2026-11-27');
  expect(upcomingSession(open).date).toBe('2026-11-30');
  expect([isSessionOpen(open), isSessionOpen(close), isSessionOpen(open - 1)]).toEqual([true, false, false]);
});

const day = fc.integer({ min: 0, max: 36_000 }).map((days) => addDays('2000-01-10', days));

test('property: the next trading day and the one before are inverse, and counting adds up', () => {
  fc.assert(
    fc.property(day, day, fc.integer({ min: 0, max: 40 }), (date, other, count) => {
      expect(isTradingDay(nextTradingDay(date))).toBe(true);
      expect(tradingDaysBetween(date, nextTradingDay(date))).toBe(1);
      if (isTradingDay(date)) expect(previousTradingDay(nextTradingDay(date))).toBe(date);
      const middle = addDays(date, count);
      const end = addDays(middle, count);
      expect(tradingDaysBetween(date, middle) + tradingDaysBetween(middle, end)).toBe(tradingDaysBetween(date, end));
      expect(tradingDaysBetween(end, date)).toBe(0 - tradingDaysBetween(date, end));
      expect(isHalfDay(other) && !isTradingDay(other)).toBe(false);
    }),
  );
});

test('contracts of one day but two roots end at different times: SPX on Thursday, SPXW at the close, SPY after it', () => {
  const at = (instant: number | undefined): string => new Date(instant ?? 0).toISOString().slice(0, 16);
  const spx = contractTimes('SPX', '2026-11-20');
  expect([at(spx?.lastTrade), at(spx?.settles)]).toEqual(['2026-11-19T21:15', '2026-11-20T14:30']);
  const spxw = contractTimes('SPXW', '2026-11-20');
  expect([at(spxw?.lastTrade), at(spxw?.settles)]).toEqual(['2026-11-20T21:00', '2026-11-20T21:00']);
  const spy = contractTimes('SPY', '2026-11-20');
  expect([at(spy?.lastTrade), at(spy?.settles)]).toEqual(['2026-11-20T21:15', '2026-11-20T21:00']);
  expect([contractTimes('NDX', '2026-11-20')?.settlement, contractTimes('NDXP', '2026-11-20')?.settlement]).toEqual([
    'am',
    'pm',
  ]);
  expect(contractTimes('RUT', '2026-11-20')?.symbol).toBe('RUT');
  expect(contractTimes('AAPL', '2026-11-20')).toBeNull();
  expect(lastTradingInstant('AAPL', '2026-11-20')).toBeNull();
});

test('an expiry on a holiday settles on the trading day before, one on a half day at 13:00', () => {
  expect(contractTimes('SPXW', '2025-04-18')?.date).toBe('2025-04-17');
  expect(settlementInstant('2025-04-18', 'am')).toBe(Date.parse('2025-04-17T13:30:00Z'));
  expect(lastTradingInstant('SPX', '2025-04-18')).toBe(Date.parse('2025-04-16T20:15:00Z'));
  expect(settlementInstant('2026-11-27', 'pm')).toBe(Date.parse('2026-11-27T18:00:00Z'));
  expect(lastTradingInstant('SPY', '2026-11-27')).toBe(Date.parse('2026-11-27T18:15:00Z'));
});

test('a contract trades, waits, settles and expires, in that order', () => {
  const state = (root: string, instant: string) =>
    contractState(contractTimes(root, '2026-11-20')!, Date.parse(instant));
  expect(state('SPX', '2026-11-19T21:14:59Z')).toBe('trading');
  expect(state('SPX', '2026-11-19T21:15:00Z')).toBe('unsettled');
  expect(state('SPX', '2026-11-20T14:30:00Z')).toBe('in_settlement');
  expect(state('SPX', '2026-11-20T15:30:00Z')).toBe('expired');
  expect(state('SPXW', '2026-11-20T20:59:59Z')).toBe('trading');
  expect(state('SPXW', '2026-11-20T21:00:00Z')).toBe('in_settlement');
  expect(state('SPY', '2026-11-20T21:10:00Z')).toBe('in_settlement');
  expect(state('SPY', '2026-11-20T21:15:00Z')).toBe('expired');
});

test('listings skip holidays: Thanksgiving has no daily, a third Friday without trading is the Thursday', () => {
  expect(listings('SPX', '2026-11-25', false).map(({ date }) => date)).toEqual([
    '2026-11-25',
    '2026-11-27',
    '2026-11-30',
    '2026-12-04',
    '2026-12-11',
    '2026-12-18',
    '2027-01-15',
    '2027-02-19',
  ]);
  const monthly = listings('SPX', '2025-04-08', false).filter(({ root }) => root === 'SPX');
  expect(monthly[0]?.date).toBe('2025-04-17');
});
