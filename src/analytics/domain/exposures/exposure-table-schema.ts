import { type Static, Type } from 'typebox';
import { closed, maybe, number } from '#src/analytics/domain/schema-parts.ts';

const sums = {
  net: number('Net exposure of the dealers, in the unit of the table'),
  calls: number('Part of calls'),
  puts: number('Part of puts'),
  gross: number('Sum of the absolute exposures of single contracts'),
};

const error = {
  sd: maybe('Standard deviation of net from positioning, in the unit of the table; null in generation 1'),
  p_positive: maybe('Probability that net is above zero, 0 to 1; null without sd'),
};

/** An exposure by strike and by expiry as the API sends it. */
export const EXPOSURE_TABLE = closed(
  {
    unit: Type.String({ description: 'Unit of every exposure of the table' }),
    ...sums,
    by_strike: Type.Array(closed({ strike: number('Strike, points'), ...sums, ...error }), {
      description: 'Ascending strikes, expiries summed; strikes that neither hold nor may hold anything left out',
    }),
    by_expiry: Type.Array(
      closed({
        expiry: Type.String({ description: 'Root and day' }),
        years: number('ACT/365 years to settlement'),
        ...sums,
        ...error,
      }),
      { description: 'In the order of settlement' },
    ),
  },
  { title: 'ExposureTable', description: 'An exposure of the dealers by strike and by expiry' },
);

export type ExposureTable = Static<typeof EXPOSURE_TABLE>;
