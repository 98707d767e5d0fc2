import type { Measure } from './measure.ts';

const absent = (said: string, ...words: string[]): Measure => ({
  name: `absent ${said}`,
  said,
  words,
  variants: [],
});

/** Quantities traders ask for that no analysis has: named, so that a word in them is not taken for another quantity. */
export const absentMeasures: readonly Measure[] = [
  absent('the volatility of volatility', 'vol of vol', 'volatility of volatility', 'vvix'),
  absent('open interest', 'open interest', 'oi'),
  absent('the put-call ratio', 'put/call ratio', 'put-call ratio', 'put call ratio', 'pcr'),
  absent('option volume', 'option volume', 'options volume', 'call volume', 'put volume'),
  absent('the rank of implied volatility', 'iv rank', 'iv percentile', 'vol rank', 'implied volatility rank'),
  absent('vega exposure', 'vega exposure', 'net vega', 'dealer vega', 'vega'),
  absent(
    'speed, colour and other third derivatives',
    'vomma',
    'volga',
    'gamma speed',
    'gamma color',
    'gamma colour',
    'zomma',
  ),
  absent('a risk reversal', 'risk reversal', 'risk-reversal', '25 delta skew', '25-delta skew', 'delta skew'),
  absent('implied correlation', 'implied correlation', 'dispersion'),
  absent('the variance risk premium', 'variance risk premium', 'vol premium', 'volatility premium', 'vol risk premium'),
];
