import { type Static, Type } from 'typebox';
import { type Resolution, resolutionOf } from '#src/jobs/history/resolutions.ts';
import { durationMs } from '#src/lib/duration.ts';
import { AppError } from '#src/lib/errors.ts';

/** Steps of one answer. */
export const MOST_STEPS = 1_500;

const Instant = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }));

export const PastQuery = Type.Object(
  {
    from: Instant('Begin, inclusive: an hour before `to` without it. It is moved back to where a step begins'),
    to: Instant('End, exclusive: now without it'),
    step: Type.Optional(
      Type.String({
        pattern: '^[1-9][0-9]{0,4}[mhd]$',
        description: 'Length of a step in minutes, hours or days; one that suits the time without it',
        examples: ['1m', '10m', '1h', '1d'],
      }),
    ),
  },
  { additionalProperties: false },
);

/** A time, and the steps that it is told in. */
export interface AskedTime {
  readonly from: Date;
  readonly to: Date;
  readonly stepSeconds: number;
  readonly resolution: Resolution;
}

const DAY_S = 86_400;

/** The step of a time that no step is asked for, by its length at most, in seconds. */
const usualSteps = [
  [2 * 3_600, 60],
  [12 * 3_600, 300],
  [2 * DAY_S, 600],
  [14 * DAY_S, 3_600],
  [60 * DAY_S, 6 * 3_600],
  [Number.POSITIVE_INFINITY, DAY_S],
] as const;

/**
 * Reads the time that a request asks for.
 *
 * @throws AppError `invalid_request` where it ends before it begins, or has too many steps
 */
export function timeOf(query: Static<typeof PastQuery>, now = Date.now()): AskedTime {
  const to = query.to === undefined ? now : Date.parse(query.to);
  const begin = query.from === undefined ? to - 3_600_000 : Date.parse(query.from);
  if (begin >= to)
    throw refused('/from', `from: expected an instant before ${iso(to)}, where the time ends, got ${iso(begin)}.`);
  const stepSeconds = query.step === undefined ? usualStep((to - begin) / 1_000) : durationMs(query.step) / 1_000;
  const alignedTo = Math.min(stepSeconds, DAY_S) * 1_000;
  const from = Math.floor(begin / alignedTo) * alignedTo;
  const steps = Math.ceil((to - from) / (stepSeconds * 1_000));
  if (steps > MOST_STEPS)
    throw refused(
      '/step',
      `step: expected at most ${MOST_STEPS.toLocaleString('en')} steps, got ${steps.toLocaleString('en')} from ${iso(from)} to ${iso(to)}: ask for longer steps, or for a shorter time.`,
    );
  const resolution = resolutionOf(stepSeconds);
  if (!resolution) throw new Error(`expected buckets of which ${stepSeconds} s are made up, got none`);
  return { from: new Date(from), to: new Date(to), stepSeconds, resolution };
}

function usualStep(seconds: number): number {
  return (usualSteps.find(([most]) => seconds <= most) ?? [0, DAY_S])[1];
}

const iso = (at: number): string => new Date(at).toISOString();

function refused(path: string, message: string): AppError {
  return new AppError('invalid_request', message, { path });
}
