import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { AppError } from '#src/lib/errors.ts';
import type { Principal } from '#src/lib/principal.ts';
import type { Outcome } from '#src/studio/edge/envelope.ts';
import { PlanInput } from '#src/studio/edge/inputs.ts';
import { renderPlan } from '#src/studio/live/render.ts';
import { readPlan } from '#src/studio/model/store.ts';
import { createPlan } from '#src/studio/plan/make-plan.ts';
import type { Context } from '#src/system/context.ts';
import { unknown } from './scope-of.ts';
import { unreadParams } from './unread-params.ts';

/** Parameters of the plan that may be chosen anew; all else is as before. */
const names = ['routePolicy', 'targetFormats', 'budgetUsd'] as const;
const changes = Compile(Type.Pick(PlanInput, names, { additionalProperties: false }));

/**
 * Plans a plan's brief again, with today's providers and prices, and makes the boundary of a dry run. Nothing is
 * executed.
 *
 * @param params free-form: what is none of a plan changes nothing, and is named in the warnings
 * @throws AppError `not_found`, `invalid_request` for a routePolicy, targetFormats or budgetUsd that does not fit,
 *   `providers_exhausted`.
 */
export async function rerunPlan(
  context: Context,
  principal: Principal,
  id: string,
  params: Readonly<Record<string, unknown>>,
): Promise<Outcome> {
  const { known, unread } = sorted(params);
  if (!changes.Check(known)) {
    const [error] = changes.Errors(known);
    throw new AppError(
      'invalid_request',
      `params${error?.instancePath.replaceAll('/', '.') ?? ''}: expected it as studio_plan takes it, got another (${error?.message ?? 'it does not fit'}).`,
      { field: 'params' },
    );
  }
  const before = await readPlan(context, id, principal.owner);
  if (!before) throw unknown({ targetType: 'plan', targetId: id });
  const { routePolicy, targetFormats, budgetUsd } = before.plan;
  const { created: _isNew, ...planned } = await createPlan(context, principal, {
    briefId: before.brief,
    routePolicy,
    ...(targetFormats.length > 0 && { targetFormats: [...targetFormats] }),
    ...(budgetUsd !== null && { budgetUsd }),
    ...known,
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
    warnings: [...unreadParams('rerun_plan', unread), ...(planned.warnings ?? []), ...(dryRun.warnings ?? [])],
    resources: [`studio://plans/${plan.id}`, `studio://plans/${id}`, 'studio://approvals/index'],
  };
}

/** Params that change a plan, and the names of all others. */
function sorted(params: Readonly<Record<string, unknown>>) {
  const isKnown = (name: string) => names.some((one) => one === name);
  const entries = Object.entries(params);
  return {
    known: Object.fromEntries(entries.filter(([name]) => isKnown(name))),
    unread: entries.map(([name]) => name).filter((name) => !isKnown(name)),
  };
}
