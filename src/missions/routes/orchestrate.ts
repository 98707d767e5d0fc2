import { mediaCapabilities } from '#queues/providers.ts';
import type { Mission } from '#src/governance/missions/mission-row.ts';
import { readSteps } from '#src/governance/missions/mission-store.ts';
import type { GoalRequest, Orchestrated } from '#src/governance/missions/orchestration.ts';
import type { Hub } from '#src/http/streams/hub.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Principal } from '#src/lib/principal.ts';
import { capabilities } from '#src/missions/plan/catalogue.ts';
import { endOf } from '#src/missions/run/end-of.ts';
import { executeMission } from '#src/missions/run/execute.ts';
import type { Context } from '#src/system/context.ts';
import { planMission } from './request-mission.ts';
import { waitForMission } from './wait-for-mission.ts';

/**
 * Makes a governed mission of a goal, starts it, and waits until its receipt is sealed, it waits for a human, or the
 * wait is over.
 *
 * @throws AppError `invalid_request` for a capability that does not exist, `unplannable`, `budget_exceeded`,
 *   `human_required`, `idempotency_conflict`.
 */
export async function orchestrate(
  { context, hub }: { readonly context: Context; readonly hub: Hub },
  principal: Principal,
  { planOnly, request, idempotencyKey, waitMs, signal, ...goal }: GoalRequest,
): Promise<Orchestrated> {
  for (const name of goal.only ?? []) assertKnown(name);
  const planned = await planMission(context, principal, goal, {
    request: () => request,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  });
  const { id, state } = planned.mission;
  // one that waits for its human gets a challenge that still holds
  if (!planOnly && (state === 'planned' || state === 'awaiting_human')) await executeMission(context, id);
  const last = planOnly ? null : await waitForMission(context, hub, id, isSettled, waitMs, signal);
  const mission = last ?? planned.mission;
  const hasFailed = mission.state === 'failed' || mission.state === 'cancelled';
  return {
    mission,
    steps: await readSteps(context, id),
    created: planned.created,
    failure: hasFailed ? endOf(mission) : null,
  };
}

function isSettled({ state, sealedAt }: Mission): boolean {
  return sealedAt !== null || state === 'awaiting_human';
}

function assertKnown(name: string): void {
  if (capabilities.has(name) || mediaCapabilities.some((one) => one === name)) return;
  const known = [...new Set([...capabilities.keys(), ...mediaCapabilities])].join(', ');
  throw new AppError('invalid_request', `capabilities: expected some of ${known}, got ${JSON.stringify(name)}.`, {
    field: 'body.capabilities',
    value: name,
  });
}
