import { settlementInstant, yearsBetween } from '#src/analytics/domain/calendar/time.ts';
import { formatOsiSymbol } from '#src/analytics/domain/chain/osi-symbol.ts';
import { black76Price } from '#src/analytics/domain/pricing/black-scholes.ts';
import { randomStream } from '#src/analytics/domain/statistics/random.ts';
import { surfaceVolatility } from '#src/analytics/domain/surface/smile.ts';

const SPOT = 6000;
const RATE = 0.04;
const YIELD = 0.012;
const surface = { level: 0.18, rho: -0.65, eta: 1.2 };

/** 15:00 UTC on a Friday in winter: ten in New York, so that the first expiry is six hours away. */
const AS_OF = Date.parse('2026-11-20T15:00:00Z');

/** Cboe-shaped delayed-quotes JSON of 20,000 SPXW contracts: 40 weekday expiries × 250 strikes × call and put. */
export function cboeJson(): string {
  const random = randomStream('bench');
  const options = expiryDates().flatMap((date) =>
    [true, false].flatMap((isCall) => expiry(date, isCall, () => random.uniform())),
  );
  const timestamp = new Date(AS_OF).toISOString().slice(0, 19).replace('T', ' ');
  return JSON.stringify({ timestamp, symbol: '_SPX', data: { symbol: '^SPX', current_price: SPOT, options } });
}

function expiryDates(): string[] {
  const start = Temporal.PlainDate.from('2026-11-20');
  const near = Array.from({ length: 42 }, (_, day) => start.add({ days: day })).filter((date) => date.dayOfWeek <= 5);
  const far = Array.from({ length: 10 }, (_, week) => start.add({ days: 49 + 35 * week }));
  return [...near, ...far].slice(0, 40).map((date) => date.toString());
}

function expiry(date: string, isCall: boolean, uniform: () => number) {
  const years = yearsBetween(AS_OF, settlementInstant(date, 'pm'));
  const forward = SPOT * Math.exp((RATE - YIELD) * years);
  const discount = Math.exp(-RATE * years);
  return Array.from({ length: 250 }, (_, i) => {
    const strike = SPOT + (i - 150) * 10;
    const volatility = surfaceVolatility(surface, Math.log(strike / forward), years);
    const price = black76Price({ isCall, forward, strike, deviation: volatility * Math.sqrt(years), discount });
    // Unrounded quotes, so that every one of the 20,000 has a volatility of its own and none falls back.
    const bid = price * 0.99;
    const ask = price * 1.01;
    return {
      option: formatOsiSymbol({ root: 'SPXW', date, isCall, strike }),
      bid,
      bid_size: 10,
      ask,
      ask_size: 12,
      iv: Number(volatility.toFixed(4)),
      open_interest: 1 + Math.floor(5000 * uniform()),
      volume: Math.floor(500 * uniform()),
      delta: 0.5,
      gamma: 0.0001,
      vega: 1.2,
      theta: -0.5,
      rho: 0.1,
      theo: Number(price.toFixed(4)),
      change: 0,
      open: 0,
      high: 0,
      low: 0,
      tick: 'no_change',
      last_trade_price: Number(price.toFixed(2)),
      last_trade_time: '2026-11-20T09:45:00',
      percent_change: 0,
      prev_day_close: Number(price.toFixed(2)),
    };
  });
}
