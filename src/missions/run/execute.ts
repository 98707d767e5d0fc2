import { changeMission } from '#src/governance/missions/change-mission.ts';
import { moveMission } from '#src/governance/missions/draft.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { challengeHuman } from './advance.ts';
import { finishUnlessRunning, skipSteps } from './end-mission.ts';
import { plannedStep } from './step-work.ts';

/**
 * Starts a planned mission; for one that is under way or sealed nothing changes, so that two calls at once are one. A
 * step that waits for its human gets a fresh challenge where the one it has expired.
 *
 * @throws AppError `not_found`, or `state_conflict` for one that failed or was cancelled.
 */
export async function executeMission(context: Context, id: string): Promise<void> {
  await changeMission(context, id, async (tx, draft) => {
    const { mission } = draft;
    if (mission.state === 'planned') {
      moveMission(draft, 'execute');
      draft.set({ executed: true });
      draft.add('mission.started', { timeoutSeconds: mission.timeoutS });
      return;
    }
    if (mission.state === 'failed' || mission.state === 'cancelled')
      throw new AppError(
        'state_conflict',
        `expected a mission that is planned or under way, got one that is ${mission.state}: create a new one.`,
        { mission: id, state: mission.state },
      );
    for (const step of draft.steps.values()) {
      if (step.state !== 'awaiting_human' || step.effect === null || step.challenge === null) continue;
      if (Date.parse(step.challenge.expiresAt) > Date.now()) continue;
      draft.add('human.expired', { step: step.step });
      const fresh = await challengeHuman({ context, tx, draft }, plannedStep(mission, step.step), step.effect);
      draft.setStep(step.step, 'awaiting_human', { challenge: fresh });
    }
  });
}

/**
 * Cancels a mission that has not ended: nothing begins any more, and what runs is stopped. What its steps did outside
 * stays done and is in the receipt.
 *
 * @throws AppError `not_found`, or `state_conflict` when it has ended.
 */
export async function cancelMission(context: Context, id: string): Promise<void> {
  await changeMission(context, id, async (_tx, draft) => {
    moveMission(draft, 'cancel');
    skipSteps(draft);
    draft.add('mission.cancelled');
    finishUnlessRunning(draft);
  });
}
