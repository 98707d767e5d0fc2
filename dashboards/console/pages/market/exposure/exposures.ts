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

type ExposureFigures = Figures<'GET /v1/gex/{symbol}'> | Figures<'GET /v1/vex/{symbol}'>;

/** Distance from spot up to which strikes are shown: further out there is next to nothing. */
const REACH = 0.12;

/** Exposure by strike, within reach of spot. */
export function strikeRows(figures: ExposureFigures): ExposureRow[] {
  const isNear = ({ strike }: { readonly strike: number }) => Math.abs(strike / figures.spot - 1) <= REACH;
  if ('by_strike' in figures)
    return figures.by_strike.filter(isNear).map((row) => ({ ...row, name: points(row.strike) }));
  const errors = new Map(figures.gex_by_strike.map(({ strike, sd }) => [strike, sd]));
  return figures.profile_by_strike.filter(isNear).map(({ strike, gex, call_gex, put_gex }) => ({
    name: points(strike),
    strike,
    net: gex,
    calls: call_gex,
    puts: put_gex,
    sd: errors.get(strike) ?? null,
  }));
}

/** Exposure by expiry, soonest first. */
export function expiryRows(figures: ExposureFigures): ExposureRow[] {
  if ('by_expiry' in figures) return figures.by_expiry.map((row) => ({ ...row, name: row.expiry, strike: null }));
  return figures.gex_by_expiry.map(({ expiry, gex, sd }) => ({
    name: expiry,
    strike: null,
    net: gex,
    calls: null,
    puts: null,
    sd,
  }));
}
