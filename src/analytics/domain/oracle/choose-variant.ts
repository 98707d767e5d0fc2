import type { Qualifiers } from '#src/analytics/domain/oracle/read/qualifiers.ts';
import { kindsOf } from '#src/analytics/domain/oracle/read/read-qualifiers.ts';
import { counted } from '#src/lib/text/counted.ts';
import type { Measure, QualifierKind, Variant } from './measures/measure.ts';

/** Tools whose answers know generations of dealer positions. */
const generational = new Set([
  'gex',
  'vex',
  'cex',
  'dsi',
  'regime',
  'levels',
  'charm',
  'flow_forecast',
  'vcm',
  'positioning',
  'charm_schedule',
  'hedging_bands',
  'gtbr',
  'shadow_gamma',
  'darkpool',
]);

const spoken: Readonly<Record<QualifierKind, (found: Qualifiers) => string>> = {
  bucket: ({ bucket }) =>
    ({ zero_dte: 'today’s expiries', week: 'weekly expiries', monthly: 'monthly expiries' })[bucket!],
  tenor: ({ tenor }) => `a tenor of ${counted(tenor!, 'day')}`,
  strike: ({ strike }) => `the strike ${strike}`,
  date: ({ from }) => `the day ${from}`,
  span: ({ from, to }) => `the days ${from} to ${to}`,
  opening: () => 'the opening',
  horizon: ({ horizon }) =>
    `a horizon (${{ '30m': 'half an hour', '1h': 'an hour', close: 'the close', '1d': 'a day' }[horizon!]})`,
  move: () => 'a move of spot or volatility',
  distance: () => 'a distance from spot',
  certainty: () => 'its certainty',
  percentile: () => 'a percentile',
  weights: () => 'weights',
};

/** Names of the kinds, for a sentence that says which other questions have an answer. */
const titles: Readonly<Record<QualifierKind, string>> = {
  bucket: '0DTE, weekly or monthly expiries',
  tenor: 'a tenor in days',
  strike: 'a strike',
  date: 'a past day',
  span: 'a span of days',
  opening: 'the opening',
  horizon: 'a horizon',
  move: 'a move in percent',
  distance: 'its distance from spot',
  certainty: 'how sure it is',
  percentile: 'its percentile',
  weights: 'weights of a portfolio',
};

/** A variant, and the reading of the qualifiers under which it fits. */
export interface Chosen {
  readonly variant: Variant;
  readonly found: Qualifiers;
}

/**
 * The variant of a measure that takes every qualifier of the question, and nothing else; or a sentence that names what
 * it has not, so that a figure of another tenor, day or bucket never replaces the requested one.
 */
export function chooseVariant(measure: Measure, qualifiers: Qualifiers): Chosen | string {
  if (measure.variants.length === 0) return `${capital(measure.said)} is not computed here.`;
  const readings = [asToday(measure, qualifiers), qualifiers, asDay(qualifiers)].filter((one) => one !== null);
  for (const found of readings) {
    const variant = fitting(measure, found);
    if (variant === undefined) continue;
    if (!isOfOneGeneration(variant, found)) return { variant, found };
    const which = found.generation === 'ensemble' ? 'the ensemble' : `generation ${found.generation}`;
    return `${capital(measure.said)} is there by generation 1 alone for this, not by ${which}.`;
  }
  const kinds = kindsOf(qualifiers);
  const taken = measure.variants.flatMap(({ with: takes = [] }) => takes);
  const missing = kinds.filter((kind) => !taken.includes(kind));
  const named = (missing.length > 0 ? missing : kinds).map((kind) => spoken[kind](qualifiers));
  const others = [...new Set(taken)].filter((kind) => !kinds.includes(kind));
  const instead = others.length > 0 ? `, or with: ${others.map((kind) => titles[kind]).join(', ')}` : '';
  return `${capital(measure.said)} is not there for ${named.join(' and ')}. It is available by itself${instead}.`;
}

/** A surface and signals follow no model of positions, and the history and portfolios keep the first alone. */
function isOfOneGeneration({ tool }: Variant, { generation }: Qualifiers): boolean {
  return generation !== undefined && generation !== 1 && !generational.has(tool);
}

function fitting({ variants }: Measure, found: Qualifiers): Variant | undefined {
  const kinds = kindsOf(found);
  return variants.find(({ with: takes = [], of, tool }) => {
    if (takes.length !== kinds.length || !takes.every((kind) => kinds.includes(kind))) return false;
    // a flow is repriced under points of volatility, not under a relative change of each
    if (tool === 'flow_forecast' && found.moves?.some(({ vol_shock_pct }) => vol_shock_pct !== undefined) === true)
      return false;
    return of === undefined || of === String(found.bucket ?? found.horizon ?? found.tenor);
  });
}

/** "1-day" is a tenor of volatility and a horizon of flows. */
function asDay({ tenor, ...rest }: Qualifiers): Qualifiers | null {
  return tenor === 1 && rest.horizon === undefined ? { ...rest, horizon: '1d' } : null;
}

/** "today" of a flow is until the close; of what has no horizon it is now. */
function asToday({ variants }: Measure, found: Qualifiers): Qualifiers | null {
  const hasClose = variants.some(({ with: takes = [], of }) => takes.includes('horizon') && of === 'close');
  return found.today === true && found.horizon === undefined && hasClose ? { ...found, horizon: 'close' } : null;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
