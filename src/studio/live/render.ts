import { render } from '#queues/studio.ts';
import { approvalView } from '#src/governance/approvals/approval-view.ts';
import { effectHash as hashOf, requestApproval } from '#src/governance/approvals/request-approval.ts';
import { publishOwnerEvents } from '#src/governance/owners/owner-log.ts';
import { idleWarning } from '#src/jobs/figures/queue-workers.ts';
import { AppError } from '#src/lib/errors.ts';
import { microUsd } from '#src/lib/money.ts';
import type { Principal } from '#src/lib/principal.ts';
import { callerName } from '#src/lib/principal.ts';
import { touchedByRender } from '#src/studio/domain/boundary.ts';
import type { Outcome } from '#src/studio/edge/envelope.ts';
import type { RenderInput } from '#src/studio/edge/inputs.ts';
import { providersOf } from '#src/studio/model/bodies.ts';
import { studioJobView } from '#src/studio/model/job-view.ts';
import { renderEffect } from '#src/studio/model/render-effect.ts';
import { type Plan, readPlan } from '#src/studio/model/store.ts';
import { ceilingOf, ceilingWarnings } from '#src/studio/plan/under-ceiling.ts';
import type { Context } from '#src/system/context.ts';
import { heldWarning, type LiveWork, startApproved, startWaiting } from './start-live.ts';

/**
 * The tool `studio_render`. A dry run makes the approval boundary and the outbox package, without a provider call;
 * live, a job runs with its approval or waits for one.
 *
 * @throws AppError `not_found`, `invalid_approval`, `quota_exceeded`, `idempotency_conflict`.
 */
export async function renderPlan(
  context: Context,
  principal: Principal,
  { planId, dryRun, approvalRef, maxCostUsd }: RenderInput,
  idempotencyKey?: string,
): Promise<Outcome> {
  const plan = await planOf(context, planId, principal.owner);
  const ceiling = maxCostUsd === undefined ? ceilingOf(plan.plan) : microUsd(maxCostUsd);
  const effect = renderEffect(plan, ceiling);
  const ceilings = ceilingWarnings(plan.plan, ceiling, maxCostUsd === undefined ? 'budgetUsd' : 'maxCostUsd');
  const areas = areasOf(plan, ceiling);
  const resources = [`studio://plans/${planId}`, 'studio://approvals/index', 'studio://governance/policy'];
  if (dryRun) {
    const { approval, events } = await context.db.transaction(
      async (tx) =>
        await requestApproval(tx, {
          owner: principal.owner,
          kind: 'render',
          subject: planId,
          effect,
          areas,
          requestedBy: callerName(principal),
          ttlS: context.config.APPROVAL_TTL_S,
        }),
    );
    await publishOwnerEvents(context, principal.owner, events);
    const outbox = { effect, effectSha256: approval.effectHash, steps: plan.plan.steps, maxCostUsd: ceiling / 1e6 };
    return {
      output: { dryRun: true, planId, approval: approvalView(context, approval), outbox },
      warnings: [
        ...(plan.plan.warnings ?? []),
        'Nothing was executed. Once the approval is granted, render with dryRun false and its id as approvalRef.',
        ...ceilings,
        ...(approvalRef === undefined ? [] : ['approvalRef was not looked at: a dry run needs none.']),
      ],
      resources,
    };
  }
  const work: LiveWork<typeof render> = {
    queue: render,
    kind: 'render',
    plan: planId,
    approval: { subject: planId, effect, areas, effectHash: hashOf(effect) },
    payload: (approvalId) => ({ planId, approvalId, ceiling }),
    idempotencyKey,
  };
  const job =
    approvalRef === undefined
      ? await startWaiting(context, principal, work)
      : await startApproved(context, principal, work, approvalRef);
  return {
    output: { dryRun: false, planId, job: studioJobView(job), maxCostUsd: ceiling / 1e6 },
    warnings: [
      ...(plan.plan.warnings ?? []),
      ...(job.state === 'awaiting_approval'
        ? [
            `The job waits for the approval ${job.approvalId}: a signed-in person decides it. No provider is called before.`,
          ]
        : []),
      ...ceilings,
      ...heldWarning(context, job),
      ...[(await idleWarning(context, job)) ?? []].flat(),
    ],
    resources: [...resources, `studio://jobs/${job.id}`],
  };
}

async function planOf(context: Context, id: string, owner: string): Promise<Plan> {
  const plan = await readPlan(context, id, owner);
  if (plan) return plan;
  throw new AppError('not_found', `planId: expected the id of a plan of yours, got ${JSON.stringify(id)}.`, {
    field: 'planId',
  });
}

function areasOf({ plan }: Plan, ceiling: number) {
  const { mode, title, prompt, channels, steps } = plan;
  const capabilities = steps.map(({ capability }) => capability);
  return touchedByRender({ mode, title, prompt, channels, capabilities, providers: providersOf(steps), ceiling });
}
