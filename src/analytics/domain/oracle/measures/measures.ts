import { absentMeasures } from './absent.ts';
import { exposureMeasures } from './exposures.ts';
import { flowMeasures } from './flows.ts';
import { levelMeasures } from './levels.ts';
import type { Measure } from './measure.ts';
import { otherMeasures } from './others.ts';
import { portfolioMeasures } from './portfolios.ts';
import { spotMeasures } from './spot.ts';
import { volatilityMeasures } from './volatility.ts';

/** Everything a question can ask for without a model, one a quantity. */
export const measures: readonly Measure[] = [
  ...absentMeasures,
  ...levelMeasures,
  ...exposureMeasures,
  ...volatilityMeasures,
  ...spotMeasures,
  ...flowMeasures,
  ...portfolioMeasures,
  ...otherMeasures,
];

/** Words that ask for several measures at once. */
export const bundles: Readonly<Record<string, readonly string[]>> = {
  overview: ['gex', 'regime', 'levels'],
  summary: ['gex', 'regime', 'levels'],
  outlook: ['gex', 'regime', 'levels'],
  'looking like': ['gex', 'regime', 'levels'],
  'how is': ['gex', 'regime', 'levels'],
};
