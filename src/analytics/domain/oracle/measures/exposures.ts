import { field, type Measure, type Variant } from './measure.ts';

const bucketGex = (bucket: string, said: string): Variant => ({
  with: ['bucket'],
  of: bucket,
  tool: 'gex',
  fields: [
    field(`flips_by_bucket.${bucket}.gex`, `net gamma of ${said}`, 'usd_per_pct'),
    field(`flips_by_bucket.${bucket}.gex_abs`, 'gross', 'usd_per_pct'),
    field(`flips_by_bucket.${bucket}.expiries`, 'expiries', 'plain'),
  ],
});

const sure = (path: string, said: string, unit: 'usd_per_pct' | 'usd' | 'usd_per_vol_point' | 'usd_per_day') => [
  field(`${path}.value`, said, unit),
  field(`${path}.sd`, 'standard deviation of positions', unit, 'no_error'),
  field(`${path}.p_positive`, 'probability that it is above zero', 'fraction', 'no_error'),
];

const net = field('net_gex', 'net gamma', 'usd_per_pct');
const gross = field('gex_abs', 'gross gamma', 'usd_per_pct');

const past = (field_: string, said: string): readonly Variant[] => [
  { with: ['date'], tool: 'history_flips', fields: [field(`last.${field_}`, said, 'usd_per_pct')] },
  {
    with: ['span'],
    tool: 'history_flips',
    fields: ['first', 'last'].map((at) => field(`${at}.${field_}`, said, 'usd_per_pct')),
  },
  { with: ['opening'], tool: 'history_flips', fields: [field(`opening.${field_}`, said, 'usd_per_pct')] },
];

const regime = [
  field('state', 'regime', 'text'),
  field('ngr', 'net over gross gamma', 'fraction'),
  field('net_gex', 'net gamma', 'usd_per_pct'),
];
const regimePast = (at: string) => [
  field(`${at}.state`, 'regime', 'text'),
  field(`${at}.ngr`, 'net over gross gamma', 'fraction'),
];

