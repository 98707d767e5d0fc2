import type { Draft } from '#src/governance/missions/draft.ts';
import type { Mission } from '#src/governance/missions/mission-row.ts';
import { hasEnded } from '#src/governance/missions/mission-states.ts';
import { noteJobs, type Work } from './step-work.ts';

/** Marks every step that has not begun as skipped. Those that run go on until the conductor has stopped their jobs. */
export function skipSteps(draft: Draft): void {
  for (const { step, state } of draft.steps.values()) {
    if (hasEnded(state) || state === 'running') continue;
    draft.add('step.skipped', { step });
    draft.setStep(step, 'skipped');
  }
}

/** Finishes a mission that ended, unless jobs of it may still have an effect. */
export function finishUnlessRunning({ steps, set }: Draft): void {
  if ([...steps.values()].some(({ state }) => state === 'running')) return;
  set({ finished: true });
}

/** Checks whether a mission failed or was cancelled while steps ran, and the ends of those are not recorded yet. */
export function isEnding({ state, finishedAt }: Mission): boolean {
  return finishedAt === null && (state === 'failed' || state === 'cancelled');
}

/**
 * Finishes a mission that {@link isEnding}, whose jobs have been stopped: its receipt says of each step that ran how
 * its job ended, an effect that was quicker than the end among them. Who has no job never gets one.
 */
export async function finish(work: Work): Promise<void> {
  const { draft } = work;
  if (!isEnding(draft.mission)) return;
  await noteJobs(work);
  for (const { step, state } of draft.steps.values()) {
    if (state !== 'running') continue;
    draft.add('step.cancelled', { step });
    draft.setStep(step, 'cancelled');
  }
  finishUnlessRunning(draft);
}
