import type { Caller } from '#src/access/job-result.ts';
import type { Status } from '#src/analytics/answers/envelope.ts';
import type { MarketSymbol } from '#src/analytics/domain/chain/symbols.ts';
import { newYorkDay } from '#src/analytics/domain/oracle/single-figures.ts';
import { surfaceGrid } from '#src/analytics/domain/surface/surface-grid.ts';
import { skewAt } from '#src/analytics/domain/surface/vol-surface.ts';
import { waitForAnswer } from '#src/analytics/sections/find-answer.ts';
import { type StoredSurface, surfaceField } from '#src/analytics/sections/surface-view.ts';

/** Point of a surface that a question is about; at the money a month out without. */
export interface SurfaceWish {
  readonly days?: number;
  readonly strike?: number;
}

/** Calendar days of the spans at which a term structure is stated. */
const spans = { week: 7, month: 30, quarter: 91, year: 365 } as const;

/**
 * Single figures of a volatility surface: at a tenor and strike, of the expiry that settles today, and its term structure.
 *
 * @throws AppError as `waitForAnswer`.
 */
export async function surfaceFigures(caller: Caller, symbol: MarketSymbol, { days = 30, strike }: SurfaceWish) {
  const { as_of, status, data } = JSON.parse(await waitForAnswer(caller, symbol, surfaceField)) as {
    readonly as_of: string;
    readonly status: Status;
    readonly data: StoredSurface | null;
  };
  if (data === null) return { at: { status }, today: null, today_status: status, term: null };
  const volatilityAt = (tenor: number) => surfaceGrid(data, { days: [tenor], k: [0] }).volatility[0]?.[0] ?? null;
  const grid = surfaceGrid(data, { days: [days], ...(strike === undefined ? { k: [0] } : { strikes: [strike] }) });
  const volatility = grid.volatility[0]?.[0] ?? null;
  const { expiries } = data.answer;
  const today = expiries.find(
    ({ label, atm_volatility }) => label.endsWith(newYorkDay(as_of)) && atm_volatility !== null,
  );
  return {
    at: {
      days,
      strike: strike ?? null,
      volatility,
      skew: skewAt({ slices: data.expiries.flatMap(({ slice }) => slice ?? []) }, days / 365),
      status: volatility === null ? 'no_volatility' : 'ok',
    },
    today: today ? { expiry: today.label, atm_volatility: today.atm_volatility, skew: today.skew } : null,
    today_status: today ? 'ok' : 'no expiry with quotes settles today',
    term: Object.fromEntries(Object.entries(spans).map(([span, tenor]) => [span, volatilityAt(tenor)])),
  };
}
