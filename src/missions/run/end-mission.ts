import { type DatabaseTransactionConnection, sql } from 'slonik';
import type { MissionLog } from '#src/governance/missions/mission-log.ts';
import type { Mission } from '#src/governance/missions/mission-row.ts';
import { hasEnded } from '#src/governance/missions/mission-states.ts';
import type { Context } from '#src/system/context.ts';
import { change, noteJobs, stepsByName, type Work } from './step-work.ts';

type Ending = Pick<Work, 'tx' | 'mission' | 'log' | 'steps'>;

/** Marks every step that has not begun as skipped. Those that run go on until the conductor has stopped their jobs. */
export async function skipSteps(work: Ending): Promise<void> {
  for (const step of work.steps.values()) {
    if (hasEnded(step.state) || step.state === 'running') continue;
    work.log.add('step.skipped', { step: step.step });
    await change(work, step, 'skipped');
  }
}

/** Finishes a mission that ended, unless jobs of it may still have an effect. */
export async function finishUnlessRunning({ tx, mission, steps }: Ending): Promise<void> {
  if ([...steps.values()].some(({ state }) => state === 'running')) return;
  await tx.query(sql.unsafe`update missions set finished_at = now() where id = ${mission.id}`);
}

/** Checks whether a mission failed or was cancelled while steps ran, and the ends of those are not recorded yet. */
export function isEnding({ state, finishedAt }: Mission): boolean {
  return finishedAt === null && (state === 'failed' || state === 'cancelled');
}

/**
 * Finishes a mission that {@link isEnding}, whose jobs have been stopped: its receipt says of each step that ran how
 * its job ended, an effect that was quicker than the end among them. Who has no job never gets one.
 */
export async function finish(
  context: Context,
  tx: DatabaseTransactionConnection,
  mission: Mission,
  log: MissionLog,
): Promise<void> {
  if (!isEnding(mission)) return;
  const steps = await stepsByName(tx, mission.id);
  const work: Work = { context, tx, mission, log, steps };
  await noteJobs(work);
  for (const step of steps.values()) {
    if (step.state !== 'running') continue;
    log.add('step.cancelled', { step: step.step });
    await change(work, step, 'cancelled');
  }
  await finishUnlessRunning(work);
}
