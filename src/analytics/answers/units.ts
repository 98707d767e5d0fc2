import { exposureUnits } from '#src/analytics/domain/exposures/exposures.ts';

/** Units of every figure of an analytics answer. */
export const analyticsUnits: Readonly<Record<string, string>> = {
  ...exposureUnits,
  spot: 'points',
  level: 'points',
  pnl: '$',
  portfolio_return: 'decimal',
};
