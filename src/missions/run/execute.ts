import { sql } from 'slonik';
import { changeMission } from '#src/governance/missions/change-mission.ts';
import { moveMission, readSteps, setStep } from '#src/governance/missions/mission-store.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { challengeHuman } from './advance.ts';
import { finishUnlessRunning, skipSteps } from './end-mission.ts';
import { plannedStep, stepsByName } from './step-work.ts';

/**
 * Starts a planned mission; for one that is under way or sealed nothing changes, so that two calls at once are one. A
 * step that waits for its human gets a fresh challenge where the one it has expired.
 *
 * @throws AppError `not_found`, or `state_conflict` for one that failed or was cancelled.
 */
export async function executeMission(context: Context, id: string): Promise<void> {
  await changeMission(context, id, async (tx, mission, log) => {
    if (mission.state === 'planned') {
      await moveMission(tx, mission, 'execute');
      await tx.query(sql.unsafe`
        update missions set executed_at = now(), deadline_at = now() + make_interval(secs => timeout_s) where id = ${id}`);
      log.add('mission.started', { timeoutSeconds: mission.timeoutS });
      return;
    }
    if (mission.state === 'failed' || mission.state === 'cancelled')
      throw new AppError(
        'state_conflict',
        `expected a mission that is planned or under way, got one that is ${mission.state}: create a new one.`,
        { mission: id, state: mission.state },
      );
    for (const step of await readSteps({ db: tx }, id)) {
      if (step.state !== 'awaiting_human' || step.effect === null || step.challenge === null) continue;
      if (Date.parse(step.challenge.expiresAt) > Date.now()) continue;
      log.add('human.expired', { step: step.step });
      const fresh = await challengeHuman({ context, tx, mission, log }, plannedStep(mission, step.step), step.effect);
      await setStep(tx, id, step.step, 'awaiting_human', { challenge: fresh });
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
  await changeMission(context, id, async (tx, mission, log) => {
    await moveMission(tx, mission, 'cancel');
    const work = { tx, mission, log, steps: await stepsByName(tx, id) };
    await skipSteps(work);
    log.add('mission.cancelled');
    await finishUnlessRunning(work);
  });
}
