import { type Static, Type } from 'typebox';
import { closed, maybe, number, orNull } from '#src/analytics/domain/schema-parts.ts';

const FIT_ERROR = closed(
  {
    volatility_points: number('Root mean square miss of the mid, volatility points'),
    half_spreads: number('The same in half-spreads of each quote'),
    inside: number('Share of the quotes between whose bid and ask the smile lies, 0 to 1'),
  },
  { title: 'SurfaceFitError' },
);

const SVI = closed(
  {
    status: Type.Enum(['ok', 'repaired', 'too_few_quotes', 'no_fit', 'arbitrage'], {
      description:
        'ok; repaired: the nearest smile without butterfly arbitrage; else why there is none, and what follows is null',
    }),
    raw: orNull(
      closed({
        a: number('Level, total variance'),
        b: number('Half the sum of the wings’ slopes'),
        rho: number('Lean, −1 to 1'),
        m: number('Centre, log-moneyness'),
        sigma: number('Width of the bend, log-moneyness'),
      }),
    ),
    natural: orNull(
      closed({
        delta: number('Δ, total variance'),
        mu: number('μ, log-moneyness'),
        rho: number('Lean, −1 to 1'),
        omega: number('ω, total variance'),
        zeta: number('ζ, per unit of log-moneyness'),
      }),
    ),
    jump_wing: orNull(
      closed({
        v: number('Variance at the money, per year'),
        psi: number('Slope of the deviation √w at the money, per unit of log-moneyness'),
        p: number('Slope of the put wing over √w at the money'),
        c: number('Slope of the call wing over √w at the money'),
        vtilde: number('Least variance, per year'),
      }),
    ),
    least_g: maybe('Least of Durrleman’s g over all k; not below 0'),
    left_wing: maybe('Slope of total variance far left, positive; at most 2'),
    right_wing: maybe('Slope of total variance far right; at most 2'),
    atm_volatility: maybe('Volatility at k = 0, decimal'),
    skew: maybe('∂σ/∂k at k = 0, decimal volatility per unit of log-moneyness'),
    fit_error: orNull(FIT_ERROR),
  },
  {
    title: 'SviParameters',
    description:
      'A smile fitted to this expiry alone: free of butterfly arbitrage, not checked against the other expiries',
  },
);

const column = (description: string) => Type.Array(Type.Number(), { description });
/** The quotes of an expiry, column by column. */
const QUOTED = closed(
  {
    k: column('Log-moneyness ln(K/F), ascending'),
    bid: column('Volatility of the bid, decimal'),
    mid: column('Volatility of the mid, decimal'),
    ask: column('Volatility of the ask, decimal'),
  },
  {
    title: 'QuotedVolatility',
    description: 'Quotes of the fit, to the sixth decimal; sent where the query sets `quotes`',
  },
);
export type Quoted = Static<typeof QUOTED>;

const EXPIRY = closed(
  {
    label: Type.String({ description: 'Root and day' }),
    years: number('ACT/365 years to settlement'),
    forward: number('Forward, points'),
    status: Type.Enum(['ok', 'thin', 'poor_fit', 'no_quotes', 'bad_time', 'same_time'], {
      description:
        'thin: under three quotes; poor_fit: no quote has the surface inside, and it misses them by more than five half-spreads; of both the lean (rho, psi) is not measured. The last three have no slice of their own',
    }),
    quotes: Type.Integer({ description: 'Quotes fitted to' }),
    quotes_crossed: Type.Integer({ description: 'Quotes refused: bid above ask, or the mid outside of them' }),
    quotes_malformed: Type.Integer({ description: 'Quotes refused: a volatility missing, infinite or not above 0' }),
    essvi: orNull(
      closed({
        theta: number('θ: total variance at the money'),
        rho: number('ρ: lean, −1 to 1'),
        psi: number('ψ = θφ: sum of the wings’ slopes'),
      }),
    ),
    atm_volatility: maybe('Volatility of the surface at k = 0, decimal'),
    skew: maybe(
      '∂σ/∂k of the surface at k = 0, decimal volatility per unit of log-moneyness; null where the quotes do not determine it',
    ),
    fit_error: orNull(FIT_ERROR),
    svi: SVI,
    quoted: Type.Optional(QUOTED),
  },
  { title: 'SurfaceExpiry' },
);

export const SURFACE_GRID = closed(
  {
    days: Type.Array(Type.Number(), { description: 'Calendar days to settlement, one per row' }),
    forwards: Type.Array(Type.Number(), { description: 'Forward of each row, points' }),
    k: orNull(Type.Array(Type.Number(), { description: 'Log-moneyness of each column, ln(K/F)' })),
    strikes: orNull(Type.Array(Type.Number(), { description: 'Strike of each column, points' })),
    volatility: Type.Array(Type.Array(Type.Union([Type.Number(), Type.Null()])), {
      description: 'Volatility, decimal per square root of a year; null where the day is not above 0',
    }),
  },
  { title: 'SurfaceGrid', description: 'Values of the surface' },
);

/** Answer of GET /v1/surface/{symbol}: finite numbers or null, no NaN. */
export const SURFACE = closed(
  {
    model: Type.Literal('essvi', {
      description:
        'Extended SSVI, all slices fitted at once through Mingone’s map; between slices θ is linear in time, ψ and ρψ in θ',
    }),
    certificate: closed(
      {
        least_g: number('Least of Durrleman’s g over all slices and all k; not below 0'),
        least_calendar_gap: maybe('Least rise of total variance from slice to slice over all k; null for one slice'),
        steepest_wing: number('Steepest wing of any slice, total variance per unit of log-moneyness; at most 2'),
        holds: Type.Boolean({ description: 'Free of butterfly and calendar arbitrage; always true of what is sent' }),
      },
      'Computed from the values of the slices, not from the conditions that the fit keeps',
    ),
    expiries: Type.Array(EXPIRY, { description: 'By time to settlement' }),
    grid: SURFACE_GRID,
  },
  { title: 'VolatilitySurface', description: 'Arbitrage-free volatility surface' },
);

export type SurfaceAnswer = Static<typeof SURFACE>;
