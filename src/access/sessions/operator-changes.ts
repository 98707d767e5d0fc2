import { randomUUIDv7 } from 'node:crypto';
import { type CommonQueryMethods, sql } from 'slonik';
import { type Static, Type } from 'typebox';
import { row } from '#src/system/postgres/postgres.ts';

const Change = Type.Object({
  at: Type.Unsafe<Date>({}),
  email: Type.String(),
  action: Type.Enum(['link_made', 'link_used', 'removed']),
  /** Place where it was done: `cli <user>@<host>`, `browser <address>`. */
  changedBy: Type.String(),
  requestId: Type.Union([Type.String(), Type.Null()]),
});
/** One step by which a person became an operator by a link, or ceased to be one. */
export type OperatorChange = Static<typeof Change>;

/** The actor, as the audit shows it. */
export interface OperatorActor {
  readonly changedBy: string;
  readonly requestId?: string;
}

/** Writes a change down. Durable when this resolves. */
export async function noteOperatorChange(
  db: CommonQueryMethods,
  email: string,
  action: OperatorChange['action'],
  { changedBy, requestId }: OperatorActor,
): Promise<void> {
  await db.query(sql.unsafe`
    insert into operator_changes (id, email, action, changed_by, request_id)
    values (${randomUUIDv7()}, ${email}, ${action}, ${changedBy}, ${requestId ?? null})`);
}

/** The newest changes, newest first. */
export async function listOperatorChanges(db: CommonQueryMethods, limit: number): Promise<readonly OperatorChange[]> {
  return await db.any(sql.type(row(Change))`
    select at, email, action, changed_by as "changedBy", request_id as "requestId" from operator_changes
    order by at desc, id desc limit ${limit}`);
}
