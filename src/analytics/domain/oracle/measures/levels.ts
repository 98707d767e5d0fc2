import { field, type Measure, type Variant } from './measure.ts';

/** A level that its own route, the history and the opening of a session have. */
function level(path: string, said: string, more: readonly Variant[] = []): readonly Variant[] {
  const at = (place: string) => field(`${place}.${path}`, said, 'points');
  return [
    { tool: 'levels', fields: [field(path, said, 'points')] },
    { with: ['date'], tool: 'history_levels', fields: [at('last')] },
    { with: ['span'], tool: 'history_levels', fields: [at('first'), at('last')] },
    { with: ['opening'], tool: 'history_levels', fields: [at('opening')] },
    { with: ['opening', 'date'], tool: 'history_levels', fields: [at('opening')] },
    { with: ['distance'], tool: 'levels', fields: distance(path, said) },
    ...more,
  ];
}

function distance(path: string, said: string) {
  return [
    field(`distances.${path}.distance_pct`, `${said} from spot`, 'percent'),
    field(`distances.${path}.distance_points`, 'or', 'points'),
    field(path, said, 'points'),
    field('spot', 'spot', 'points'),
  ];
}

const bucketFlip = (bucket: string, said: string): Variant => ({
  with: ['bucket'],
  of: bucket,
  tool: 'gex',
  fields: [
    field(
      `flips_by_bucket.${bucket}.flips.primary.level`,
      `gamma flip of ${said}`,
      'points',
      `flips_by_bucket.${bucket}.flips.status`,
    ),
  ],
});

const interval = [
  field('flip_interval.flip', 'gamma flip', 'points'),
  field('flip_interval.low', 'one standard deviation of positions below', 'points', 'flip_interval_why'),
  field('flip_interval.high', 'and above', 'points', 'flip_interval_why'),
];

const pinFields = [field('pin_strike', 'pin strike of today’s expiries', 'points', 'pin_status')];

const move = [
  field('expected_move_1d', 'expected move of a day, one standard deviation', 'points'),
  field('expected_range_1d.lower', 'starting at', 'points'),
  field('expected_range_1d.upper', 'to', 'points'),
];

