import { hash } from 'node:crypto';
import type { CommonQueryMethods } from 'slonik';
import type { Approval } from '#src/governance/approvals/approval-row.ts';
import { type ApprovalRequest, insertApprovals, requestedEvent } from '#src/governance/approvals/request-approval.ts';
import { publishTold, type Said, tellOwners } from '#src/governance/owners/owner-log.ts';
import { canonicalText } from '#src/lib/crypto/canonical-json.ts';
import { callerName, type Principal } from '#src/lib/principal.ts';
import type { PlanBody } from '#src/studio/model/bodies.ts';
import { renderEffect } from '#src/studio/model/render-effect.ts';
import { insertPlans, type NewPlan, type Plan } from '#src/studio/model/store.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { sharedTransaction } from '#src/system/shared-transaction.ts';
import { ceilingOf } from './under-ceiling.ts';

/** A plan, and the approval that rendering it needs. */
export interface StoredPlan {
  readonly plan: Plan;
  readonly approval: Approval;
}

/** Plans that one transaction keeps. */
const MOST_PLANS = 64;

/** A plan that is to be kept. */
export interface PlanRequest {
  readonly plan: NewPlan;
  /** Decision that rendering it needs, but its exact effect, which is known once it is kept. */
  readonly approval: Omit<ApprovalRequest, 'effect'>;
}

/** Makes the request to keep a plan, with the hash of its canonical text, which its approval stands for. */
export function planRequest(context: Context, principal: Principal, id: string, body: PlanBody): PlanRequest {
  const { owner } = principal;
  const planHash = hash('sha256', canonicalText(body), 'hex');
  return {
    plan: { id, owner, briefId: body.briefId, plan: body, planHash },
    approval: {
      owner,
      kind: 'render',
      subject: id,
      areas: body.areas,
      requestedBy: callerName(principal),
      ttlS: context.config.APPROVAL_TTL_S,
    },
  };
}

/** Keeps a plan without a key, together with those of the same moment. */
export const keepPlanTogether = perContext((context: Context) =>
  sharedTransaction(context, {
    size: MOST_PLANS,
    // two would wait for each other where they are of the same owner
    width: 1,
    work: insertTold,
    answer: async ({ stored, told }) => {
      await publishTold(context, told);
      return stored;
    },
  }),
);

/** Keeps plans, requests the approvals that they need, which are new as they are, and tells their owners. */
export async function insertTold(tx: CommonQueryMethods, asked: readonly PlanRequest[]) {
  const plans = await insertPlans(
    tx,
    asked.map(({ plan }) => plan),
  );
  const effects = asked.map(({ plan, approval }) => {
    const kept = plans.get(plan.id);
    if (!kept) throw new Error(`expected the plan ${plan.id} to be kept, got none`);
    return { kept, request: { ...approval, effect: renderEffect(kept, ceilingOf(plan.plan)) } };
  });
  const approvals = await insertApprovals(
    tx,
    effects.map(({ request }) => request),
  );
  const bySubject = new Map(approvals.map((approval) => [approval.subject, approval]));
  const stored = effects.map(({ kept }): StoredPlan => {
    const approval = bySubject.get(kept.id);
    if (!approval) throw new Error(`expected the approval of the plan ${kept.id} to be kept, got none`);
    return { plan: kept, approval };
  });
  const said = stored.flatMap(({ plan: { id, owner, brief, plan }, approval }): readonly Said[] => [
    { owner, type: 'plan.created', data: { plan: id, brief, estimatedCostUsd: plan.estimatedCostUsd } },
    requestedEvent(approval),
  ]);
  return { stored, told: await tellOwners(tx, said) };
}
