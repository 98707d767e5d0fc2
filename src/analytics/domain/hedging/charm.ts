import type { Book } from '#src/analytics/domain/book/book.ts';
import { bookRows } from '#src/analytics/domain/book/book-rows.ts';
import { oneDay, type SessionHours, toClose, tradingHours } from '#src/analytics/domain/calendar/horizons.ts';
import { deltaByExpiry } from '#src/analytics/domain/exposures/delta-sums.ts';
import { exposureCoefficients } from '#src/analytics/domain/exposures/exposures.ts';
import type { Charm } from './charm-schema.ts';

export interface CharmInput {
  readonly book: Book;
  /** Epoch milliseconds of the book. */
  readonly asOf: number;
  /** Today's session, null where there is none. */
  readonly session: SessionHours | null;
}

/**
 * Charm exposure by formula, and the flow that time alone makes, −[D(t + H) − D(t)], by full reprice. The two agree for
 * contracts far from settlement; what settles within the horizon ends at its intrinsic delta, which no formula knows.
 */
export function charm({ book, asOf, session }: CharmInput): Charm {
  const rows = bookRows(book);
  const start = deltaByExpiry(rows, { spot: book.spot });
  const flowsOver = (years: number): Float64Array => {
    const end = deltaByExpiry(rows, { spot: book.spot, elapsed: years });
    return end.map((shares, e) => -(shares - start[e]!) * book.spot);
  };
  const left = session === null ? 0 : toClose(asOf, session).years;
  const hour = flowsOver(tradingHours(1).years);
  const close = left > 0 ? flowsOver(left) : null;
  const day = flowsOver(oneDay.years);
  const cex = charmByExpiry(book);
  const held = new Set<number>();
  for (let i = 0; i < book.contracts; i++) if (book.position[i] !== 0) held.add(book.expiry[i]!);
  const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);
  const total = sum(cex);
  return {
    status: held.size > 0 ? 'ok' : 'no_position',
    cex: total,
    cex_per_minute: total / 1440,
    flow_1h: sum(hour),
    flow_to_close: close && sum(close),
    flow_1d: sum(day),
    by_expiry: Array.from(held, (e) => ({
      expiry: book.expiries[e]!.label,
      years: book.expiries[e]!.years,
      cex: cex[e]!,
      flow_1h: hour[e]!,
      flow_to_close: close === null ? null : close[e]!,
      flow_1d: day[e]!,
      settles_within_1d: book.expiries[e]!.years <= oneDay.years,
    })).toSorted((a, b) => a.years - b.years),
  };
}

function charmByExpiry(book: Book): Float64Array {
  const each = exposureCoefficients(book).cex;
  const sums = new Float64Array(book.expiries.length);
  for (let i = 0; i < book.contracts; i++) sums[book.expiry[i]!]! += book.position[i]! * each[i]!;
  return sums;
}
