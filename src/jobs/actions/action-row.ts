import { type CommonQueryMethods, sql } from 'slonik';
import Type, { type Static } from 'typebox';
import type { Action } from '#src/jobs/model/action-states.ts';
import type { ActionProgress } from '#src/jobs/model/job-view.ts';
import { row } from '#src/system/postgres/postgres.ts';
import { Selection } from './selection.ts';

const Counts = Type.Record(Type.String(), Type.Integer());

/** A job that could not be moved, and why. */
export const ActionFailure = Type.Object({ job: Type.String(), code: Type.String() });
export type ActionFailure = Static<typeof ActionFailure>;

/** An action on many jobs as Postgres has it. */
export const ActionRow = Type.Object({
  id: Type.String(),
  owner: Type.String(),
  madeBy: Type.String(),
  action: Type.Unsafe<Action>({ type: 'string' }),
  priority: Type.Union([Type.Integer(), Type.Null()]),
  selection: Selection,
  /** Number of previewed jobs. */
  jobs: Type.Integer(),
  expiresAt: Type.Unsafe<Date>({}),
  isExpired: Type.Boolean(),
  begunAt: Type.Union([Type.Unsafe<Date>({}), Type.Null()]),
  /** Number of jobs that are over: done, skipped, or failed. */
  position: Type.Integer(),
  done: Type.Integer(),
  skipped: Counts,
  failed: Counts,
  failures: Type.Array(ActionFailure),
});
export type ActionRow = Static<typeof ActionRow>;

export const actionRow = row(ActionRow);

/** The columns of an {@link ActionRow}, of a table called `a`. */
export const actionColumns = sql.fragment`
  a.id, a.owner, a.made_by as "madeBy", a.action, a.priority, a.selection, a.jobs, a.expires_at as "expiresAt",
  a.expires_at < now() as "isExpired", a.begun_at as "begunAt", a.position, a.done, a.skipped, a.failed, a.failures`;

/** Reads an action; null for none. */
export async function readAction({ db }: { readonly db: CommonQueryMethods }, id: string): Promise<ActionRow | null> {
  return await db.maybeOne(sql.type(actionRow)`select ${actionColumns} from job_actions a where a.id = ${id}`);
}

/** Counts of the jobs of an action, by what has been done with them. */
export function outcomeOf({ action, jobs, done, skipped, failed, failures }: ActionRow) {
  return {
    action,
    jobs,
    done,
    skipped: sum(skipped),
    skippedBy: skipped,
    failed: sum(failed),
    failedBy: failed,
    failures,
  };
}

/** Reads how far the action has come that a job carries out; null where its row is forgotten. */
export async function readProgress(
  { db }: { readonly db: CommonQueryMethods },
  job: string,
): Promise<ActionProgress | null> {
  const found = await db.maybeOne(sql.type(actionRow)`
    select ${actionColumns} from jobs j join job_actions a on a.id = (j.payload ->> 'actionId')::uuid where j.id = ${job}`);
  if (!found) return null;
  const failures = found.failures.map(({ job: id, code }) => ({ id, code }));
  return { ...outcomeOf(found), failures, over: found.position };
}

/** Number of jobs in such counts. */
export function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
