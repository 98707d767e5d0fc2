import type { Formats } from './formats.ts';

/** One film, picture or recording, as it is planned or as it was made. */
export interface MadeShape {
  readonly name: string;
  /** Pixels; null for sound, or where it is not known. */
  readonly width: number | null;
  readonly height: number | null;
  /** Seconds. */
  readonly seconds: number | null;
}

/** A frame more or less, and the rounding of a container. */
const SAME_SECONDS = 0.25;
const SAME_RATIO = 0.02;

/**
 * Describes in sentences where a result differs from the request: the one comparison for plans, dry runs and results.
 *
 * @param films films that are planned, or were made
 * @param narration seconds of speech; null without any
 */
export function differences(
  { requested, aspects }: Pick<Formats, 'requested' | 'aspects'>,
  films: readonly MadeShape[],
  narration: number | null,
  tense: 'planned' | 'made',
): readonly string[] {
  const is = tense === 'planned' ? 'will be' : 'is';
  return films.flatMap(({ name, width, height, seconds }) => {
    const short = width === null || height === null ? null : Math.min(width, height);
    const isOtherShape =
      width !== null &&
      height !== null &&
      !aspects.some((aspect) => Math.abs(Math.log(width / height / ratioOf(aspect))) < SAME_RATIO);
    return [
      ...(isOtherShape
        ? [`${name} ${is} ${width} × ${height}, which is none of the requested shapes (${aspects.join(', ')}).`]
        : []),
      ...(requested.resolution !== null && short !== null && Math.abs(short - requested.resolution) > 2
        ? [`${name} ${is} ${short}p; ${requested.resolution}p was requested.`]
        : []),
      ...lengthDifference(name, seconds, requested.seconds, narration, is),
    ];
  });
}

function lengthDifference(
  name: string,
  seconds: number | null,
  requested: number | null,
  narration: number | null,
  is: string,
): readonly string[] {
  if (seconds === null) return [];
  const about = (value: number) => `${Math.round(value * 10) / 10} s`;
  if (narration !== null && narration > seconds + SAME_SECONDS)
    return [
      `${name} ${is} ${about(seconds)} long and its narration takes ${about(narration)}: ${about(narration - seconds)} of it ${is === 'is' ? 'are' : 'would be'} outside of the film.`,
    ];
  if (requested === null || Math.abs(seconds - requested) <= SAME_SECONDS) return [];
  const why = narration !== null && seconds > requested ? `, because its narration takes ${about(narration)}` : '';
  const by = `${about(Math.abs(seconds - requested))} ${seconds > requested ? 'longer' : 'shorter'}`;
  return [`${name} ${is} ${about(seconds)} long, ${by} than the requested ${about(requested)}${why}.`];
}

function ratioOf(aspect: string): number {
  const [width = 1, height = 1] = aspect.split(':').map(Number);
  return width / height;
}
