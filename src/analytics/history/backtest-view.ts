import { type Static, Type } from 'typebox';
import { BACKTEST, type Backtest } from '#src/analytics/domain/history/backtest-schema.ts';

const { rules } = BACKTEST.properties;
const { curve } = rules.items.properties;
const strict = { additionalProperties: false };

const POINT_VIEW = Type.Object(
  {
    ...curve.items.properties,
    decided_at: Type.String({
      format: 'date-time',
      description: 'Instant of the decision and of the price it traded at',
    }),
  },
  strict,
);
const RULE_VIEW = Type.Object(
  { ...rules.items.properties, curve: Type.Array(POINT_VIEW, { description: 'Every interval' }) },
  strict,
);

/** A backtest as it is answered: its instants as text, as everywhere in the API. */
export const BACKTEST_VIEW = Type.Object(
  {
    ...BACKTEST.properties,
    rules: Type.Array(RULE_VIEW, { description: 'Each rule; empty where history is insufficient' }),
  },
  { ...strict, description: 'Backtest of a documented set of rules without look-ahead' },
);

export function backtestView({ rules: found, ...backtest }: Backtest): Static<typeof BACKTEST_VIEW> {
  return {
    ...backtest,
    rules: found.map((rule) => ({
      ...rule,
      curve: rule.curve.map((point) => ({ ...point, decided_at: new Date(point.decided_at).toISOString() })),
    })),
  };
}
