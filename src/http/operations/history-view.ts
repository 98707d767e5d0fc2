import { type Static, Type } from 'typebox';
import type { PastFigures, PastPart, PastPoint } from '#src/jobs/history/read-history.ts';
import { addFigures } from '#src/jobs/history/read-history.ts';
import { countOf, quantilesOf, SKETCH_ERROR, type Sketch } from '#src/jobs/history/sketch.ts';
import { Count, Time } from '#src/lib/validation/schema-parts.ts';

const Seconds = (share: string) =>
  Type.Number({ minimum: 0, description: `Seconds that ${share} of them did not pass` });

const Times = (what: string) =>
  Type.Union(
    [
      Type.Object({
        count: Count('How many were measured'),
        p50: Seconds('half'),
        p95: Seconds('95 of 100'),
        p99: Seconds('99 of 100'),
      }),
      Type.Null(),
    ],
    { description: `${what}, within ${Math.ceil(SKETCH_ERROR * 100)} % or a millisecond; null where there were none` },
  );

const figures = {
  submitted: Count('Jobs that were accepted'),
  started: Count('Attempts that began'),
  succeeded: Count('Jobs that succeeded'),
  failed: Count('Jobs that were given up'),
  cancelled: Count('Jobs that were cancelled'),
  expired: Count('Jobs that were cancelled since they had not begun in their time'),
  retried: Count('Attempts that failed, and that another followed'),
  wait: Times('Time from when an attempt might run to when it began, by attempts that began'),
  run: Times('Time that an attempt ran, by attempts that succeeded or failed'),
};

export const PastFiguresView = Type.Object(figures, {
  $id: 'PastFigures',
  title: 'PastFigures',
  description: 'What became of jobs in a time',
});

export const PastPointView = Type.Object(
  {
    at: Time('Begin of the step'),
    complete: Type.Boolean({ description: 'False where a part of the step is not known, or not over' }),
    ...figures,
  },
  { $id: 'PastPoint', title: 'PastPoint', description: 'One step of the past' },
);

/** Parts of the answers that both routes have. */
export const pastParts = {
  from: Time('Begin of the first step'),
  to: Time('End of the time that was asked for'),
  step_seconds: Type.Integer({ minimum: 60, description: 'Length of a step' }),
  resolution_seconds: Type.Integer({ minimum: 60, description: 'Length of the buckets that the steps are made of' }),
  points: Type.Array(Type.Ref('PastPoint'), {
    description:
      'The steps in their order. One of which nothing is known is not there: before the past was kept, after it was forgotten, or where it was lost. One that is known and had no jobs is zero',
  }),
  total: Type.Ref('PastFigures', { description: 'All of these steps together' }),
  grafana: Type.Union([Type.String({ format: 'uri' }), Type.Null()], {
    description: 'The same time in Grafana, where GRAFANA_URL names one and the caller is an operator',
  }),
};

/** Figures of jobs in a time, as an answer has them. */
export type FiguresView = Static<typeof PastFiguresView>;
/** A step of the past, as an answer has it. */
export type PointView = Static<typeof PastPointView>;

export function figuresView({ waits, runs, ...counts }: PastFigures): FiguresView {
  return { ...counts, wait: timesView(waits), run: timesView(runs) };
}

function timesView(sketch: Sketch): FiguresView['wait'] {
  const [p50 = null, p95 = null, p99 = null] = quantilesOf(sketch, [0.5, 0.95, 0.99]).map(shortened);
  if (p50 === null || p95 === null || p99 === null) return null;
  return { count: countOf(sketch), p50, p95, p99 };
}

const shortened = (seconds: number | null) => seconds && Number(seconds.toPrecision(4));

export function pointView({ at, isWhole, ...all }: PastPoint): PointView {
  return { at: at.toISOString(), complete: isWhole, ...figuresView(all) };
}

/** The first parts by themselves, and the others together; null where there are none. */
export function partViews(
  parts: readonly PastPart[],
  most: number,
): { readonly top: (FiguresView & { readonly name: string })[]; readonly rest: FiguresView | null } {
  const others = parts.slice(most);
  return {
    top: parts.slice(0, most).map(({ name, ...all }) => ({ name, ...figuresView(all) })),
    rest: others.length === 0 ? null : figuresView(addFigures(others)),
  };
}
