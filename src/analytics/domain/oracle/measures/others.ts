import { field, type Measure } from './measure.ts';

const hit = (name: string, said: string, words: readonly string[]): Measure => ({
  name,
  said,
  words,
  variants: [
    {
      tool: 'history_statistics',
      fields: [
        field(`hits.${name}.rate`, said, 'fraction', 'status'),
        field(`hits.${name}.hits`, 'times', 'plain', 'status'),
        field(`hits.${name}.trials`, 'of', 'plain', 'status'),
        field(`hits.${name}.lower`, 'interval starting at', 'fraction', 'status'),
        field(`hits.${name}.upper`, 'to', 'fraction', 'status'),
      ],
    },
    {
      with: ['span'],
      tool: 'history_statistics',
      fields: [
        field(`hits.${name}.rate`, said, 'fraction', 'status'),
        field(`hits.${name}.hits`, 'times', 'plain', 'status'),
        field(`hits.${name}.trials`, 'of', 'plain', 'status'),
      ],
    },
  ],
});

const often = (thing: string, did: readonly string[]) => [
  ...did.flatMap((verb) => [
    `how often did ${thing} ${verb}`,
    `how often do ${thing} ${verb}`,
    `how often does ${thing} ${verb}`,
    `how often has ${thing} ${verb}`,
    `how often have ${thing} ${verb}`,
    `how often ${thing} ${verb}`,
  ]),
  `${thing} hit rate`,
  `hit rate of ${thing}`,
  `how often does ${thing}`,
];
const verbs = ['work', 'worked', 'hold', 'held', 'holds'];
const all = (things: readonly string[], more: readonly string[] = []) => [
  ...things.flatMap((thing) => often(thing, [...verbs, ...more])),
  ...things.map((thing) => `how well did ${thing} work`),
];

const rules = [
  'long_volatility_negative_gamma',
  'momentum_negative_gamma',
  'reversion_positive_gamma',
  'above_flip',
  'always_long',
];
const backtest = rules.map((rule) =>
  field(`rules.${rule}.sharpe`, `Sharpe ratio of ${rule.replaceAll('_', ' ')}`, 'plain' as const, 'status'),
);
const drawdown = rules.map((rule) =>
  field(`rules.${rule}.max_drawdown`, `largest fall of ${rule.replaceAll('_', ' ')}`, 'fraction' as const, 'status'),
);

const gci = [
  field('gci', 'gamma confirmation index', 'plain', 'gci_status'),
  field('gci_excess', 'above chance by', 'plain', 'gci_status'),
  field('gci_p_value', 'p-value', 'plain', 'gci_status'),
  field('confirmed', 'levels confirmed', 'text', 'levels_status'),
];

