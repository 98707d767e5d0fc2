import { type Static, Type } from 'typebox';
import { MARKET_SYMBOL, SYMBOL } from '#src/analytics/domain/chain/symbol-schema.ts';
import { marketSymbols } from '#src/analytics/domain/chain/symbols.ts';
import { regimeStates } from '#src/analytics/domain/regime/regime.ts';
import { closed, maybe, number, orNull } from '#src/analytics/domain/schema-parts.ts';

/** Largest number of a request: beyond it sums and squares are no longer finite numbers. */
const MOST = 1e9;
const bounded = (description?: string) =>
  Type.Number({ minimum: -MOST, maximum: MOST, ...(description !== undefined && { description }) });
const perSymbol = (description: string) => Type.Array(bounded(), { description: `One a symbol: ${description}` });

/** Factor by which a regime scales a day's standard deviation. */
export const REGIME_MULTIPLIERS = closed(
  {
    strong_positive: Type.Number({
      exclusiveMinimum: 0,
      maximum: 1_000,
      description: 'Factor; 0.8 where not measured',
    }),
    positive: Type.Number({ exclusiveMinimum: 0, maximum: 1_000, description: 'Factor; 0.9 where not measured' }),
    transition: Type.Number({ exclusiveMinimum: 0, maximum: 1_000, description: 'Factor; 1.0 where not measured' }),
    negative: Type.Number({ exclusiveMinimum: 0, maximum: 1_000, description: 'Factor; 1.2 where not measured' }),
    strong_negative: Type.Number({
      exclusiveMinimum: 0,
      maximum: 1_000,
      description: 'Factor; 1.4 where not measured',
    }),
  },
  { title: 'RegimeMultipliers', description: 'Factors of the standard deviation of a day’s return, by regime' },
);
export type RegimeMultipliers = Static<typeof REGIME_MULTIPLIERS>;

/** The body of a request to optimize a portfolio. */
export const PORTFOLIO_OPTIMIZE_REQUEST = closed({
  symbols: Type.Array(MARKET_SYMBOL, {
    minItems: 1,
    maxItems: marketSymbols.length,
    uniqueItems: true,
    description: 'Underlyings to weigh, each once',
  }),
  lower: Type.Optional(perSymbol('least weight; 0 without it')),
  upper: Type.Optional(perSymbol('largest weight; 1 without it')),
  expected_returns: Type.Optional(perSymbol('expected return per year, decimal; needed for target_return')),
  target_return: Type.Optional(bounded('Expected return the portfolio must have, per year, decimal')),
  target_gamma: Type.Optional(bounded('Effective gamma Σ w·GIR the portfolio must have, share of a day’s volume')),
  correlation: Type.Optional(
    Type.Array(Type.Array(bounded()), {
      description: 'Correlation of the symbols’ returns, row by row; from their history without it',
    }),
  ),
  regime_multipliers: Type.Optional(REGIME_MULTIPLIERS),
});

const INFEASIBLE = closed(
  {
    constraint: Type.Enum(['bounds', 'budget', 'target_return', 'target_gamma'], {
      description: 'The first constraint, in this order, that cannot be met with those before it',
    }),
    asked: maybe('Requested value, in its unit; null for bounds'),
    attainable_low: maybe('Least value that can be had; null for bounds'),
    attainable_high: maybe('Largest value that can be had; null for bounds'),
    message: Type.String({ description: 'The same as a sentence' }),
  },
  { title: 'InfeasiblePortfolio' },
);

const MEMBER = closed(
  {
    symbol: SYMBOL(),
    weight: maybe('Weight of the solution; null where there is none'),
    sigma_d: number('Standard deviation of a day’s return before the regime, decimal'),
    regime: orNull(Type.Enum(regimeStates, { description: 'Regime; null without gamma, taken as transition' })),
    multiplier: number('Factor of the regime'),
    risk_share: maybe('Part of the variance the symbol makes; all sum to one; null without variance or solution'),
    bound: orNull(
      Type.Enum(['free', 'lower', 'upper', 'fixed'], { description: 'Bound that holds the weight; null without one' }),
    ),
    bound_multiplier: maybe('Fall of the variance per unit by which that bound is moved out; zero where free'),
  },
  { title: 'OptimumMember' },
);

/** Result of an optimization. */
export const PORTFOLIO_OPTIMUM = closed(
  {
    status: Type.Enum(['ok', 'infeasible', 'inaccurate'], {
      description: 'infeasible: no weights meet the constraints; inaccurate: kkt_residual is above 1e-8',
    }),
    infeasible: orNull(INFEASIBLE),
    variance_d: maybe('Variance of a day’s return of the solution, w′Σw'),
    volatility_annual: maybe('Its square root over a year of 252 days, decimal'),
    effective_gamma: maybe('Σ w·GIR of the solution; null without every GIR'),
    expected_return: maybe('Σ w·expected return per year, decimal; null without expected returns'),
    kkt_residual: maybe('Largest breach of the Karush-Kuhn-Tucker conditions, gradient in units of its scale'),
    unique: orNull(Type.Boolean({ description: 'Whether no other weights are as good' })),
    budget_multiplier: maybe('Change of the variance per unit of the sum of weights'),
    return_multiplier: maybe('Change of the variance per unit of target_return; null without that target'),
    gamma_multiplier: maybe('Change of the variance per unit of target_gamma; null without that target'),
    iterations: Type.Integer({ description: 'Steps of the active-set method' }),
    members: Type.Array(MEMBER, { description: 'Each underlying, in request order' }),
  },
  { title: 'PortfolioOptimum', description: 'Weights of least variance under the regimes’ volatilities' },
);
export type PortfolioOptimum = Static<typeof PORTFOLIO_OPTIMUM>;
