import type { WaitKind } from '#src/jobs/model/states.ts';
import { plainArray } from '#src/lib/array-literal.ts';
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

/**
 * Reads the steps of jobs that were claimed, by job, in order. Asks Postgres only about those that have any, which their
 * claim says: most jobs cost nothing.
 */
export async function readSteps(
  context: Context,
  jobs: readonly { readonly id: string; readonly steps: number }[],
): Promise<ReadonlyMap<string, readonly Step[]>> {
  const ids = jobs.flatMap(({ id, steps }) => (steps > 0 ? [id] : []));
  const rows = ids.length === 0 ? [] : await openStatements(context)<StepRow>(stepsOf, [plainArray(ids)]);
  const byJob = Map.groupBy(rows, ([job]) => job);
  return new Map(
    jobs.map(({ id }) => [
      id,
      (byJob.get(id) ?? []).map(([, name, n, kind, after, value]) => ({ name, n, kind, after, value })),
    ]),
  );
}
