import { portfolioTools } from './portfolio-tools.ts';
import type { OracleTool } from './tool.ts';
import { symbolParameter as symbol, takes } from './tool-parameters.ts';

const generation = { enum: [1, 2, 3, 'ensemble'], description: 'Positioning model' };
const date = (description: string) => ({ type: 'string', format: 'date', description });

const current = takes({ symbol, generation });
const past = takes({ symbol, from: date('First session'), to: date('Last session') });

/** Every analysis the oracle may call; one a route. */
export const oracleTools: readonly OracleTool[] = [
  {
    name: 'gex',
    description: 'Net and gross gamma exposure of the dealers, by bucket of expiries, at a strike, and with its error',
    parameters: takes({
      symbol,
      generation,
      strike: {
        type: 'number',
        exclusiveMinimum: 0,
        maximum: 1e9,
        description: 'Net gamma of this strike alone, points',
      },
    }),
    facts: ['net_gex', 'gex_abs', 'flips.primary.level'],
  },
  {
    name: 'vex',
    description: 'Vanna exposure: dealers’ delta for a change of volatility',
    parameters: current,
    facts: ['net', 'gross', 'calls', 'puts'],
  },
  {
    name: 'cex',
    description: 'Charm exposure: dealers’ delta for a day that passes',
    parameters: current,
    facts: ['net', 'gross', 'calls', 'puts'],
  },
  {
    name: 'dsi',
    description: 'Dealer stability index: whether hedging absorbs or amplifies moves',
    parameters: current,
    facts: ['dsi', 'raw_share', 'percentile_252d'],
  },
  {
    name: 'regime',
    description: 'Gamma regime and how sure it is',
    parameters: current,
    facts: ['ngr', 'gir', 'confidence', 'net_gex'],
  },
  {
    name: 'levels',
    description: 'Gamma flip, walls, pin strike, max pain and expected move',
    parameters: current,
    facts: ['flip', 'call_wall', 'put_wall', 'expected_move_1d'],
  },
  {
    name: 'signals',
    description: 'Signals and alerts in force',
    parameters: takes({ symbol }),
  },
  {
    name: 'charm',
    description: 'Charm: delta that dealers shed as time passes',
    parameters: current,
    facts: ['flow_to_close', 'cex', 'flow_1d'],
  },
  {
    name: 'surface',
    description: 'Volatility surface, skew and term structure; volatility and skew at a tenor or a strike',
    parameters: takes({
      symbol,
      days: { type: 'number', exclusiveMinimum: 0, maximum: 3650, description: 'Calendar days to settlement' },
      strike: {
        type: 'number',
        exclusiveMinimum: 0,
        maximum: 1e9,
        description: 'Strike, points; at the money without',
      },
    }),
    facts: ['nearest.atm_volatility', 'nearest.skew', 'certificate.least_g'],
  },
  {
    name: 'flow_forecast',
    description: 'Expected hedging flow of the dealers for a move of spot over a horizon',
    parameters: takes({
      symbol,
      generation,
      horizon: { enum: ['30m', 'close', '1d'], description: 'How far ahead' },
      spot_shock_pct: {
        type: 'number',
        exclusiveMinimum: -100,
        maximum: 1000,
        description: 'Flow of this move of spot, percent',
      },
      vol_points: {
        type: 'number',
        minimum: -500,
        maximum: 500,
        description: 'Beside it, points added to every volatility',
      },
      hours: { type: 'number', minimum: 0, maximum: 87600, description: 'Calendar hours that pass beside it' },
    }),
    facts: ['forecast.mean_usd', 'forecast.impact_pct'],
  },
  {
    name: 'vcm',
    description: 'Vanna-charm meta-signal',
    parameters: current,
    facts: ['vcm', 'vanna_flow_usd', 'charm_flow_usd'],
  },
  {
    name: 'positioning',
    description: 'What customers bought and sold, by strike',
    parameters: current,
    facts: ['calls.net', 'puts.net', 'coverage'],
  },
  {
    name: 'charm_schedule',
    description: 'Charm flow of the day window by window, with activation times',
    parameters: current,
    facts: ['total_usd', 'peak.flow_usd'],
  },
  {
    name: 'hedging_bands',
    description: 'Hedging bands and dormant gamma zones with activation probabilities',
    parameters: current,
    facts: ['lower.level', 'upper.level', 'half_width_pts'],
  },
  {
    name: 'gtbr',
    description: 'Gamma-theta burn ratio and break-even range',
    parameters: current,
    facts: ['gtbr', 'range.lower', 'range.upper', 'net_carry_per_day'],
  },
  {
    name: 'shadow_gamma',
    description: 'Shadow gamma: gamma with the volatility that moves with spot',
    parameters: current,
    facts: ['gamma_adjustment_factor', 'instability_ratio', 'hidden_gamma', 'shadow_gex'],
  },
  {
    name: 'darkpool',
    description: 'Off-exchange short volume and the gamma confirmation index',
    parameters: takes({ symbol }),
  },
  ...portfolioTools,
  {
    name: 'history_regime',
    description: 'Regimes of past sessions',
    parameters: past,
    facts: ['first.ngr', 'last.ngr', 'first.gir', 'last.gir'],
  },
  {
    name: 'history_dsi',
    description: 'DSI of past sessions',
    parameters: past,
    facts: ['first.dsi', 'last.dsi'],
  },
  {
    name: 'history_levels',
    description: 'Levels of past sessions',
    parameters: past,
    facts: ['last.flip', 'last.call_wall', 'last.put_wall'],
  },
  {
    name: 'history_flips',
    description: 'Gamma flips of past sessions',
    parameters: past,
    facts: ['first.flip', 'last.flip'],
  },
  {
    name: 'history_statistics',
    description: 'Whether gamma and stability predicted the next session’s move, with intervals',
    parameters: past,
  },
  {
    name: 'history_backtest',
    description: 'How documented rules would have traded',
    parameters: past,
  },
];
