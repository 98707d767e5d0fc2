import type { Principal } from '#src/lib/principal.ts';
import type { Outcome } from '#src/studio/edge/envelope.ts';
import type { OperateInput } from '#src/studio/edge/inputs.ts';
import type { Context } from '#src/system/context.ts';
import { cancelWork } from './cancel-work.ts';
import { inspectLineage } from './lineage.ts';
import { requestProviderSetup } from './provider-setup.ts';
import { rerunPlan } from './rerun-plan.ts';
import { assertTarget, targetScopeOf } from './scope-of.ts';
import { unreadParams } from './unread-params.ts';
import { verifyGovernance } from './verify-governance.ts';

interface Action {
  readonly targets: readonly OperateInput['targetType'][];
  readonly readsParams?: true;
  readonly run: (context: Context, principal: Principal, input: OperateInput) => Promise<Outcome>;
}

const actions: Readonly<Record<OperateInput['action'], Action>> = {
  inspect_lineage: {
    targets: ['brief', 'plan', 'job', 'asset', 'provider'],
    run: async (context, { owner }, target) =>
      await inspectLineage(context, owner, await targetScopeOf(context, owner, target)),
  },
  cancel_job: {
    targets: ['job'],
    run: async (context, principal, { targetId }) => await cancelWork(context, principal, targetId),
  },
  rerun_plan: {
    targets: ['plan'],
    readsParams: true,
    run: async (context, principal, { targetId, params = {} }) => await rerunPlan(context, principal, targetId, params),
  },
  request_provider_setup: {
    targets: ['provider'],
    run: async (context, principal, { targetId }) => await requestProviderSetup(context, principal, targetId),
  },
  verify_governance: {
    targets: ['brief', 'plan', 'job', 'asset', 'provider'],
    run: async (context, { owner }, target) =>
      await verifyGovernance(context, owner, await targetScopeOf(context, owner, target)),
  },
};

/**
 * The tool `studio_operate`: bounded actions of an owner on their own work.
 *
 * @throws AppError `invalid_request` for a target that the action is not for, `not_found`, and what the action throws.
 */
export async function operate(context: Context, principal: Principal, input: OperateInput): Promise<Outcome> {
  const { targets, run, readsParams = false } = actions[input.action];
  assertTarget(input, targets);
  const { action, targetType, targetId } = input;
  const { output, ...outcome } = await run(context, principal, input);
  // an action that reads params reports unknown ones itself
  const unread = readsParams ? [] : unreadParams(action, Object.keys(input.params ?? {}));
  const warnings = [...unread, ...(outcome.warnings ?? [])];
  return { ...outcome, warnings, output: { action, targetType, targetId, ...output } };
}
