import { sql } from 'slonik';
import Type from 'typebox';
import { latestSession, sessionOn } from '#src/analytics/domain/calendar/exchange-calendar.ts';
import { previousTradingDay } from '#src/analytics/domain/calendar/exchange-days.ts';
import { newYorkDate } from '#src/analytics/domain/calendar/time.ts';
import { type ByGeneration, byGeneration } from '#src/analytics/domain/positions/dealer-positions.ts';
import type { StickinessSample } from '#src/analytics/domain/regime/skew-stickiness.ts';
import { type DailySnapshot, dailySnapshots, yearBefore } from '#src/analytics/history/history-store.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

const SESSIONS = 252;
/** About a month of closes. */
const CLOSES = 22;
/** A snapshot that near to an opening or a close speaks for it; delayed quotes come a quarter of an hour late. */
const NEAR_MS = 30 * 60_000;

/** Past of a symbol's feed before an instant, from its history. */
export interface FeedPast {
  /** Stabilising shares, by generation, of the last snapshot of each of the 252 sessions before, oldest first. */
  readonly rawShares: ByGeneration<readonly number[]>;
  /** Moves of volatility at the money and of spot from one session to the next, in that year. */
  readonly moves: readonly StickinessSample[];
  /** Spot near the close of the trading days just before, without a gap, oldest first. */
  readonly closes: readonly number[];
}

/** Only snapshots of the same kind count: a generated market is no past of a real one. */
export async function feedPast(
  context: Pick<Context, 'db'>,
  { symbol, at, synthetic }: { readonly symbol: string; readonly at: number; readonly synthetic: boolean },
): Promise<FeedPast> {
  const today = newYorkDate(at);
  const days = (await dailySnapshots(context, [symbol], yearBefore(at))).filter(
    ({ day, figures }) => day < today && figures.synthetic === synthetic,
  );
  const year = days.slice(-SESSIONS);
  const rawShares = byGeneration((name) =>
    year.map(({ figures }) => figures.dsi_raw_shares[name]).filter((share) => share !== null),
  );
  return { rawShares, moves: movesOf(year), closes: closesBefore(days, today) };
}

/** Between trading days that follow each other; a day without its skew or its volatility tells nothing. */
function movesOf(days: readonly DailySnapshot[]): StickinessSample[] {
  return days.slice(1).flatMap((now, i) => {
    const before = days[i]!;
    const skew = before.figures.skew_30d;
    const [from, to] = [before.figures.levels.atm_volatility, now.figures.levels.atm_volatility];
    if (previousTradingDay(now.day) !== before.day || skew === null || from === null || to === null) return [];
    return [{ skew, volatilityChange: to - from, logReturn: Math.log(now.spot / before.spot) }];
  });
}

function closesBefore(days: readonly DailySnapshot[], today: string): number[] {
  const closes: number[] = [];
  for (let i = days.length - 1, date = previousTradingDay(today); i >= 0 && closes.length < CLOSES; i--) {
    const { day, asOf, spot } = days[i]!;
    if (day > date) continue;
    if (day < date || asOf.getTime() < sessionOn(day).close - NEAR_MS) break;
    closes.unshift(spot);
    date = previousTradingDay(date);
  }
  return closes;
}

const spotRow = row(Type.Object({ spot: Type.Number(), asOf: Type.Unsafe<Date>({}) }));

/**
 * Spot of each snapshot of the session that runs or ran last at an instant, up to then, oldest first: the first speaks for
 * the opening. None where none is near the opening.
 */
export async function sessionSpots(
  { db }: Pick<Context, 'db'>,
  { symbol, at, synthetic }: { readonly symbol: string; readonly at: number; readonly synthetic: boolean },
): Promise<readonly number[]> {
  const { open, close } = latestSession(at);
  const [from, to] = [open, Math.min(close, at)].map((instant) => new Date(instant).toISOString());
  const found = await db.any(sql.type(spotRow)`
    select spot, as_of as "asOf" from snapshots
    where symbol = ${symbol} and as_of >= ${from!} and as_of <= ${to!} and (figures->>'synthetic')::boolean = ${synthetic}
    order by as_of`);
  const first = found[0];
  return first && first.asOf.getTime() <= open + NEAR_MS ? found.map(({ spot }) => spot) : [];
}
