import { type CommonQueryMethods, sql } from 'slonik';
import Type, { type Static } from 'typebox';
import type { Assurance } from '#src/access/humans/store/assurance.ts';
import { row } from '#src/system/postgres/postgres.ts';
import type { Area } from './areas.ts';

/** `pending` waits for a decision; `granted` for its one use; the others are final. */
export const approvalStates = ['pending', 'granted', 'declined', 'used', 'expired'] as const;
export type ApprovalState = (typeof approvalStates)[number];

/** Permission to render a plan, to publish, or to run a job of anybody’s queue. */
export const approvalKinds = ['render', 'publish', 'job'] as const;
type ApprovalKind = (typeof approvalKinds)[number];

const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const Instant = Type.Unsafe<Date>({});

/** Permission for one exact effect to happen, once. */
export const Approval = Type.Object({
  id: Type.String(),
  owner: Type.String(),
  kind: Type.Unsafe<ApprovalKind>({ enum: [...approvalKinds] }),
  subject: Type.String(),
  effect: Type.Unsafe<Readonly<Record<string, unknown>>>({}),
  effectHash: Type.String(),
  areas: Type.Unsafe<readonly Area[]>({}),
  state: Type.Unsafe<ApprovalState>({ enum: [...approvalStates] }),
  job: nullable(Type.String()),
  requestedBy: Type.String(),
  decidedBy: nullable(Type.String()),
  reason: nullable(Type.String()),
  human: Type.Unsafe<{ assurance: Assurance; provider: string; challengeSha256: string } | null>({}),
  createdAt: Instant,
  expiresAt: Instant,
  decidedAt: nullable(Instant),
  usedAt: nullable(Instant),
});
export type Approval = Static<typeof Approval>;

export const approvalRow = row(Approval);

/**
 * The columns of an {@link Approval}, of a table called `a`. One whose time is over is expired, whether noted or not.
 */
export const approvalColumns = sql.fragment`
  a.id, a.owner, a.kind, a.subject, a.effect, encode(a.effect_hash, 'hex') as "effectHash", a.areas,
  case when a.state in ('pending', 'granted') and a.expires_at <= now() then 'expired' else a.state end as state,
  a.job, a.requested_by as "requestedBy", a.decided_by as "decidedBy", a.reason, a.human,
  a.created_at as "createdAt", a.expires_at as "expiresAt", a.decided_at as "decidedAt", a.used_at as "usedAt"`;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** An approval, or null; `owner` is null for a caller who may see all. */
export async function readApproval(
  { db }: { readonly db: CommonQueryMethods },
  id: string,
  owner: string | null,
): Promise<Approval | null> {
  if (!UUID.test(id)) return null;
  return await db.maybeOne(sql.type(approvalRow)`
    select ${approvalColumns} from approvals a where a.id = ${id} and (${owner}::text is null or a.owner = ${owner})`);
}

/** The same, locked until the caller's transaction ends. */
export async function lockApproval(tx: CommonQueryMethods, id: string): Promise<Approval | null> {
  if (!UUID.test(id)) return null;
  return await tx.maybeOne(
    sql.type(approvalRow)`select ${approvalColumns} from approvals a where a.id = ${id} for update`,
  );
}

export interface ApprovalFilter {
  /** Null for the approvals of all owners. */
  readonly owner: string | null;
  readonly state: ApprovalState | null;
  /** The plan, asset or job that they are about; of anything without it. */
  readonly subject?: string | undefined;
  /** The id before which the page begins: newest first. */
  readonly before: string | null;
  readonly limit: number;
}

/** One more than `limit` at most, so that the caller sees whether there are more. */
export async function listApprovals(
  { db }: { readonly db: CommonQueryMethods },
  { owner, state, subject, before, limit }: ApprovalFilter,
): Promise<readonly Approval[]> {
  return await db.any(sql.type(approvalRow)`
    select * from (
      select ${approvalColumns} from approvals a
      where (${owner}::text is null or a.owner = ${owner}) and (${before}::uuid is null or a.id < ${before}::uuid)
        and (${subject ?? null}::text is null or a.subject = ${subject ?? null})
    ) a where ${state}::text is null or a.state = ${state}
    order by a.id desc limit ${limit + 1}`);
}
