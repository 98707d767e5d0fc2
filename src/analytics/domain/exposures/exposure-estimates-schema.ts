import { type Static, Type } from 'typebox';
import { ESTIMATE } from '#src/analytics/domain/positions/estimate-schema.ts';
import { closed, maybe, number } from '#src/analytics/domain/schema-parts.ts';

/** The exposures of a book under one generation of positions, each with its error. */
export const EXPOSURE_ESTIMATES = closed({
  dex: ESTIMATE,
  gex: ESTIMATE,
  vex: ESTIMATE,
  cex: ESTIMATE,
  gex_abs: number(
    'Gross gamma, all open interest taken as long, $ of delta per +1 % spot; bounds |gex| but for trades of today',
  ),
  units: Type.Record(Type.String(), Type.String(), { description: 'Unit of each exposure' }),
  gex_by_strike: Type.Array(
    closed({
      strike: number('Points'),
      gex: number('Net gamma of the strike, all expiries, $ of delta per +1 % spot'),
      sd: maybe('Standard deviation from positioning, same unit; null in generation 1'),
      p_positive: maybe('Probability that it is above zero, 0 to 1; null without sd'),
    }),
    { description: 'Ascending; strikes that neither hold nor may hold anything are left out' },
  ),
  gex_by_expiry: Type.Array(
    closed({
      expiry: Type.String({ description: 'Root and day' }),
      years: number('ACT/365 years to settlement'),
      gex: number('Net gamma of the expiry, all strikes, $ of delta per +1 % spot'),
      sd: maybe('Standard deviation from positioning, same unit; null in generation 1'),
      p_positive: maybe('Probability that it is above zero, 0 to 1; null without sd'),
    }),
    { description: 'In the order of settlement' },
  ),
});

export type ExposureEstimates = Static<typeof EXPOSURE_ESTIMATES>;
