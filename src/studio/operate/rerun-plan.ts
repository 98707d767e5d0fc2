import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { AppError } from '#src/lib/errors.ts';
import type { Principal } from '#src/lib/principal.ts';
import type { Outcome } from '#src/studio/envelope.ts';
import { PlanInput } from '#src/studio/inputs.ts';
import { createPlan } from '#src/studio/make-plan.ts';
import { renderPlan } from '#src/studio/render.ts';
import { readPlan } from '#src/studio/store.ts';
import type { Context } from '#src/system/context.ts';
import { unknown } from './scope-of.ts';

/** What of the plan may be chosen anew; all else is as before. */
const Changes = Type.Pick(PlanInput, ['routePolicy', 'targetFormats', 'budgetUsd'], { additionalProperties: false });
const changes = Compile(Changes);

/**
 * Plans a plan's brief again, with today's providers and prices, and makes the boundary of a dry run. Nothing is executed.
 *
 * @throws AppError `not_found`, `invalid_request` for params that are none of a plan, `providers_exhausted`.
 */
export async function rerunPlan(
  context: Context,
  principal: Principal,
  id: string,
  params: Readonly<Record<string, unknown>>,
): Promise<Outcome> {
  if (!changes.Check(params)) {
    const [error] = changes.Errors(params);
    throw new AppError(
      'invalid_request',
      `params${error?.instancePath.replaceAll('/', '.') ?? ''}: expected routePolicy, targetFormats and budgetUsd alone, as studio_plan takes them, got another (${error?.message ?? 'it does not fit'}).`,
      { field: 'params' },
    );
  }
  const before = await readPlan(context, id, principal.owner);
  if (!before) throw unknown({ targetType: 'plan', targetId: id });
  const { routePolicy, targetFormats, budgetUsd } = before.plan;
  const planned = await createPlan(context, principal, {
    briefId: before.brief,
    routePolicy,
    ...(targetFormats.length > 0 && { targetFormats: [...targetFormats] }),
    ...(budgetUsd !== null && { budgetUsd }),
    ...params,
  });
  const plan = planned.output['plan'] as { readonly id: string; readonly planSha256: string };
  const dryRun = await renderPlan(context, principal, { planId: plan.id, dryRun: true });
  return {
    output: {
      ...planned.output,
      previousPlan: { id, planSha256: before.planHash, same: before.planHash === plan.planSha256 },
      approval: dryRun.output['approval'],
      outbox: dryRun.output['outbox'],
      executed: false,
    },
    warnings: [...(planned.warnings ?? []), ...(dryRun.warnings ?? [])],
    resources: [`studio://plans/${plan.id}`, `studio://plans/${id}`, 'studio://approvals/index'],
  };
}