/** Signals, positioning, hedging bands, off-exchange volume, and what the history says. */
export const otherMeasures: readonly Measure[] = [
  {
    name: 'signals',
    said: 'the signals',
    words: ['trading signal', 'trading signals', 'signals in force', 'anomaly', 'anomalies', 'active signals'],
    weakWords: ['signal', 'signals', 'alert', 'alerts', 'warning', 'warnings'],
    variants: [
      {
        tool: 'signals',
        fields: [
          field('in_force.count', 'signals in force', 'plain', 'signals_status'),
          field('in_force.kinds', 'which are', 'text'),
        ],
      },
    ],
  },
  {
    name: 'positioning',
    said: 'customers’ positions',
    words: [
      'positioning',
      'dealer inventory',
      'dealer position',
      'dealer positions',
      'customer positioning',
      'bought or sold',
      'bought and sold',
      'customers bought',
      'customers sold',
      'customers long or short',
      'customers buying',
      'customers selling',
    ],
    weakWords: ['position', 'positions', 'inventory'],
    variants: [
      {
        tool: 'positioning',
        fields: [
          field('calls.net', 'customers’ net calls', 'contracts'),
          field('puts.net', 'net puts', 'contracts'),
          field('coverage', 'share of open interest known', 'fraction'),
        ],
      },
    ],
  },
  {
    name: 'hedging_bands',
    said: 'the hedging band',
    words: ['hedging band', 'hedging bands', 'hedge band', 'hedge bands', 'rehedging band', 'rehedge'],
    weakWords: ['band', 'bands'],
    variants: [
      {
        tool: 'hedging_bands',
        fields: [
          field('lower.level', 'hedging band starting at', 'points', 'status'),
          field('upper.level', 'to', 'points', 'status'),
          field('half_width_pts', 'half width', 'points', 'status'),
        ],
      },
    ],
  },
  {
    name: 'dormant_zones',
    said: 'the dormant zones',
    words: [
      'dormant gamma',
      'dormant zone',
      'dormant zones',
      'dormant gamma zones',
      'activation probability',
      'activation probabilities',
      'activation zone',
      'activation zones',
    ],
    variants: [
      {
        tool: 'hedging_bands',
        fields: [
          field('nearest_zone.lower', 'nearest dormant zone starting at', 'points', 'zones_status'),
          field('nearest_zone.upper', 'to', 'points', 'zones_status'),
          field('nearest_zone.hit.p_1d', 'probability of reaching it within a trading day', 'fraction', 'zones_status'),
          field('nearest_zone.hit.p_close', 'before the close', 'fraction', 'zones_status'),
        ],
      },
    ],
  },
  {
    name: 'darkpool',
    said: 'the dark-pool overlay',
    words: [
      'dark pool',
      'darkpool',
      'dark pools',
      'dark-pool',
      'off exchange',
      'off-exchange',
      'dark pool volume',
      'dark volume',
    ],
    variants: [
      { tool: 'darkpool', fields: [field('dpi', 'off-exchange short share', 'fraction', 'dpi_status'), ...gci] },
    ],
  },
  {
    name: 'dark_confirmation',
    said: 'the dark confirmation',
    words: [
      'dark confirmation',
      'gci',
      'gamma confirmation',
      'gamma confirmation index',
      'dark pool confirm',
      'dark pools confirm',
      'dark pool confirmation',
      'dark pool confirms',
      'confirmed by dark pools',
      'confirmed by the dark pool',
      'confirmed by dark pool volume',
      'dark volume confirm',
      'dark volume confirms',
      'confirmed off exchange',
      'off-exchange volume confirm',
      'dark pool volume confirm',
      'dark pool volume confirms',
      'dark pool confirm the walls',
      'dark pool confirm the levels',
      'dark pool confirm the flip',
    ],
    variants: [{ tool: 'darkpool', fields: gci }],
  },
  {
    name: 'dpi',
    said: 'the off-exchange short share',
    words: [
      'dpi',
      'short volume',
      'dark short volume',
      'short share',
      'short volume share',
      'dark pool short volume',
      'off-exchange short volume',
    ],
    variants: [
      {
        tool: 'darkpool',
        fields: [
          field('dpi', 'off-exchange short share', 'fraction', 'dpi_status'),
          field('dpi_date', 'of', 'text', 'dpi_status'),
          field('dpi_z', 'deviations from its mean', 'plain', 'dpi_z_status'),
        ],
      },
    ],
  },
  {
    name: 'dix',
    said: 'DIX',
    words: ['dix', 'dark index'],
    variants: [{ tool: 'darkpool', fields: [field('dix', 'DIX', 'fraction', 'dix_status')] }],
  },
  hit(
    'flip_side_kept',
    'share of sessions that ended on the side of the flip they began on',
    all(['the flip', 'flip', 'flips', 'the gamma flip', 'gamma flip', 'gamma flips', 'the flips']),
  ),
  hit(
    'call_wall_held',
    'share of sessions that ended at or below the call wall',
    all(['the call wall', 'call wall', 'call walls']),
  ),
  hit(
    'put_wall_held',
    'share of sessions that ended at or above the put wall',
    all(['the put wall', 'put wall', 'put walls']),
  ),
  {
    name: 'statistics',
    said: 'the statistics',
    words: [
      'statistical analysis',
      'regression',
      'p-value',
      'p value',
      'hit rate',
      'hit rates',
      'statistically',
      'does gamma predict',
      'does gamma statistically predict',
      'gamma predict',
      'gamma statistically predict',
    ],
    weakWords: ['statistics', 'statistic', 'predict', 'correlated', 'significant'],
    variants: (['', 'span'] as const).map((kind) => ({
      ...(kind === 'span' && { with: ['span'] as const }),
      tool: 'history_statistics',
      fields: [
        field(
          'regressions.ngr.slope',
          'slope of the next session’s move on net over gross gamma',
          'plain' as const,
          'status',
        ),
        field('regressions.ngr.deflated_p', 'p-value, corrected for all tests', 'plain' as const, 'status'),
        field('present', 'sessions', 'plain' as const),
      ],
    })),
  },
  {
    name: 'backtest',
    said: 'the backtest',
    words: ['backtest', 'back test', 'back-test', 'backtests', 'sharpe', 'sharpe ratio', 'sharpe ratios'],
    variants: [
      { tool: 'history_backtest', fields: backtest },
      { with: ['span'], tool: 'history_backtest', fields: backtest },
    ],
  },
  {
    name: 'drawdown',
    said: 'the largest falls of the rules',
    words: ['drawdown', 'max drawdown', 'maximum drawdown', 'drawdowns'],
    variants: [
      { tool: 'history_backtest', fields: drawdown },
      { with: ['span'], tool: 'history_backtest', fields: drawdown },
    ],
  },
];
