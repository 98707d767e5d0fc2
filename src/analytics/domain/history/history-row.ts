import type { RegimeState } from '#src/analytics/domain/regime/regime.ts';

/** A symbol's figures at one instant of a session, as they were first published. */
export interface HistoryRow {
  /** Trading day, `YYYY-MM-DD`. */
  readonly session: string;
  /** Instant the figures are of, epoch milliseconds. */
  readonly as_of: number;
  /** Instant at which they could first be known, epoch milliseconds; at or after as_of. */
  readonly knowledge_time: number;
  readonly spot: number;
  readonly ngr: number | null;
  /** A·σ_d/ADV, what DSI is a function of. */
  readonly dsi_raw_share: number | null;
  readonly regime: RegimeState | null;
  readonly flip: number | null;
  readonly call_wall: number | null;
  readonly put_wall: number | null;
  /** Annual volatility at the money, decimal. */
  readonly atm_volatility: number | null;
}

/** From one session's price to the next, with what was known when it began. */
export interface Interval {
  readonly session: string;
  /** Instants of the two prices, epoch milliseconds. */
  readonly start: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
  /** ln(to/from). */
  readonly return: number;
  /** The latest figures published at or before `start`; null where there are none, or only ones over five days old. */
  readonly known: HistoryRow | null;
}

/** A long weekend: figures older than that say nothing of the next session. */
const MAX_AGE = 5 * 86_400_000;

/**
 * The intervals between the last prices of successive sessions. A price counts as known at its own instant, every other
 * figure at its row's knowledge_time: figures computed after the close are used from the next close on. Of several
 * versions of one instant the first published is used. Rows without a usable spot are left out.
 */
export function intervals(rows: readonly HistoryRow[]): Interval[] {
  const usable = rows.filter(({ spot, as_of }) => spot > 0 && Number.isFinite(spot) && Number.isFinite(as_of));
  const prices = lastOfSessions(usable);
  const published = usable.toSorted((a, b) => a.knowledge_time - b.knowledge_time || a.as_of - b.as_of);
  const found: Interval[] = [];
  let known: HistoryRow | null = null;
  let next = 0;
  for (let i = 1; i < prices.length; i++) {
    const [from, to] = [prices[i - 1]!, prices[i]!];
    for (; next < published.length && published[next]!.knowledge_time <= from.as_of; next++) {
      const row = published[next]!;
      if (known === null || row.as_of > known.as_of) known = row;
    }
    found.push({
      session: to.session,
      start: from.as_of,
      end: to.as_of,
      from: from.spot,
      to: to.spot,
      return: Math.log(to.spot / from.spot),
      known: known !== null && from.as_of - known.as_of <= MAX_AGE ? known : null,
    });
  }
  return found;
}

function lastOfSessions(rows: readonly HistoryRow[]): HistoryRow[] {
  const last = new Map<string, HistoryRow>();
  for (const row of rows.toSorted((a, b) => a.as_of - b.as_of || a.knowledge_time - b.knowledge_time)) {
    const before = last.get(row.session);
    if (before === undefined || row.as_of > before.as_of) last.set(row.session, row);
  }
  return [...last.values()].toSorted((a, b) => a.as_of - b.as_of);
}
