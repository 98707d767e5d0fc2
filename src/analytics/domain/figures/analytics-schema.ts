import { type Static, Type } from 'typebox';
import { SYMBOL } from '#src/analytics/domain/chain/symbol-schema.ts';
import { GAMMA_FLIPS } from '#src/analytics/domain/levels/flips-schema.ts';
import { BOOK_LEVELS } from '#src/analytics/domain/levels/levels-schema.ts';
import { GENERATION } from '#src/analytics/domain/positions/estimate-schema.ts';
import { REGIME } from '#src/analytics/domain/regime/regime-schema.ts';
import { closed, maybe, number } from '#src/analytics/domain/schema-parts.ts';

const dollars = (what: string, unit: string) => number(`${what}, in ${unit}`);
const counts = (description: string) => Type.Record(Type.String(), Type.Integer({ minimum: 0 }), { description });

const EXPOSURES = closed(
  {
    dex: dollars('Delta exposure of the dealers', '$ of delta'),
    net_gex: dollars('Net gamma exposure', '$ of dealer delta gained per +1 % spot'),
    gex_abs: dollars('Gross gamma exposure, every position taken as long', '$ of delta per +1 % spot'),
    vex: dollars('Vanna exposure', '$ of delta per +1 vol point'),
    cex: dollars('Charm exposure', '$ of delta per calendar day passing'),
    tex: dollars('Theta exposure', '$ per calendar day passing'),
    units: Type.Record(Type.String(), Type.String(), { description: 'Unit of each figure above' }),
  },
  { title: 'BookExposures', description: 'Exposures of the whole book' },
);

const STRIKE_ROW = closed(
  {
    strike: number('Strike, in points'),
    gex: dollars('Net gamma exposure of the strike, expiries summed', '$ per +1 % spot'),
    call_gex: dollars('Part of its calls', '$ per +1 % spot'),
    put_gex: dollars('Part of its puts', '$ per +1 % spot'),
    gex_abs: dollars('Gross gamma exposure', '$ per +1 % spot'),
    call_open_interest: number('Open interest of its calls, contracts'),
    put_open_interest: number('Open interest of its puts, contracts'),
  },
  { title: 'StrikeExposure' },
);

const LEVELS = closed(BOOK_LEVELS, { title: 'BookLevels', description: 'Walls and other levels of the whole book' });

const EXPIRY_ROW = closed(
  {
    root: Type.String({ description: 'OSI root' }),
    date: Type.String({ description: 'Expiry day, YYYY-MM-DD' }),
    settlement: Type.Enum(['am', 'pm'], { description: 'am: 09:30, pm: 16:00 New York' }),
    settles_at: Type.String({ description: 'Instant of settlement, ISO 8601' }),
    years: number('ACT/365 years from as_of to settlement'),
    contracts: Type.Integer({ description: 'Contracts used' }),
    open_interest: number('Their open interest, contracts'),
    gex: dollars('Net gamma exposure', '$ per +1 % spot'),
    gex_abs: dollars('Gross gamma exposure', '$ per +1 % spot'),
    atm_volatility: maybe('Volatility at the strikes around spot, decimal'),
    max_pain: maybe('Strike at which holders are paid least, points'),
    forward: number('Forward, points'),
    rate: number('Continuous rate per year, decimal'),
    dividend: number('Continuous yield per year that carries spot into the forward, decimal'),
    forward_method: Type.Enum(['parity', 'parity_pooled_rate', 'parity_near_money', 'spot'], {
      description:
        'Fitted by parity; with the rate of the whole chain; near the money only (American); or spot with r = q = 0',
    }),
    forward_strikes: Type.Integer({ description: 'Strikes in the fit' }),
    forward_standard_error: maybe('Standard error of the forward, points; null without a fit'),
  },
  { title: 'ExpiryExposure' },
);

const QUALITY = closed(
  {
    contracts_used: Type.Integer({ description: 'Contracts every figure is computed from' }),
    dropped: counts('Rows of the source left out, by reason'),
    volatility_sources: counts('Contracts used, by where their volatility comes from'),
    coverage: maybe('Share of the clean chain’s open interest that is used, 0 to 1; null where it has none'),
  },
  { title: 'ChainQuality', description: 'Data that the figures were computed from, and data that were left out' },
);

/** Result of `analyzeChain`, as the API sends it: finite numbers or null, no NaN. */
export const CHAIN_ANALYTICS = closed(
  {
    symbol: SYMBOL(),
    name: Type.String({ description: 'Name the source gives it; says "synthetic" for a generated chain' }),
    source: Type.Enum(['cboe_csv', 'cboe_json', 'synthetic'], {
      description: 'Form of the source; `synthetic` is made up here',
    }),
    as_of: Type.String({ description: 'The chain’s own timestamp, ISO 8601' }),
    spot: number('Underlying price, points'),
    multiplier: number('Shares per contract'),
    adv_usd: number('Dollars traded per day that the liquidity figures are scaled by'),
    generation: GENERATION,
    exercise: Type.Enum(['european', 'de_americanised'], {
      description: 'de_americanised: American options, priced as European at the volatility of their American price',
    }),
    exposures: EXPOSURES,
    profile_by_strike: Type.Array(STRIKE_ROW, { description: 'Ascending strikes with open interest' }),
    gamma_profile: closed(
      {
        spots: Type.Array(Type.Number(), {
          description: 'Spots within ±15 %, points, evenly spaced in their logarithm',
        }),
        gex: Type.Array(Type.Number(), { description: 'Net GEX there, sticky strike, $ per +1 % spot' }),
      },
      { title: 'GammaProfile', description: 'Net gamma at other spots' },
    ),
    flips: GAMMA_FLIPS,
    levels: LEVELS,
    regime: REGIME,
    expiries: Type.Array(EXPIRY_ROW, { description: 'By time to settlement' }),
    quality: QUALITY,
  },
  { title: 'ChainAnalytics', description: 'Dealer-positioning analytics of one option chain' },
);

export type ChainAnalytics = Static<typeof CHAIN_ANALYTICS>;
