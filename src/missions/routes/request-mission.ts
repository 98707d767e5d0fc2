import { assertHuman } from '#src/access/keys/grants.ts';
import { assertExactText, createMission } from '#src/governance/missions/create-mission.ts';
import type { Mission } from '#src/governance/missions/mission-row.ts';
import { requestText } from '#src/http/request/request-text.ts';
import type { Principal } from '#src/lib/principal.ts';
import { makePlan } from '#src/missions/plan/make-plan.ts';
import type { PlanRequest } from '#src/missions/plan/plan-request.ts';
import type { Context } from '#src/system/context.ts';
import type { MissionRequest } from './mission-bodies.ts';
import { missionsPath } from './mission-view.ts';

/**
 * Plans a mission for a caller, by whichever way: the same owner, key and body are the same mission.
 *
 * @throws AppError `human_required`, `invalid_request` for text that cannot be hashed or stored,
 *   `idempotency_conflict`, and what {@link makePlan} throws.
 */
export async function requestMission(
  context: Context,
  principal: Principal,
  body: MissionRequest,
  idempotencyKey: string | undefined,
): Promise<{ readonly mission: Mission; readonly created: boolean }> {
  return await planMission(context, principal, body, {
    request: () => requestText({ method: 'POST', routeOptions: { url: missionsPath }, params: {}, query: {}, body }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  });
}

/** Request for a mission, with the capabilities that the planner may use and the policy that chooses providers. */
export type RestrictedMissionRequest = MissionRequest & Pick<PlanRequest, 'only' | 'policy'>;

interface RequestIdentity {
  /**
   * Writes the client's request as text; a repetition is recognised by it. Called once its depth is known to be
   * bearable.
   */
  readonly request: () => string;
  readonly idempotencyKey?: string;
}

/** As {@link requestMission}, for a request that came in another way. */
export async function planMission(
  context: Context,
  principal: Principal,
  body: RestrictedMissionRequest,
  { request, idempotencyKey }: RequestIdentity,
): Promise<{ readonly mission: Mission; readonly created: boolean }> {
  const { goal, inputs = {}, steps, budgetUsd, timeoutSeconds, only, policy } = body;
  // before anything that would follow each level of it
  assertExactText({ goal, inputs, steps: steps ?? [] });
  const budget = budgetUsd === undefined ? null : Math.round(budgetUsd * 1e6);
  return await createMission(
    context,
    {
      owner: principal.owner,
      human: assertHuman(principal),
      goal,
      inputs,
      budget,
      timeoutS: timeoutSeconds,
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      request: request(),
    },
    () =>
      makePlan(context, {
        goal,
        inputs,
        budget,
        ...(steps && { steps }),
        ...(only && { only }),
        ...(policy && { policy }),
      }),
  );
}
