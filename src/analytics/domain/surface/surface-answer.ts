import { type GridRequest, surfaceGrid } from './surface-grid.ts';
import type { FitError } from './surface-quality.ts';
import type { SurfaceAnswer } from './surface-schema.ts';
import { sviDerivatives } from './svi.ts';
import { rawToJumpWings, rawToNatural } from './svi-forms.ts';
import { atmVolatilityAt, type ExpiryFit, skewAt, type VolSurface } from './vol-surface.ts';

type ExpiryAnswer = SurfaceAnswer['expiries'][number];

/** A surface as the API sends it, with its values on the requested grid. */
export function surfaceAnswer(surface: VolSurface, grid: GridRequest): SurfaceAnswer {
  const { leastG, leastCalendarGap, steepestWing, holds } = surface.certificate;
  return {
    model: 'essvi',
    certificate: { least_g: leastG, least_calendar_gap: leastCalendarGap, steepest_wing: steepestWing, holds },
    expiries: surface.expiries.map((fit) => expiryAnswer(surface, fit)),
    grid: surfaceGrid(surface, grid),
  };
}

function expiryAnswer(surface: VolSurface, fit: ExpiryFit): ExpiryAnswer {
  const { label, years, forward, status, slice } = fit;
  return {
    label,
    years,
    forward,
    status,
    quotes: fit.quotes,
    quotes_crossed: fit.crossed,
    quotes_malformed: fit.malformed,
    essvi: slice && { theta: slice.theta, rho: slice.rho, psi: slice.psi },
    atm_volatility: atmVolatilityAt(surface, years),
    skew: status === 'thin' || status === 'poor_fit' ? null : skewAt(surface, years),
    fit_error: errorAnswer(fit.error),
    svi: sviAnswer(fit),
  };
}

function sviAnswer({ svi: { status, raw, certificate }, sviError, years }: ExpiryFit): ExpiryAnswer['svi'] {
  const middle = raw && sviDerivatives(raw, 0);
  return {
    status,
    raw: raw && { a: raw.a, b: raw.b, rho: raw.rho, m: raw.m, sigma: raw.sigma },
    natural: raw && rawToNatural(raw),
    jump_wing: raw && rawToJumpWings(raw, years),
    least_g: certificate && certificate.leastG,
    left_wing: certificate && certificate.leftWing,
    right_wing: certificate && certificate.rightWing,
    atm_volatility: middle && Math.sqrt(middle.w / years),
    skew: middle && middle.first / (2 * Math.sqrt(middle.w * years)),
    fit_error: errorAnswer(sviError),
  };
}

function errorAnswer(error: FitError | null) {
  return error && { volatility_points: error.volatilityPoints, half_spreads: error.halfSpreads, inside: error.inside };
}
