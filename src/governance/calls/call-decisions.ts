import { randomUUIDv7 } from 'node:crypto';
import { type CommonQueryMethods, sql } from 'slonik';
import { type Static, Type } from 'typebox';
import type { CallName } from '#src/governance/budgets/call-row.ts';
import { row } from '#src/system/postgres/postgres.ts';

const OrNull = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

const CallDecision = Type.Object({
  at: Type.Unsafe<Date>({}),
  decision: Type.Enum(['written_off', 'billed']),
  /** Amount that the call counts as since then, in millionths of a dollar. */
  cost: Type.Integer(),
  /** An owner, or the rule. */
  by: Type.String(),
  why: OrNull(Type.String()),
  requestId: OrNull(Type.String()),
});
/** One decision about an unknown call; another may have replaced it. */
export type CallDecision = Static<typeof CallDecision>;

/** Writes a decision down, in the caller's transaction. */
export async function noteCallDecision(
  tx: CommonQueryMethods,
  { job, provider }: CallName,
  { decision, cost, by, why, requestId }: Omit<CallDecision, 'at'>,
): Promise<void> {
  await tx.query(sql.unsafe`
    insert into provider_call_decisions (id, job, provider, decision, cost, decided_by, why, request_id)
    values (${randomUUIDv7()}, ${job}, ${provider}, ${decision}, ${cost}, ${by}, ${why}, ${requestId})`);
}

const Found = row(Type.Object({ job: Type.String(), provider: Type.String(), ...CallDecision.properties }));

/** Every decision about these calls, oldest first, as a function of the call. */
export async function readCallDecisions(
  { db }: { readonly db: CommonQueryMethods },
  calls: readonly CallName[],
): Promise<(call: CallName) => readonly CallDecision[]> {
  const jobs = sql.array(
    calls.map(({ job }) => job),
    'uuid',
  );
  const providers = sql.array(
    calls.map(({ provider }) => provider),
    'text',
  );
  const found = await db.any(sql.type(Found)`
    select job, provider, at, decision, cost, decided_by as "by", why, request_id as "requestId"
    from provider_call_decisions where (job, provider) in (select * from unnest(${jobs}, ${providers}))
    order by at, id`);
  const nameOf = ({ job, provider }: CallName) => `${job} ${provider}`;
  const byCall = Map.groupBy(found, nameOf);
  return (call) => byCall.get(nameOf(call)) ?? [];
}
