import { type Static, Type } from 'typebox';
import { volRegimes } from '#src/analytics/domain/exposures/smile-dynamics.ts';
import { closed, number } from '#src/analytics/domain/schema-parts.ts';
import { GAMMA_FLIPS } from './flips-schema.ts';

const BUCKET = closed(
  {
    expiries: Type.Integer({ minimum: 0, description: 'Expiries in the bucket' }),
    gex: number('Their net gamma at spot, $ per +1 % spot'),
    gex_abs: number('Their gross gamma at spot, $ per +1 % spot'),
    flips: GAMMA_FLIPS,
  },
  { title: 'BucketFlip' },
);

/** Flips by bucket of expiries as the API sends them. */
export const BUCKET_FLIPS = closed(
  {
    vol_regime: Type.Enum(volRegimes, { description: 'How volatilities move with the spot' }),
    zero_dte: BUCKET,
    week: BUCKET,
    monthly: BUCKET,
    all: BUCKET,
  },
  {
    title: 'BucketFlips',
    description: 'Gamma flips of expiries that settle today, within seven days, on third Fridays, and of all',
  },
);

export type BucketFlips = Static<typeof BUCKET_FLIPS>;
