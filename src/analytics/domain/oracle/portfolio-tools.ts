import { marketSymbols } from '#src/analytics/domain/chain/symbols.ts';
import type { OracleTool } from './tool.ts';
import { symbolParameter, takes } from './tool-parameters.ts';

const symbols = {
  type: 'array',
  items: symbolParameter,
  minItems: 1,
  maxItems: marketSymbols.length,
  uniqueItems: true,
  description: 'Underlyings of the portfolio, each once',
};
const perSymbol = (description: string) => ({
  type: 'array',
  items: { type: 'number', minimum: -1e9, maximum: 1e9 },
  minItems: 1,
  maxItems: marketSymbols.length,
  description: `One a symbol: ${description}`,
});
const weights = perSymbol('weight, any scale, below zero for short; equal without it');
const weightOf = marketSymbols.map((name) => `members.${name}.weight`);

/** Analyses of several underlyings together. */
export const portfolioTools: readonly OracleTool[] = [
  {
    name: 'portfolio_stress',
    description: 'What a shock of spot, volatility and time does to gamma, regime and dealers’ P&L',
    parameters: takes(
      {
        symbols,
        weights,
        scenarios: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              spot_shock_pct: {
                type: 'number',
                exclusiveMinimum: -100,
                maximum: 1000,
                description: 'Change of spot, percent',
              },
              vol_shock_pct: {
                type: 'number',
                exclusiveMinimum: -100,
                maximum: 1000,
                description: 'Relative change of volatilities, percent',
              },
              vol_points: {
                type: 'number',
                minimum: -500,
                maximum: 500,
                description: 'Points added to every volatility',
              },
              days: { type: 'number', minimum: 0, maximum: 3650, description: 'Calendar days that pass' },
            },
            minProperties: 1,
            additionalProperties: false,
          },
          minItems: 1,
          maxItems: 12,
          description: 'Shocks; the defaults are spot -5, -2, +2 and +5 percent',
        },
      },
      ['symbols'],
    ),
    facts: ['spot_shock_pct', 'vol_shock_pct', 'net_gex', 'pnl.hedged'],
  },
  {
    name: 'portfolio_analyze',
    description: 'Dealer gamma of a portfolio of underlyings as they stand',
    parameters: takes({ symbols, weights }, ['symbols']),
    facts: ['net_gex', 'gex_abs', 'net_gex_spx', 'effective_gamma'],
  },
  {
    name: 'portfolio_optimize',
    description: 'Weights of least variance under the regimes’ volatilities, with bounds and targets',
    parameters: takes(
      {
        symbols,
        lower: perSymbol('least weight; zero without it'),
        upper: perSymbol('largest weight; one without it'),
        expected_returns: perSymbol('expected return per year, decimal; needed for target_return'),
        target_return: { type: 'number', description: 'Expected return per year the portfolio must have, decimal' },
        target_gamma: {
          type: 'number',
          description: 'Effective gamma the portfolio must have, share of a day’s volume',
        },
      },
      ['symbols'],
    ),
    facts: [
      ...weightOf,
      'volatility_annual',
      'effective_gamma',
      'infeasible.asked',
      'infeasible.attainable_low',
      'infeasible.attainable_high',
    ],
  },
];
