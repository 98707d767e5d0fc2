/**
 * Kinds of words that narrow a question beside its underlyings: the requested measure must take each, or it is named as
 * not understood.
 */
export const qualifierKinds = [
  'bucket',
  'tenor',
  'strike',
  'date',
  'span',
  'opening',
  'horizon',
  'move',
  'distance',
  'certainty',
  'percentile',
  'weights',
] as const;
export type QualifierKind = (typeof qualifierKinds)[number];

/** Unit in which a figure is written: dollars, points, a fraction or a percent as percent, and so on. */
export type Unit =
  | 'usd'
  | 'usd_per_pct'
  | 'usd_per_vol_point'
  | 'usd_per_day'
  | 'points'
  | 'fraction'
  | 'percent'
  | 'vol_points'
  | 'skew'
  | 'contracts'
  | 'days'
  | 'plain'
  | 'text';

/** One figure of a result, as a sentence says it. */
export interface Field {
  /** Path in the result of the tool, such as `flips_by_bucket.zero_dte.gex`. */
  readonly path: string;
  readonly said: string;
  readonly unit: Unit;
  /** Path of the word that says why there is no figure. */
  readonly why?: string;
}

/** Place of a measure's figure when a question carries exactly these qualifiers. */
export interface Variant {
  readonly with?: readonly QualifierKind[];
  /** Bucket, horizon or the like that the variant covers, where it covers one alone. */
  readonly of?: string;
  readonly tool: string;
  readonly fields: readonly Field[];
  /** Arguments that this variant adds to those of the question. */
  readonly adds?: Readonly<Record<string, unknown>>;
}

/** One thing a trader asks for, the words that ask for it, and the fields that answer. */
export interface Measure {
  readonly name: string;
  /** As a sentence calls it. */
  readonly said: string;
  /** Lower-case phrases that ask for it and mean nothing else. */
  readonly words: readonly string[];
  /** Phrases that ask for it beside an underlying or a word of markets. */
  readonly weakWords?: readonly string[];
  readonly variants: readonly Variant[];
}

/** Returns the field of a path under this name and unit. */
export function field(path: string, said: string, unit: Unit, why?: string): Field {
  return { path, said, unit, ...(why !== undefined && { why }) };
}