/** Strikes and levels. */
export const levelMeasures: readonly Measure[] = [
  {
    name: 'flip',
    said: 'the gamma flip',
    words: [
      'gamma flip',
      'zero gamma',
      'zero-gamma',
      'zero gamma level',
      'flip level',
      'flip point',
      'vol trigger',
      'volatility trigger',
    ],
    weakWords: ['flip', 'gamma flips'],
    variants: [
      ...level('flip', 'gamma flip'),
      bucketFlip('zero_dte', 'today’s expiries'),
      bucketFlip('week', 'expiries within seven days'),
      bucketFlip('monthly', 'monthly expiries'),
      { with: ['certainty'], tool: 'levels', fields: interval },
    ],
  },
  {
    name: 'flip_distance',
    said: 'the distance to the gamma flip',
    words: [
      'above the flip',
      'below the flip',
      'above the gamma flip',
      'below the gamma flip',
      'above or below the flip',
      'above or below the gamma flip',
      'above or below its flip',
      'side of the flip',
      'side of the gamma flip',
    ],
    variants: [{ tool: 'levels', fields: distance('flip', 'gamma flip') }],
  },
  {
    name: 'flip_interval',
    said: 'the interval of the gamma flip',
    words: [
      'flip interval',
      'flip band',
      'flip range',
      'interval of the flip',
      'band of the flip',
      'range of the flip',
      'interval of the gamma flip',
      'band of the gamma flip',
      'range of the gamma flip',
    ],
    variants: [{ tool: 'levels', fields: interval }],
  },
  {
    name: 'call_wall',
    said: 'the call wall',
    words: ['call wall', 'call resistance'],
    weakWords: ['resistance'],
    variants: level('call_wall', 'call wall'),
  },
  {
    name: 'put_wall',
    said: 'the put wall',
    words: ['put wall', 'put support'],
    weakWords: ['support'],
    variants: level('put_wall', 'put wall'),
  },
  {
    name: 'walls',
    said: 'the walls',
    words: ['gamma walls', 'call and put wall', 'put and call wall'],
    weakWords: ['walls', 'wall', 'gamma wall'],
    variants: (['last', 'opening', ''] as const)
      .map((place) => ({
        ...(place === 'last' && { with: ['date'] as const }),
        ...(place === 'opening' && { with: ['opening'] as const }),
        tool: place === '' ? 'levels' : 'history_levels',
        fields: [
          field(place === '' ? 'call_wall' : `${place}.call_wall`, 'call wall', 'points' as const),
          field(place === '' ? 'put_wall' : `${place}.put_wall`, 'put wall', 'points' as const),
        ],
      }))
      .concat([
        {
          with: ['span'] as never,
          tool: 'history_levels',
          fields: ['first', 'last'].flatMap((place) => [
            field(`${place}.call_wall`, 'call wall', 'points' as const),
            field(`${place}.put_wall`, 'put wall', 'points' as const),
          ]),
        },
      ]),
  },
  {
    name: 'abs_gamma',
    said: 'the strike with the most gamma',
    words: [
      'abs gamma',
      'absolute gamma strike',
      'largest gamma',
      'most gamma',
      'max gamma',
      'biggest gamma',
      'highest gamma',
      'gamma magnet',
      'gamma strike',
      'biggest gamma strike',
      'which strike has the most gamma',
      'strike with the most gamma',
      'strike has the most gamma',
      'strike with most gamma',
      'largest gamma strike',
    ],
    variants: level('abs_gamma', 'strike with the most gross gamma'),
  },
  {
    name: 'hvl',
    said: 'the high volatility level',
    words: ['hvl', 'high volatility level', 'high vol level'],
    variants: level('hvl', 'high volatility level (HVL)'),
  },
  {
    name: 'max_pain',
    said: 'max pain',
    words: ['max pain', 'maximum pain', 'max-pain'],
    variants: [
      {
        tool: 'levels',
        fields: [
          field('max_pain_next.level', 'max pain of the next expiry', 'points'),
          field('max_pain_next.expiry', 'which is', 'text'),
        ],
      },
      {
        with: ['bucket'],
        of: 'zero_dte',
        tool: 'levels',
        fields: [
          field('max_pain_today.level', 'max pain of today’s expiry', 'points', 'max_pain_today_status'),
          field('max_pain_today.expiry', 'which is', 'text', 'max_pain_today_status'),
        ],
      },
    ],
  },
  {
    name: 'pin',
    said: 'the pin strike',
    words: ['pin strike', 'pinning', 'pin level', 'pinned'],
    weakWords: ['pin'],
    variants: [
      { tool: 'levels', fields: pinFields },
      { with: ['bucket'], of: 'zero_dte', tool: 'levels', fields: pinFields },
      { with: ['horizon'], of: 'close', tool: 'levels', fields: pinFields },
    ],
  },
  {
    name: 'expected_move',
    said: 'the expected move',
    words: [
      'expected move',
      'implied move',
      'expected range',
      'daily move',
      'priced move',
      'one sigma move',
      'one-sigma move',
      '1 sigma move',
      '1-sigma move',
      'one standard deviation move',
      'expected to move',
      'priced to move',
      'move is priced',
      'move priced in',
      'move is priced in',
    ],
    variants: [
      { tool: 'levels', fields: move },
      { with: ['horizon'], of: '1d', tool: 'levels', fields: move },
      { with: ['tenor'], of: '1', tool: 'levels', fields: move },
      {
        with: ['date'],
        tool: 'history_levels',
        fields: [field('last.expected_move_1d', 'expected move of a day, one standard deviation', 'points')],
      },
    ],
  },
  {
    name: 'levels',
    said: 'the levels',
    words: ['key level', 'key levels', 'important levels'],
    weakWords: ['level', 'levels'],
    variants: [
      {
        tool: 'levels',
        fields: [
          field('flip', 'gamma flip', 'points'),
          field('call_wall', 'call wall', 'points'),
          field('put_wall', 'put wall', 'points'),
          field('expected_move_1d', 'expected move of a day', 'points'),
        ],
      },
      {
        with: ['date'],
        tool: 'history_levels',
        fields: [
          field('last.flip', 'gamma flip', 'points'),
          field('last.call_wall', 'call wall', 'points'),
          field('last.put_wall', 'put wall', 'points'),
        ],
      },
      {
        with: ['span'],
        tool: 'history_levels',
        fields: ['first', 'last'].flatMap((place) => [
          field(`${place}.flip`, 'gamma flip', 'points'),
          field(`${place}.call_wall`, 'call wall', 'points'),
          field(`${place}.put_wall`, 'put wall', 'points'),
        ]),
      },
      {
        with: ['opening'],
        tool: 'history_levels',
        fields: [
          field('opening.flip', 'gamma flip', 'points'),
          field('opening.call_wall', 'call wall', 'points'),
          field('opening.put_wall', 'put wall', 'points'),
        ],
      },
    ],
  },
];
