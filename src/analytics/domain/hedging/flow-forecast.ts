import type { Book } from '#src/analytics/domain/book/book.ts';
import {
  type Horizon,
  oneDay,
  type SessionHours,
  toClose,
  tradingHours,
} from '#src/analytics/domain/calendar/horizons.ts';
import { normalNodes, quantilesOf } from '#src/analytics/domain/numerics/normal-nodes.ts';
import { dailyDeviation, marketImpact } from '#src/analytics/domain/regime/market-impact.ts';
import { AppError } from '#src/lib/errors.ts';
import type { FlowForecast, FlowScenario } from './flow-forecast-schema.ts';
import { attributeFlow, type HedgedBook, type HedgeMove, hedgedBook, hedgeFlow } from './hedge-flow.ts';

export interface FlowForecastInput {
  readonly book: Book;
  /** dσ/d ln S of each expiry, (R − 1)·skew. */
  readonly slopes: Float64Array;
  /** Annual volatility at the money, decimal; null if unknown. */
  readonly atmVolatility: number | null;
  /** Dollars traded per day in the hedging instrument. */
  readonly advUsd: number;
  /** Epoch milliseconds of the book. */
  readonly asOf: number;
  /** Today's session, null where there is none; the horizon `close` needs one that has not ended. */
  readonly session: SessionHours | null;
  readonly scenarios?: readonly HedgeMove[];
}

const HOURS = 365 * 24;

/**
 * Flow of the dealers in the requested scenarios, taken apart, and its distribution over three horizons: returns are
 * lognormal with the volatility at the money and no drift, and volatility slides along the smile.
 *
 * @throws AppError `invalid_request` for a return of −100 % or less, negative years, or a number that is not finite.
 */
export function flowForecast(input: FlowForecastInput): FlowForecast {
  const { book, slopes, atmVolatility, advUsd, asOf, session, scenarios = [] } = input;
  const hedged = hedgedBook(book, slopes);
  const sigmaD = dailyDeviation(atmVolatility);
  const impact = (flow: number): number | null => percent(marketImpact(flow, advUsd, sigmaD));
  const close = session === null ? null : toClose(asOf, session);
  const ahead = [
    ['30m', tradingHours(0.5)],
    ...(close !== null && close.years > 0 ? [['close', close] as const] : []),
    ['1d', oneDay],
  ] as const;
  const status = hedged.rows.count === 0 ? 'no_position' : sigmaD === null ? 'no_volatility' : 'ok';
  const horizons =
    status !== 'ok' || sigmaD === null
      ? []
      : ahead.map(([horizon, time]) => {
          const spread = distribution(hedged, time, sigmaD);
          return {
            horizon,
            hours: time.years * HOURS,
            sessions: time.sessions,
            ...spread,
            impact_pct: impact(spread.mean_usd),
          };
        });
  const largest = horizons.toSorted((a, b) => Math.abs(b.mean_usd) - Math.abs(a.mean_usd))[0];
  return {
    status,
    scenarios: scenarios.map((move): FlowScenario => {
      const parts = attributeFlow(hedged, checked(move));
      return {
        spot_return_pct: 100 * move.spotReturn,
        hours: move.years * HOURS,
        vol_points: move.volPoints,
        flow_usd: parts.flow,
        gamma_usd: parts.gamma,
        vanna_usd: parts.vanna,
        charm_usd: parts.charm,
        residual_usd: parts.residual,
        impact_pct: impact(parts.flow),
      };
    }),
    horizons,
    largest: largest?.horizon ?? null,
  };
}

function distribution(book: HedgedBook, { years, sessions }: Horizon, sigmaD: number) {
  const spread = sigmaD * Math.sqrt(sessions);
  const flows = normalNodes.map(([z]) =>
    hedgeFlow(book, { spotReturn: Math.expm1(spread * z - 0.5 * spread * spread), years, volPoints: 0 }),
  );
  const [p10_usd = 0, p50_usd = 0, p90_usd = 0] = quantilesOf(flows, [0.1, 0.5, 0.9]);
  return { mean_usd: flows.reduce((sum, flow, k) => sum + normalNodes[k]![1] * flow, 0), p10_usd, p50_usd, p90_usd };
}

function checked(move: HedgeMove): HedgeMove {
  const { spotReturn, years, volPoints } = move;
  if (spotReturn > -1 && years >= 0 && Number.isFinite(spotReturn + years + volPoints)) return move;
  throw new AppError('invalid_request', 'expected finite moves, a return above −100 % and time of zero or more', {
    move,
  });
}

function percent(value: number | null): number | null {
  return value === null ? null : 100 * value;
}
