import { hash, randomUUIDv7 } from 'node:crypto';
import { type CommonQueryMethods, sql } from 'slonik';
import { type OwnerEvent, type Said, tellOwner, tellOwnerAll } from '#src/governance/owners/owner-log.ts';
import { canonicalText } from '#src/lib/crypto/canonical-json.ts';
import { type Approval, approvalColumns, approvalRow } from './approval-row.ts';
import type { Area } from './areas.ts';

export interface ApprovalRequest {
  readonly owner: string;
  readonly kind: Approval['kind'];
  /** The plan that is to be rendered, or the asset or plan that is to be published. */
  readonly subject: string;
  /** Exactly what will happen, as the decider is shown it. */
  readonly effect: Readonly<Record<string, unknown>>;
  readonly areas: readonly Area[];
  /** The key or session that requests it, as the audit shows it. */
  readonly requestedBy: string;
  /** Seconds until it can no longer be decided or used. */
  readonly ttlS: number;
  /** The job that waits for it, and the id it knows it by; no other job can use such an approval. */
  readonly waiting?: { readonly id: string; readonly job: string };
}

/** A request for the decision that a job of any queue waits for. */
export interface JobApprovalRequest extends Pick<ApprovalRequest, 'effect' | 'areas' | 'requestedBy' | 'ttlS'> {
  /** Id that the job knows it by. */
  readonly id: string;
  readonly job: string;
}

/** SHA-256 of an effect's canonical JSON, lower-case hexadecimal: what a decision is bound to. */
export function effectHash(effect: Readonly<Record<string, unknown>>): string {
  return hash('sha256', canonicalText(effect), 'hex');
}

/**
 * Asks for an approval, in the caller's transaction. One that waits or stands already for the same effect, and for no
 * job, is that approval: asking twice makes no second decision.
 */
export async function requestApproval(
  tx: CommonQueryMethods,
  { owner, kind, subject, effect, areas, requestedBy, ttlS, waiting }: ApprovalRequest,
): Promise<{ readonly approval: Approval; readonly events: readonly OwnerEvent[] }> {
  const hashed = effectHash(effect);
  const existing = await tx.maybeOne(sql.type(approvalRow)`
    select ${approvalColumns} from approvals a
    where ${waiting ? sql.fragment`a.id = ${waiting.id}` : sql.fragment`a.job is null`} and a.owner = ${owner} and a.kind = ${kind} and a.subject = ${subject}
      and a.effect_hash = decode(${hashed}, 'hex') and a.state in ('pending', 'granted') and a.expires_at > now()
    order by a.id desc limit 1`);
  if (existing) return { approval: existing, events: [] };
  const request = { owner, kind, subject, effect, areas, requestedBy, ttlS };
  const [approval] = await insertApprovals(tx, [{ ...request, ...(waiting && { waiting }) }]);
  if (!approval) throw new Error(`expected the approval of ${subject} to be kept, got none`);
  const { type, data } = requestedEvent(approval);
  return { approval, events: [await tellOwner(tx, owner, type, data)] };
}

/**
 * Asks for the decisions that jobs of one owner wait for, in the caller's transaction. One that was asked for already is
 * left as it is.
 */
export async function requestJobApprovals(
  tx: CommonQueryMethods,
  owner: string,
  requests: readonly JobApprovalRequest[],
): Promise<readonly OwnerEvent[]> {
  const made = await insertApprovals(
    tx,
    requests.map(({ id, job, ...request }) => ({ ...request, owner, kind: 'job', subject: job, waiting: { id, job } })),
  );
  return await tellOwnerAll(tx, owner, 'approval.requested', made.map(eventOf));
}

/** Keeps new approvals, in their order. One of an id that is there already is left as it is, and out. */
export async function insertApprovals(
  tx: CommonQueryMethods,
  requests: readonly ApprovalRequest[],
): Promise<readonly Approval[]> {
  const column = (of: (request: ApprovalRequest) => string | null) => sql.array(requests.map(of), 'text');
  return await tx.any(sql.type(approvalRow)`
    insert into approvals as a (id, owner, kind, subject, effect, effect_hash, areas, state, job, requested_by, expires_at)
    select g.id::uuid, g.owner, g.kind, g.subject::uuid, g.effect::jsonb, decode(g.hash, 'hex'), g.areas::jsonb, 'pending',
      g.job::uuid, g.by, now() + g.ttl::float8 * interval '1 second'
    from unnest(${column(({ waiting }) => waiting?.id ?? randomUUIDv7())}, ${column(({ owner }) => owner)},
      ${column(({ kind }) => kind)}, ${column(({ subject }) => subject)}, ${column(({ effect }) => JSON.stringify(effect))},
      ${column(({ effect }) => effectHash(effect))}, ${column(({ areas }) => JSON.stringify(areas))},
      ${column(({ waiting }) => waiting?.job ?? null)}, ${column(({ requestedBy }) => requestedBy)},
      ${column(({ ttlS }) => String(ttlS))}) with ordinality
      as g (id, owner, kind, subject, effect, hash, areas, job, by, ttl, place)
    order by g.place
    on conflict (id) do nothing
    returning ${approvalColumns}`);
}

/** Tells its owner that an approval waits for a decision. */
export function requestedEvent(approval: Approval): Said {
  return { owner: approval.owner, type: 'approval.requested', data: eventOf(approval) };
}

function eventOf({ id, kind, subject, job, expiresAt }: Approval): Readonly<Record<string, unknown>> {
  return { approval: id, kind, subject, job, expiresAt: expiresAt.toISOString() };
}
