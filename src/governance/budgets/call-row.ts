import { sql } from 'slonik';
import { type Static, Type } from 'typebox';
import { row } from '#src/system/postgres/postgres.ts';

/** A job calls a provider at most once, so the two name the call. */
export interface CallName {
  readonly job: string;
  readonly provider: string;
}

const OrNull = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

const CallRow = Type.Object({
  job: Type.String(),
  owner: Type.String(),
  provider: Type.String(),
  surface: Type.String(),
  capability: Type.String(),
  budgets: Type.Array(Type.String()),
  /** Millionths of a dollar. */
  quoted: Type.Integer(),
  /** Millionths of a dollar that its budgets reserve for it now: nothing once it is settled or released. */
  held: Type.Integer(),
  /** Its cost, once that is known. */
  cost: OrNull(Type.Integer()),
  state: Type.Unsafe<'reserved' | 'settled' | 'released' | 'unknown'>({
    enum: ['reserved', 'settled', 'released', 'unknown'],
  }),
  externalId: OrNull(Type.String()),
  /** Why it was released, or is unknown. */
  reason: OrNull(Type.String()),
  createdAt: Type.Unsafe<Date>({}),
  /** Time at which it reached this state; null while it is reserved. */
  endedAt: OrNull(Type.Unsafe<Date>({})),
  /** The operator or rule that billed it or wrote it off, where no provider has said what it cost. */
  decidedBy: OrNull(Type.String()),
  decidedWhy: OrNull(Type.String()),
});
/** A call and its present state. */
export type CallRow = Static<typeof CallRow>;

export const callRow = row(CallRow);

/** Columns of `provider_calls`, without another name for the table. */
export const callColumns = sql.fragment`
  job, owner, provider, surface, capability, budgets, quoted, cost, state, external_id as "externalId", reason,
  case when state in ('reserved', 'unknown') then coalesce(held, quoted) else 0 end as held,
  created_at as "createdAt", ended_at as "endedAt", decided_by as "decidedBy", decided_why as "decidedWhy"`;
