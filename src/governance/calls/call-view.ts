import { type Static, Type } from 'typebox';
import type { CallRow } from '#src/governance/budgets/call-row.ts';
import { Time } from '#src/lib/validation/schema-parts.ts';
import type { Config } from '#src/system/config/config-type.ts';
import type { CallDecision } from './call-decisions.ts';
import { theRule } from './decide-call.ts';

const OrNull = <T extends Type.TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const DecisionView = Type.Object(
  {
    at: Time('When it was decided'),
    decision: Type.Enum(['written_off', 'billed'], { type: 'string', description: 'What was decided' }),
    billed_usd: Type.Number({ minimum: 0, description: 'Amount that the call counted as from then on' }),
    by: Type.String({ description: 'The operator who decided, or `rule`' }),
    why: OrNull(Type.String(), 'In their words'),
    request_id: OrNull(Type.String(), 'Request that decided; null where the rule did'),
  },
  { title: 'CallDecision' },
);

/** A call of a provider whose outcome was unknown, as operators see it. */
export const ProviderCallView = Type.Object(
  {
    job_id: Type.String({ format: 'uuid', description: 'The job that made the call' }),
    provider: Type.String({ description: 'The provider; a job calls it at most once' }),
    owner: Type.String({ description: 'Owner of the job' }),
    surface: Type.String({
      description: 'For which surface: studio, missions or platform; `jobs` for a job of a registered queue',
    }),
    capability: Type.String({ description: 'Capability that was requested' }),
    status: Type.Enum(['unknown', 'written_off', 'billed', 'settled', 'released', 'reserved'], {
      type: 'string',
      description:
        '`unknown`: it is not known whether it cost anything. `written_off` and `billed`: decided by an operator or the rule. The others: known meanwhile',
    }),
    quoted_usd: Type.Number({ minimum: 0, description: 'Its quote' }),
    held_usd: Type.Number({ minimum: 0, description: 'What its budgets hold for it: the most it can have cost' }),
    billed_usd: OrNull(
      Type.Number({ minimum: 0 }),
      'Amount that it counts as; null unless it was billed or has settled',
    ),
    reason: OrNull(Type.String(), 'How the call ended'),
    external_id: OrNull(Type.String(), 'The provider’s own name for it, to look for it there'),
    created_at: Time('When it was reserved'),
    since: OrNull(Type.String({ format: 'date-time' }), 'When it became unknown, or was decided'),
    ends_at: OrNull(
      Type.String({ format: 'date-time' }),
      'When the rule ends the hold (UNKNOWN_CALL_HOURS); null once it has ended',
    ),
    decided_by: OrNull(Type.String(), 'The operator who decided, or `rule`'),
    decided_why: OrNull(Type.String(), 'In their words'),
    decisions: Type.Array(DecisionView, {
      description:
        'Every decision about it, the oldest first: the last one counts, unless the provider has said its cost since',
    }),
  },
  { $id: 'ProviderCall', title: 'ProviderCall', description: 'A call of a provider, and what it holds of its budgets' },
);
export type ProviderCallView = Static<typeof ProviderCallView>;

export function callView(
  { UNKNOWN_CALL_HOURS }: Config,
  call: CallRow,
  decisions: readonly CallDecision[],
): ProviderCallView {
  const { job, provider, owner, surface, capability, quoted, held, cost, reason, externalId, endedAt } = call;
  const endsAt =
    call.state === 'unknown' && endedAt ? new Date(endedAt.getTime() + UNKNOWN_CALL_HOURS * 3_600_000) : null;
  return {
    job_id: job,
    provider,
    owner,
    surface,
    capability,
    status: statusOf(call),
    quoted_usd: quoted / 1e6,
    held_usd: held / 1e6,
    billed_usd: cost === null ? null : cost / 1e6,
    reason,
    external_id: externalId,
    created_at: call.createdAt.toISOString(),
    since: endedAt?.toISOString() ?? null,
    ends_at: endsAt?.toISOString() ?? null,
    decided_by: call.decidedBy && deciderName(call.decidedBy),
    decided_why: call.decidedWhy,
    decisions: decisions.map(({ at, decision, cost: billed, by, why, requestId }) => ({
      at: at.toISOString(),
      decision,
      billed_usd: billed / 1e6,
      by: deciderName(by),
      why,
      request_id: requestId,
    })),
  };
}

const deciderName = (by: string): string => (by === theRule ? 'rule' : by);

function statusOf({ state, decidedBy }: CallRow): ProviderCallView['status'] {
  if (decidedBy === null) return state;
  return state === 'settled' ? 'billed' : 'written_off';
}
