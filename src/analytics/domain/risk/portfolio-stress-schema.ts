import Type, { type Static } from 'typebox';
import { SYMBOL } from '#src/analytics/domain/chain/symbol-schema.ts';
import { REGIME } from '#src/analytics/domain/regime/regime-schema.ts';
import { closed, maybe, number } from '#src/analytics/domain/schema-parts.ts';
import { KnownText } from '#src/lib/validation/known-values.ts';
import { StressResult } from './stress-schema.ts';

const Pnl = closed(
  {
    unhedged: number('Change in value of the dealers’ options, $'),
    hedged: number(
      'The same less their initial delta times the move: gamma + vega + vanna + charm + theta + residual, $',
    ),
    delta: number('Initial delta times the move, $; in unhedged alone'),
    gamma: number('Half of gamma times the squared move, $'),
    vega: number('Vega times the change of volatility, $'),
    vanna: number('Vanna times move times change of volatility, $'),
    charm: number('Charm times move times time, $'),
    theta: number('Theta times time, $'),
    residual: number('Rest of the full reprice beside the parts, $'),
    unit: Type.String({ description: 'Unit of every part' }),
  },
  { title: 'StressPnl', description: 'Dealers’ P&L, weighted over the symbols' },
);

const Member = closed(
  {
    symbol: SYMBOL(),
    weight: number('Normalised weight'),
    amplification: maybe(
      'Share by which dealers’ hedging adds to the move (above zero) or takes from it; null without a move',
    ),
    impact: maybe('Return that the hedging alone makes, decimal'),
    result: StressResult,
  },
  { title: 'StressMember' },
);

const ScenarioResult = closed(
  {
    spot_shock_pct: number('Change of spot, percent'),
    vol_shock_pct: number('Relative change of volatilities, percent'),
    vol_points: Type.Optional(number('Points added to every volatility; absent in results of release 0.1')),
    days: number('Calendar days passed'),
    net_gex: number('Net GEX after the shock, weighted, $ per +1 % spot'),
    gex_abs: number('Gross GEX after the shock, weighted, $ per +1 % spot'),
    regime: REGIME,
    pnl: Pnl,
    portfolio_return: maybe(
      'Weighted return: the move of spot and what the dealers’ hedging adds to it, decimal; null where that is unknown',
    ),
    status: KnownText(
      'PortfolioStressStatus',
      ['ok', 'undefined_without_volatility'],
      'ok, or why portfolio_return is null',
    ),
    members: Type.Array(Member, { description: 'Each underlying alone' }),
  },
  { title: 'PortfolioStressScenario' },
);
export type ScenarioResult = Static<typeof ScenarioResult>;

/** Result of a stress job. */
export const PortfolioStressResult = closed(
  {
    before: Type.Array(
      closed({
        symbol: SYMBOL(),
        weight: number('Normalised weight'),
        as_of: Type.String({ description: 'The chain’s own timestamp' }),
        synthetic: Type.Boolean({ description: 'Whether the chain is generated' }),
        spot: number('Spot before the shock, points'),
        net_gex: number('Net GEX before the shock, $ per +1 % spot'),
        gex_abs: number('Gross GEX before the shock, $ per +1 % spot'),
      }),
      { description: 'State of each underlying before the shock' },
    ),
    results: Type.Array(ScenarioResult, { description: 'One per scenario, in request order' }),
  },
  { title: 'PortfolioStressResult' },
);
export type PortfolioStressResult = Static<typeof PortfolioStressResult>;
