import type { Figures } from '#console/pages/market/parts/section.tsx';
import { points } from '#src/lib/charts/figures.ts';
import type { ExposureRow } from './exposure-option.ts';

/** Exposures that the API tells by strike and by expiry, where from, and what they mean. */
export const exposures = {
  gamma: {
    title: 'Gamma',
    call: 'GET /v1/gex/{symbol}',
    meaning: 'Above zero dealers sell into rises and buy into falls, which damps moves; below zero they amplify them.',
  },
  vanna: {
    title: 'Vanna',
    call: 'GET /v1/vex/{symbol}',
    meaning: 'Above zero a fall of volatility makes dealers buy.',
  },
  charm: {
    title: 'Charm',
    call: 'GET /v1/cex/{symbol}',
    meaning: 'Below zero the passing of time alone makes dealers buy.',
  },
} as const;

export type Exposure = keyof typeof exposures;

type Told = Figures<'GET /v1/gex/{symbol}'> | Figures<'GET /v1/vex/{symbol}'>;

/** Distance from spot up to which strikes are shown: further out there is next to nothing. */
const REACH = 0.12;

/** Exposure by strike, within reach of spot. */
export function strikeRows(told: Told): ExposureRow[] {
  const isNear = ({ strike }: { readonly strike: number }) => Math.abs(strike / told.spot - 1) <= REACH;
  if ('by_strike' in told) return told.by_strike.filter(isNear).map((row) => ({ ...row, name: points(row.strike) }));
  const errors = new Map(told.gex_by_strike.map(({ strike, sd }) => [strike, sd]));
  return told.profile_by_strike.filter(isNear).map(({ strike, gex, call_gex, put_gex }) => ({
    name: points(strike),
    strike,
    net: gex,
    calls: call_gex,
    puts: put_gex,
    sd: errors.get(strike) ?? null,
  }));
}

/** Exposure by expiry, soonest first. */
export function expiryRows(told: Told): ExposureRow[] {
  if ('by_expiry' in told) return told.by_expiry.map((row) => ({ ...row, name: row.expiry, strike: null }));
  return told.gex_by_expiry.map(({ expiry, gex, sd }) => ({
    name: expiry,
    strike: null,
    net: gex,
    calls: null,
    puts: null,
    sd,
  }));
}
