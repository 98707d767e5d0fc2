import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { readContent } from '#src/jobs/contents/content.ts';
import { ContentRef } from '#src/jobs/model/content-ref.ts';
import type { WaitKind } from '#src/jobs/model/states.ts';
import { plainArray } from '#src/lib/array-literal.ts';
import { AppError, describeError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { openStatements, type Statement } from '#src/system/statements.ts';

/** A step as the attempt gets it that goes on behind it. */
export interface Step {
  readonly name: string;
  /** Rises in the order in which the steps ended, from 1. */
  readonly n: number;
  readonly kind: 'step' | 'child' | WaitKind;
  /** Number of steps that had ended when it began. */
  readonly after: number;
  readonly value: unknown;
}

type StepRow = readonly [job: string, name: string, n: number, kind: Step['kind'], after: number, value: unknown];

const stepsOf: Statement = {
  name: 'read-steps',
  text: `
    select s.job, s.name, s.n, s.kind, s.after, s.value from unnest($1::uuid[]) as g (job) join steps s on s.job = g.job
    order by s.job, s.n`,
};

/** A child's end whose result lies beside the child's row. */
const beside = Compile(Type.Object({ state: Type.String(), content: ContentRef }));

/**
 * Reads the steps of jobs that were claimed, by job, in order. Asks Postgres only about those that have any, which their
 * claim says: most jobs cost nothing.
 *
 * @throws AppError `unavailable` while Postgres, or the storage that has the result of a child, is away.
 */
export async function readSteps(
  context: Context,
  jobs: readonly { readonly id: string; readonly steps: number }[],
): Promise<ReadonlyMap<string, readonly Step[]>> {
  const ids = jobs.flatMap(({ id, steps }) => (steps > 0 ? [id] : []));
  const rows = ids.length === 0 ? [] : await openStatements(context)<StepRow>(stepsOf, [plainArray(ids)]);
  const whole = await Promise.all(
    rows.map(
      async ([job, name, n, kind, after, value]): Promise<readonly [string, Step]> => [
        job,
        { name, n, kind, after, value: kind === 'result' ? await withResult(context, name, value) : value },
      ],
    ),
  );
  const byJob = Map.groupBy(whole, ([job]) => job);
  return new Map(jobs.map(({ id }) => [id, (byJob.get(id) ?? []).map(([, step]) => step)]));
}

/** The end of a child with its result; the failure to read it where the storage has lost it. */
async function withResult(context: Context, name: string, value: unknown): Promise<unknown> {
  if (!beside.Check(value)) return value;
  const { content, ...end } = value;
  try {
    return {
      ...end,
      result: await readContent(context, content, `result of the child that the step ${name} waited for`),
    };
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'content_lost')) throw error;
    return { state: 'failed', result: null, error: describeError(error) };
  }
}
