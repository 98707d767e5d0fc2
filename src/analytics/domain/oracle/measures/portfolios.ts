import { field, type Measure, type Variant } from './measure.ts';

const stressFields = [
  field('spot_shock_pct', 'spot', 'percent'),
  field('vol_shock_pct', 'relative change of volatility', 'percent'),
  field('vol_points', 'points of volatility', 'vol_points'),
  field('days', 'days passing', 'plain'),
  field('net_gex', 'net gamma after it', 'usd_per_pct'),
  field('pnl.hedged', 'dealers’ hedged P&L', 'usd'),
];
const stressVariants = (['move', 'weights'] as const).flatMap((kind): Variant[] => [
  { with: [kind], tool: 'portfolio_stress', fields: stressFields },
]);

const weightsOf = ['SPX', 'SPY', 'QQQ', 'IWM', 'NDX', 'RUT'].map((symbol) =>
  field(`members.${symbol}.weight`, `weight of ${symbol}`, 'fraction'),
);
const portfolio = [
  field('net_gex', 'net gamma of the portfolio', 'usd_per_pct'),
  field('gex_abs', 'gross', 'usd_per_pct'),
  field('net_gex_spx', 'in SPX', 'usd_per_pct', 'status'),
  field('effective_gamma', 'effective gamma, share of a day’s volume', 'fraction', 'status'),
];
const optimum = [
  ...weightsOf,
  field('volatility_annual', 'volatility a year', 'fraction'),
  field('effective_gamma', 'effective gamma', 'fraction'),
  field('infeasible.asked', 'requested', 'plain'),
  field('infeasible.attainable_low', 'attainable starting at', 'plain'),
  field('infeasible.attainable_high', 'to', 'plain'),
];

/** Measures of shocks and of portfolios. */
export const portfolioMeasures: readonly Measure[] = [
  {
    name: 'stress',
    said: 'the stress test',
    words: ['stress test', 'stress scenario', 'stress'],
    weakWords: ['scenario', 'shock', 'crash', 'p&l', 'pnl'],
    variants: [
      { tool: 'portfolio_stress', fields: stressFields },
      ...stressVariants,
      { with: ['move', 'weights'], tool: 'portfolio_stress', fields: stressFields },
    ],
  },
  {
    name: 'portfolio',
    said: 'the portfolio',
    words: [
      'my portfolio',
      'our portfolio',
      'my position',
      'my book',
      'my holding',
      'the portfolio',
      'a portfolio',
      'portfolio gamma',
      'effective gamma',
    ],
    weakWords: ['portfolio', 'basket'],
    variants: [
      { tool: 'portfolio_analyze', fields: portfolio },
      { with: ['weights'], tool: 'portfolio_analyze', fields: portfolio },
      { with: ['move'], tool: 'portfolio_stress', fields: stressFields },
      { with: ['move', 'weights'], tool: 'portfolio_stress', fields: stressFields },
    ],
  },
  {
    name: 'optimum',
    said: 'the weights of least variance',
    words: [
      'optimise my portfolio',
      'optimize my portfolio',
      'optimise our portfolio',
      'optimize our portfolio',
      'optimise',
      'optimize',
      'optimisation',
      'optimization',
      'optimal portfolio',
      'optimal weight',
      'optimal weights',
      'rebalance my portfolio',
      'rebalance',
      'minimum variance',
      'least variance',
      'least variance weights',
      'minimum variance weights',
      'hedge my portfolio',
      'hedge our portfolio',
      'hedge the portfolio',
      'hedge my',
      'hedge our',
    ],
    variants: [{ tool: 'portfolio_optimize', fields: optimum }],
  },
];
