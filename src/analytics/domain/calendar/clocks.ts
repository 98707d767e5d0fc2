import { sessionOf } from './exchange-calendar.ts';
import { addDays } from './exchange-days.ts';
import { newYorkDate, newYorkInstant, yearsBetween } from './time.ts';

/** Years from one instant to another, both in epoch milliseconds; negative if the second is earlier, and additive. */
export type Clock = (from: number, to: number) => number;

/** The calendar clock, ACT/365: that of the exchange's own figures and of every `years` in a chain. */
export const calendarYears: Clock = yearsBetween;

/** Weight of a minute, as a share of a minute of a session; above zero, so that the clock never stops. */
export interface ClockWeights {
  /** Minutes of a trading day outside its session, 0.15 to 0.3. */
  readonly overnight: number;
  readonly weekend: number;
  /** Minutes of a weekday without trading. */
  readonly holiday: number;
  /** Announcements that move prices at one instant (epoch ms), in minutes of a session. */
  readonly events: readonly { readonly at: number; readonly minutes: number }[];
}

export const defaultClockWeights: ClockWeights = { overnight: 0.15, weekend: 0.02, holiday: 0.05, events: [] };

const MS_PER_MINUTE = 60_000;
/** The standard year: 252 trading days of 390 minutes of session, 104 days of weekend and 9 holidays. */
const SESSION_MINUTES = 252 * 390;
const OVERNIGHT_MINUTES = 252 * (1440 - 390);
const WEEKEND_MINUTES = 104 * 1440;
const HOLIDAY_MINUTES = 9 * 1440;

/** Minutes of each kind. */
interface Minutes {
  readonly session: number;
  readonly overnight: number;
  readonly weekend: number;
  readonly holiday: number;
}

interface YearTable {
  /** Midnight in New York of each day of the year, and of the next New Year's Day. */
  readonly midnights: Float64Array;
  /** Minutes from the start of the year to each midnight, by kind. */
  readonly before: readonly Minutes[];
}

const NONE: Minutes = { session: 0, overnight: 0, weekend: 0, holiday: 0 };
const tables = new Map<number, YearTable>();

/**
 * A business clock: minutes weighted by how much prices move in them, normalised so that the standard year has the
 * 252·390 minutes of its sessions and lasts one year. It rises strictly, whatever the day's length in New York.
 *
 * @throws RangeError for a weight that is not above zero, or an event below it.
 */
export function businessClock(weights: ClockWeights): Clock {
  const { overnight, weekend, holiday, events } = weights;
  if (!(overnight > 0 && weekend > 0 && holiday > 0)) {
    throw new RangeError(`expected clock weights above zero, got ${JSON.stringify(weights)}`);
  }
  if (!events.every(({ minutes }) => minutes >= 0)) {
    throw new RangeError(`expected events of zero minutes or more, got ${JSON.stringify(events)}`);
  }
  const year = standardYear(weights);
  const clock: Clock = (from, to) => {
    if (from > to) return -clock(to, from);
    let bumps = 0;
    for (const { at, minutes } of events) if (at > from && at <= to) bumps += minutes;
    return (weigh(minutesBetween(from, to), weights) + bumps) / year;
  };
  return clock;
}

/** {@link businessClock} with the default weights and no events. */
export const businessYears: Clock = businessClock(defaultClockWeights);

/** Years that one minute of a session lasts on {@link businessYears}. */
export const BUSINESS_MINUTE = 1 / standardYear(defaultClockWeights);

/** Weighted minutes of the standard year. */
function standardYear(weights: ClockWeights): number {
  return weigh(
    { session: SESSION_MINUTES, overnight: OVERNIGHT_MINUTES, weekend: WEEKEND_MINUTES, holiday: HOLIDAY_MINUTES },
    weights,
  );
}

function weigh(minutes: Minutes, { overnight, weekend, holiday }: ClockWeights): number {
  return minutes.session + overnight * minutes.overnight + weekend * minutes.weekend + holiday * minutes.holiday;
}

/** Minutes of each kind between two instants in order; exact to the millisecond. */
function minutesBetween(from: number, to: number): Minutes {
  const firstYear = yearOf(from);
  const lastYear = yearOf(to);
  let sum = subtract(minutesIntoYear(lastYear, to), minutesIntoYear(firstYear, from));
  for (let year = firstYear; year < lastYear; year++) sum = add(sum, tableOf(year).before.at(-1) ?? NONE);
  return sum;
}

function yearOf(instant: number): number {
  return Number(newYorkDate(instant).slice(0, 4));
}

function minutesIntoYear(year: number, instant: number): Minutes {
  const { midnights, before } = tableOf(year);
  // Days have 23 to 25 hours, so that this is the day itself or a neighbour.
  let day = Math.min(Math.floor((instant - midnights[0]!) / 86_400_000), before.length - 2);
  while (midnights[day]! > instant) day--;
  while (day < before.length - 2 && midnights[day + 1]! <= instant) day++;
  return add(before[day]!, minutesOfDay(addDays(`${year}-01-01`, day), midnights[day]!, instant));
}

/** Minutes of one New York day from its midnight to an instant in it, or to the next midnight. */
function minutesOfDay(date: string, midnight: number, instant: number): Minutes {
  const total = (instant - midnight) / MS_PER_MINUTE;
  const session = sessionOf(date);
  if (session) {
    const within = Math.min(Math.max(instant, session.open), session.close) - session.open;
    const minutes = within / MS_PER_MINUTE;
    return { ...NONE, session: minutes, overnight: total - minutes };
  }
  const weekday = new Date(`${date}T00:00Z`).getUTCDay();
  return weekday === 0 || weekday === 6 ? { ...NONE, weekend: total } : { ...NONE, holiday: total };
}

function tableOf(year: number): YearTable {
  let table = tables.get(year);
  if (!table) {
    table = buildTable(year);
    tables.set(year, table);
  }
  return table;
}

function buildTable(year: number): YearTable {
  const midnights: number[] = [];
  const before: Minutes[] = [];
  let sum = NONE;
  let date = `${year}-01-01`;
  let midnight = newYorkInstant(`${date}T00:00`);
  for (; Number(date.slice(0, 4)) === year; date = addDays(date, 1)) {
    midnights.push(midnight);
    before.push(sum);
    const next = newYorkInstant(`${addDays(date, 1)}T00:00`);
    sum = add(sum, minutesOfDay(date, midnight, next));
    midnight = next;
  }
  return { midnights: Float64Array.from([...midnights, midnight]), before: [...before, sum] };
}

function add(a: Minutes, b: Minutes): Minutes {
  return {
    session: a.session + b.session,
    overnight: a.overnight + b.overnight,
    weekend: a.weekend + b.weekend,
    holiday: a.holiday + b.holiday,
  };
}

function subtract(a: Minutes, b: Minutes): Minutes {
  return {
    session: a.session - b.session,
    overnight: a.overnight - b.overnight,
    weekend: a.weekend - b.weekend,
    holiday: a.holiday - b.holiday,
  };
}
