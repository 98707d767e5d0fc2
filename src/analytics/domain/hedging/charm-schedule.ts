import type { Book } from '#src/analytics/domain/book/book.ts';
import { bookRows } from '#src/analytics/domain/book/book-rows.ts';
import type { SessionHours } from '#src/analytics/domain/calendar/horizons.ts';
import { yearsBetween } from '#src/analytics/domain/calendar/time.ts';
import { deltaByExpiry } from '#src/analytics/domain/exposures/delta-sums.ts';
import type { CharmSchedule } from './charm-schedule-schema.ts';

/**
 * Share of a session's volume traded by the time `passed` of it (0 to 1) has passed: U-shaped, three times as dense at
 * both ends as in the middle. A shape for orientation, not a fit.
 *
 * @see A. Admati and P. Pfleiderer, "A theory of intraday patterns", Review of Financial Studies 1 (1988)
 */
export function volumePassed(passed: number): number {
  const u = Math.min(Math.max(passed, 0), 1);
  return 0.6 * u + 0.2 * ((2 * u - 1) ** 3 + 1);
}

interface CharmScheduleInput {
  readonly book: Book;
  /** Epoch milliseconds of the book. */
  readonly asOf: number;
  /** The session to schedule, the past part of it too; null where there is none. */
  readonly session: SessionHours | null;
  /** Dollars traded per day in the hedging instrument. */
  readonly advUsd: number;
}

const MINUTE = 60_000;
const LAST_HOUR = 60 * MINUTE;
/** Expiries that settle within a day of the close bend within a window: they are repriced each minute. */
const NEAR = 1 / 365;
const ACTIVE_SHARE = 0.005;
const ACTIVE_INTENSITY = 2;
/** A minute under this part of a day's volume is not activity, whatever the median. */
const LEAST = 1e-9;
/** Per year. A forward's growth beyond it is the noise of quotes over minutes, and no rate. */
const MOST_CARRY = 1;

/**
 * The flow that time alone makes through a session, at the book's spot and volatilities: −[D(t₂) − D(t₁)] by full
 * reprice, so that what settles at the close ends at its intrinsic delta. The book is repriced backwards for windows that
 * are past, without what has settled since.
 */
export function charmSchedule({ book: all, asOf, session, advUsd }: CharmScheduleInput): CharmSchedule {
  if (session === null) return { status: 'no_session', windows: [], total_usd: 0, activation: null, peak: null };
  const book = withoutNoise(all, Math.max(0, yearsBetween(session.open, asOf)));
  const bounds = windowBounds(session);
  const rows = bookRows(book);
  const dollars = (t: number): Float64Array =>
    deltaByExpiry(rows, { spot: book.spot, elapsed: yearsBetween(asOf, t) }).map((shares) => shares * book.spot);
  const deltas = bounds.map(dollars);
  const passed = (t: number): number => (t - session.open) / (session.close - session.open);
  let cumulative = 0;
  const windows = bounds.slice(1).map((to, k): CharmSchedule['windows'][number] => {
    const from = bounds[k]!;
    const flows = deltas[k]!.map((before, e) => before - deltas[k + 1]![e]!);
    const flow = flows.reduce((sum, value) => sum + value, 0);
    cumulative += flow;
    const volume = advUsd * (volumePassed(passed(to)) - volumePassed(passed(from)));
    return {
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      flow_usd: flow,
      cumulative_usd: cumulative,
      share_of_volume: volume > 0 ? Math.abs(flow) / volume : null,
      direction: flow === 0 ? null : flow > 0 ? 'BUY' : 'SELL',
      by_expiry: splitOf(book, flows),
    };
  });
  const path = minutePath({ book, asOf, session, bounds, deltas });
  const moved = windows.some(({ flow_usd }) => flow_usd !== 0);
  return {
    status: moved ? 'ok' : 'no_flow',
    windows,
    total_usd: cumulative,
    activation: moved ? activation(path, session, advUsd) : null,
    peak: moved ? windows.reduce((best, one) => (Math.abs(one.flow_usd) > Math.abs(best.flow_usd) ? one : best)) : null,
  };
}

