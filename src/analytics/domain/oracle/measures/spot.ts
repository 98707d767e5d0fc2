import { field, type Measure } from './measure.ts';

/** The price of the underlying. */
export const spotMeasures: readonly Measure[] = [
  {
    name: 'spot',
    said: 'spot',
    words: ['spot price', 'spot level', 'last price', 'trading at', 'current price', 'price of'],
    weakWords: ['spot', 'price', 'trading'],
    variants: [
      { tool: 'levels', fields: [field('spot', 'spot', 'points')] },
      { with: ['date'], tool: 'history_levels', fields: [field('last.spot', 'spot', 'points')] },
      { with: ['opening'], tool: 'history_levels', fields: [field('opening.spot', 'spot', 'points')] },
    ],
  },
];