/** Gamma, delta, vanna and charm exposure, regime and stability. */
export const exposureMeasures: readonly Measure[] = [
  {
    name: 'gex',
    said: 'net gamma',
    words: [
      'gex',
      'gamma exposure',
      'net gamma',
      'net gex',
      'dealer gamma',
      'dealers gamma',
      'dealers’ gamma',
      "dealers' gamma",
      'gamma',
    ],
    variants: [
      { tool: 'gex', fields: [net, gross] },
      bucketGex('zero_dte', 'today’s expiries'),
      bucketGex('week', 'expiries within seven days'),
      bucketGex('monthly', 'monthly expiries'),
      { with: ['certainty'], tool: 'gex', fields: sure('estimate', 'net gamma', 'usd_per_pct') },
      {
        with: ['strike'],
        tool: 'gex',
        fields: [
          field('strike.gex', 'net gamma of the strike', 'usd_per_pct', 'strike_status'),
          field('strike.strike', 'at', 'points'),
        ],
      },
      {
        with: ['weights'],
        tool: 'portfolio_analyze',
        fields: [
          field('net_gex', 'net gamma of the portfolio', 'usd_per_pct'),
          field('gex_abs', 'gross', 'usd_per_pct'),
        ],
      },
      { with: ['move'], tool: 'portfolio_stress', fields: [field('net_gex', 'net gamma after it', 'usd_per_pct')] },
      ...past('net_gex', 'net gamma'),
    ],
  },
  {
    name: 'gross_gamma',
    said: 'gross gamma',
    words: ['gross gamma', 'gross gex', 'total gamma', 'absolute gamma exposure', 'gross gamma exposure'],
    variants: [{ tool: 'gex', fields: [gross] }],
  },
  {
    name: 'top_expiry',
    said: 'the expiry with the most gamma',
    words: [
      'top expiry',
      'top expiration',
      'biggest expiry',
      'largest expiry',
      'which expiry',
      'which expiration',
      'which expiry has the most gamma',
      'which expiry holds the most gamma',
      'which expiry carries the most gamma',
      'which expiration has the most gamma',
      'expiry with the most gamma',
      'expiration with the most gamma',
      'gamma by expiry',
      'expiry has the most gamma',
      'dominant expiry',
      'main expiry',
      'expiry matters most',
    ],
    variants: [
      {
        tool: 'gex',
        fields: [
          field('top_expiry.expiry', 'expiry with the most net gamma by size', 'text'),
          field('top_expiry.gex', 'its net gamma', 'usd_per_pct'),
        ],
      },
    ],
  },
  {
    name: 'dex',
    said: 'delta exposure',
    words: ['dex', 'delta exposure', 'net delta', 'dealer delta', "dealers' delta"],
    variants: [
      { tool: 'gex', fields: [field('dex_estimate.value', 'delta exposure', 'usd')] },
      { with: ['certainty'], tool: 'gex', fields: sure('dex_estimate', 'delta exposure', 'usd') },
    ],
  },
  {
    name: 'vex',
    said: 'vanna exposure',
    words: ['vex', 'vanna exposure', 'net vanna', 'dealer vanna', 'vanna'],
    variants: [
      {
        tool: 'vex',
        fields: [field('net', 'vanna exposure', 'usd_per_vol_point'), field('gross', 'gross', 'usd_per_vol_point')],
      },
      { with: ['certainty'], tool: 'vex', fields: sure('estimate', 'vanna exposure', 'usd_per_vol_point') },
    ],
  },
  {
    name: 'cex',
    said: 'charm exposure',
    words: ['cex', 'charm exposure', 'net charm'],
    variants: [
      { tool: 'cex', fields: [field('net', 'charm exposure', 'usd_per_day'), field('gross', 'gross', 'usd_per_day')] },
      { with: ['certainty'], tool: 'cex', fields: sure('estimate', 'charm exposure', 'usd_per_day') },
    ],
  },
  {
    name: 'regime',
    said: 'the regime',
    words: [
      'gamma regime',
      'long gamma or short gamma',
      'short gamma or long gamma',
      'long or short gamma',
      'short or long gamma',
      'positive or negative gamma',
      'negative or positive gamma',
      'long gamma',
      'short gamma',
      'positive gamma',
      'negative gamma',
      'gamma positive',
      'gamma negative',
      'gamma positive or negative',
      'damp or amplify',
      'amplify or damp',
      'dampen or amplify',
      'suppress or amplify',
    ],
    weakWords: ['regime', 'amplify', 'damp', 'dampen'],
    variants: [
      { tool: 'regime', fields: regime },
      {
        with: ['certainty'],
        tool: 'regime',
        fields: [
          regime[0]!,
          field('confidence', 'probability of the sign of net gamma', 'fraction', 'no_error'),
          field('reason', 'decided by', 'text'),
        ],
      },
      { with: ['date'], tool: 'history_regime', fields: regimePast('last') },
      { with: ['span'], tool: 'history_regime', fields: [...regimePast('first'), ...regimePast('last')] },
      { with: ['opening'], tool: 'history_regime', fields: regimePast('opening') },
      {
        with: ['move'],
        tool: 'portfolio_stress',
        fields: [
          field('regime.state', 'regime after it', 'text'),
          field('net_gex', 'net gamma after it', 'usd_per_pct'),
        ],
      },
    ],
  },
  {
    name: 'ngr',
    said: 'net over gross gamma',
    words: ['ngr', 'net over gross gamma', 'net to gross', 'net gamma ratio', 'gamma ratio'],
    variants: [
      { tool: 'regime', fields: [field('ngr', 'net over gross gamma', 'fraction')] },
      { with: ['date'], tool: 'history_regime', fields: [field('last.ngr', 'net over gross gamma', 'fraction')] },
    ],
  },
  {
    name: 'gir',
    said: 'gamma over volume',
    words: ['gir', 'gamma imbalance', 'share of volume', 'gamma over adv', 'gamma versus volume'],
    variants: [
      {
        tool: 'regime',
        fields: [
          field('gir', 'share of a day’s volume that dealers trade on a move of one standard deviation', 'fraction'),
        ],
      },
    ],
  },
  {
    name: 'dsi',
    said: 'the Dealer Stability Index',
    words: ['dsi', 'dealer stability', 'dealer stability index', 'stability index'],
    weakWords: ['stable', 'stability', 'fragile', 'fragility'],
    variants: [
      { tool: 'dsi', fields: [field('dsi', 'Dealer Stability Index', 'plain'), field('reading', 'reading', 'text')] },
      {
        with: ['percentile'],
        tool: 'dsi',
        fields: [
          field('dsi', 'Dealer Stability Index', 'plain'),
          field('percentile_252d', 'percentile among the sessions of a year', 'percent', 'status'),
        ],
      },
      {
        with: ['certainty'],
        tool: 'dsi',
        fields: [
          field('dsi', 'Dealer Stability Index', 'plain'),
          field('band.low', 'lower end of its band', 'plain', 'no_error'),
          field('band.high', 'upper end', 'plain', 'no_error'),
        ],
      },
      { with: ['date'], tool: 'history_dsi', fields: [field('last.dsi', 'Dealer Stability Index', 'plain')] },
      {
        with: ['span'],
        tool: 'history_dsi',
        fields: [
          field('first.dsi', 'Dealer Stability Index', 'plain'),
          field('last.dsi', 'Dealer Stability Index', 'plain'),
        ],
      },
    ],
  },
  {
    name: 'shadow_gamma',
    said: 'shadow gamma',
    words: ['shadow gamma', 'shadow gex'],
    variants: [
      {
        tool: 'shadow_gamma',
        fields: [
          field('shadow_gex', 'net gamma with volatility that moves with spot', 'usd_per_pct'),
          field('hidden_gamma', 'of it hidden', 'usd_per_pct'),
          field('gamma_adjustment_factor', 'factor', 'plain'),
        ],
      },
    ],
  },
  {
    name: 'hidden_gamma',
    said: 'hidden gamma',
    words: ['hidden gamma'],
    variants: [{ tool: 'shadow_gamma', fields: [field('hidden_gamma', 'hidden gamma', 'usd_per_pct')] }],
  },
  {
    name: 'gamma_adjustment',
    said: 'the gamma adjustment factor',
    words: ['gamma adjustment', 'gamma adjustment factor', 'adjustment factor'],
    variants: [
      { tool: 'shadow_gamma', fields: [field('gamma_adjustment_factor', 'gamma adjustment factor', 'plain')] },
    ],
  },
  {
    name: 'instability',
    said: 'the instability ratio',
    words: ['instability ratio'],
    weakWords: ['instability', 'unstable'],
    variants: [{ tool: 'shadow_gamma', fields: [field('instability_ratio', 'instability ratio', 'plain')] }],
  },
];