/**
 * The book with every growth of a forward as small as its expiry's past makes it: what was measured over the last minutes
 * of a contract would grow beyond all numbers over the hours that are repriced backwards.
 */
function withoutNoise(book: Book, past: number): Book {
  const expiries = book.expiries.map((expiry) => {
    const { rate, dividend, years } = expiry;
    const carry = rate - dividend;
    return Math.abs(carry) <= MOST_CARRY ? expiry : { ...expiry, dividend: rate - (carry * years) / (years + past) };
  });
  return { ...book, expiries };
}

function windowBounds({ open, close }: SessionHours): number[] {
  const bounds = [open];
  const last = Math.max(close - LAST_HOUR, open);
  for (let t = open; t < last; ) bounds.push((t = Math.min(t + 30 * MINUTE, last)));
  for (let t = last; t < close; ) bounds.push((t = Math.min(t + 15 * MINUTE, close)));
  return bounds;
}

function splitOf(book: Book, flows: Float64Array): Record<string, number> {
  const least = 1e-3 * flows.reduce((sum, flow) => sum + Math.abs(flow), 0);
  const split: Record<string, number> = {};
  for (const [e, flow] of flows.entries()) {
    if (flow !== 0 && Math.abs(flow) >= least) split[book.expiries[e]!.label] = flow;
  }
  return split;
}

interface PathInput {
  readonly book: Book;
  readonly asOf: number;
  readonly session: SessionHours;
  readonly bounds: readonly number[];
  readonly deltas: readonly Float64Array[];
}

/** Dollars of delta at each minute: near expiries repriced, the others, which are smooth, linear between the bounds. */
function minutePath({ book, asOf, session, bounds, deltas }: PathInput): Float64Array {
  const left = yearsBetween(asOf, session.close);
  const isNear = book.expiries.map(({ years }) => years - left < NEAR);
  const near = bookRows(book, (e) => isNear[e]!);
  const far = deltas.map((byExpiry) => byExpiry.reduce((sum, value, e) => (isNear[e] ? sum : sum + value), 0));
  let k = 0;
  return Float64Array.from({ length: Math.round((session.close - session.open) / MINUTE) + 1 }, (_, minute) => {
    const t = Math.min(session.open + minute * MINUTE, session.close);
    while (k < bounds.length - 2 && t > bounds[k + 1]!) k++;
    const share = (t - bounds[k]!) / (bounds[k + 1]! - bounds[k]!);
    const shares = deltaByExpiry(near, { spot: book.spot, elapsed: yearsBetween(asOf, t) });
    return far[k]! + share * (far[k + 1]! - far[k]!) + shares.reduce((sum, value) => sum + value, 0) * book.spot;
  });
}

function activation(path: Float64Array, session: SessionHours, advUsd: number): CharmSchedule['activation'] {
  const steps = path.slice(1).map((value, i) => Math.abs(value - path[i]!));
  const median = steps.toSorted()[Math.floor(steps.length / 2)] ?? 0;
  for (let minute = 1; minute < path.length; minute++) {
    const remaining = advUsd * (1 - volumePassed(minute / steps.length));
    const so = Math.abs(path[minute]! - path[0]!);
    // At the bell nothing remains, and any flow would be above a share of it.
    const isCumulative = remaining > 0 && so > ACTIVE_SHARE * remaining && so > LEAST * advUsd;
    const isIntense = steps[minute - 1]! > Math.max(ACTIVE_INTENSITY * median, LEAST * advUsd);
    if (!isCumulative && !isIntense) continue;
    const at = new Date(session.open + minute * MINUTE).toISOString();
    return { at, reason: isCumulative ? 'cumulative' : 'intensity' };
  }
  return null;
}
