import { type Static, Type } from 'typebox';
import { closed, maybe, number, orNull } from '#src/analytics/domain/schema-parts.ts';

export const ruleNames = [
  'long_volatility_negative_gamma',
  'momentum_negative_gamma',
  'reversion_positive_gamma',
  'above_flip',
  'always_long',
] as const;
export type RuleName = (typeof ruleNames)[number];

const POINT = closed(
  {
    session: Type.String({ description: 'Session the position was held into, YYYY-MM-DD' }),
    decided_at: number('Instant of the decision and of the price it traded at, epoch milliseconds'),
    position: Type.Enum([-1, 0, 1], { description: 'Short, none or long, one unit of notional' }),
    net_return: number('Return of the interval after costs, decimal of notional'),
    equity: number('Sum of net returns so far, decimal of notional'),
  },
  { title: 'BacktestPoint' },
);

const RULE = closed(
  {
    rule: Type.Enum(ruleNames, { description: 'Name of the rule' }),
    meaning: Type.String({ description: 'What it holds, and when' }),
    sessions: Type.Integer({ description: 'Intervals it could decide on' }),
    active: Type.Integer({ description: 'Intervals with a position' }),
    trades: Type.Integer({ description: 'Intervals at whose start it paid costs' }),
    total_return: number('Sum of net returns, decimal of a constant notional'),
    costs: number('Costs paid, decimal of notional; part of total_return'),
    mean_return: maybe('Mean net return an interval, decimal'),
    sharpe: maybe('Mean over standard deviation of all intervals, times √252; null where they do not vary'),
    sharpe_lower: maybe('Lower end of its stationary bootstrap interval'),
    sharpe_upper: maybe('Upper end'),
    max_drawdown: number('Largest fall of equity from its height, decimal of notional, at least 0'),
    hits: Type.Integer({ description: 'Active intervals with a net gain' }),
    hit_rate: maybe('Hits over active intervals'),
    hit_lower: maybe('Lower end of Wilson’s interval'),
    hit_upper: maybe('Upper end of Wilson’s interval'),
    p: maybe(
      'Share of circular shifts of the positions that earn as much before costs; null where positions do not vary',
    ),
    deflated_p: maybe('The same corrected for the number of rules tested (Holm-Šidák)'),
    curve: Type.Array(POINT, { description: 'Every interval' }),
  },
  { title: 'BacktestRule' },
);

/** Results of rules that decide with what was known at the time. */
export const BACKTEST = closed(
  {
    status: Type.Enum(['ok', 'insufficient_history'], { description: 'insufficient_history: too few intervals' }),
    needed: Type.Integer({ description: 'Intervals with figures needed' }),
    present: Type.Integer({ description: 'Intervals with figures there are' }),
    first_session: orNull(Type.String({ description: 'First session, YYYY-MM-DD' })),
    last_session: orNull(Type.String({ description: 'Last session, YYYY-MM-DD' })),
    cost_bps: number('Cost of a trade of one notional, basis points'),
    straddle_cost_bps: number('Cost of a one-day straddle on one notional, basis points'),
    tests: Type.Integer({ description: 'Rules tested' }),
    level: number('Level of every interval, 0 to 1'),
    rules: Type.Array(RULE, { description: 'Each rule; empty where history is insufficient' }),
  },
  { title: 'Backtest', description: 'Backtest of a documented set of rules without look-ahead' },
);
export type Backtest = Static<typeof BACKTEST>;
