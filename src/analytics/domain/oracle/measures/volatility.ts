import { field, type Measure } from './measure.ts';

const term = ['week', 'month', 'quarter', 'year'].map((span) => field(`term.${span}`, `a ${span} out`, 'fraction'));
const gtbrState = field('state', 'reading', 'text');

/** Volatility, its surface, and what realised against it. */
export const volatilityMeasures: readonly Measure[] = [
  {
    name: 'atm_volatility',
    said: 'volatility at the money',
    words: [
      'atm vol',
      'atm volatility',
      'atm iv',
      'at the money vol',
      'at-the-money vol',
      'at the money volatility',
      'at-the-money volatility',
      'atm implied vol',
      'atm implied volatility',
      'implied vol',
      'implied volatility',
      'implied vols',
      'option vol',
    ],
    weakWords: ['iv', 'vol', 'volatility', 'atm'],
    variants: [
      { tool: 'levels', fields: [field('atm_volatility', 'volatility at the money, a month out', 'fraction')] },
      {
        with: ['tenor'],
        tool: 'surface',
        fields: [
          field('at.volatility', 'volatility at the money', 'fraction', 'at.status'),
          field('at.days', 'days out', 'days'),
        ],
      },
      {
        with: ['bucket'],
        of: 'zero_dte',
        tool: 'surface',
        fields: [
          field('today.atm_volatility', 'volatility at the money of today’s expiry', 'fraction', 'today_status'),
        ],
      },
      {
        with: ['strike', 'tenor'],
        tool: 'surface',
        fields: [
          field('at.volatility', 'volatility of the strike', 'fraction', 'at.status'),
          field('at.strike', 'strike', 'points'),
          field('at.days', 'days out', 'days'),
        ],
      },
      {
        with: ['date'],
        tool: 'history_levels',
        fields: [field('last.atm_volatility', 'volatility at the money, a month out', 'fraction')],
      },
      {
        with: ['span'],
        tool: 'history_levels',
        fields: ['first', 'last'].map((at) =>
          field(`${at}.atm_volatility`, 'volatility at the money, a month out', 'fraction'),
        ),
      },
    ],
  },
  {
    name: 'skew',
    said: 'skew',
    words: ['skew', 'put skew', 'smile slope', 'vol skew', 'volatility skew', 'implied volatility skew'],
    variants: [
      {
        tool: 'surface',
        adds: { days: 30 },
        fields: [field('at.skew', 'skew at the money', 'skew', 'at.status'), field('at.days', 'days out', 'days')],
      },
      {
        with: ['tenor'],
        tool: 'surface',
        fields: [field('at.skew', 'skew at the money', 'skew', 'at.status'), field('at.days', 'days out', 'days')],
      },
      {
        with: ['bucket'],
        of: 'zero_dte',
        tool: 'surface',
        fields: [field('today.skew', 'skew at the money of today’s expiry', 'skew', 'today_status')],
      },
    ],
  },
  {
    name: 'term_structure',
    said: 'the term structure',
    words: ['term structure', 'vol curve', 'volatility curve', 'vol term structure', 'contango', 'backwardation'],
    variants: [{ tool: 'surface', fields: term }],
  },
  {
    name: 'surface',
    said: 'the volatility surface',
    words: ['vol surface', 'volatility surface', 'essvi', 'svi', 'surface'],
    variants: [{ tool: 'surface', fields: [...term, field('certificate.least_g', 'least density factor g', 'plain')] }],
  },
  {
    name: 'certificate',
    said: 'the certificate of the surface',
    words: [
      'arbitrage free',
      'arbitrage-free',
      'free of arbitrage',
      'certificate',
      'butterfly arbitrage',
      'calendar arbitrage',
      'arbitrage',
    ],
    variants: [
      {
        tool: 'surface',
        fields: [
          field('certificate.least_g', 'least density factor g (below zero is butterfly arbitrage)', 'plain'),
          field('certificate.least_calendar_gap', 'least calendar gap', 'plain'),
        ],
      },
    ],
  },
  {
    name: 'realised_volatility',
    said: 'realised volatility',
    words: [
      'realised vol',
      'realized vol',
      'realised volatility',
      'realized volatility',
      'historical vol',
      'historical volatility',
      'rv',
    ],
    variants: [{ tool: 'gtbr', fields: [field('realised_volatility', 'realised volatility', 'fraction', 'status')] }],
  },
  {
    name: 'gtbr',
    said: 'the gamma-theta burn ratio',
    words: ['gtbr', 'burn ratio', 'gamma theta', 'gamma-theta', 'gamma-theta burn ratio', 'gamma theta burn ratio'],
    variants: [{ tool: 'gtbr', fields: [field('gtbr', 'gamma-theta burn ratio', 'plain', 'status'), gtbrState] }],
  },
  {
    name: 'breakeven',
    said: 'the break-even range',
    words: ['breakeven range', 'break-even range', 'break even range', 'breakeven move', 'break-even move'],
    weakWords: ['breakeven', 'break-even', 'break even', 'breakevens'],
    variants: [
      {
        tool: 'gtbr',
        fields: [
          field('range.lower', 'break-even range starting at', 'points', 'status'),
          field('range.upper', 'to', 'points', 'status'),
          field('breakeven_move_pts_1d', 'a day’s move at which gamma pays for theta', 'points', 'status'),
        ],
      },
    ],
  },
  {
    name: 'burn_used',
    said: 'the burn used',
    words: ['burn used', 'theta burned', 'burned today'],
    variants: [
      {
        tool: 'gtbr',
        fields: [
          field(
            'burn_used',
            'realised variance of the session over what its part was priced for',
            'plain',
            'burn_status',
          ),
        ],
      },
    ],
  },
  {
    name: 'net_carry',
    said: 'the net carry',
    words: ['net carry', 'carry per day', 'dealer carry', 'theta income'],
    weakWords: ['carry', 'theta'],
    variants: [
      {
        tool: 'gtbr',
        fields: [field('net_carry_per_day', 'dealers’ gamma profit less theta', 'usd_per_day', 'status')],
      },
    ],
  },
];
