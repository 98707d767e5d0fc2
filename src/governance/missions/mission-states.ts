export const missionStates = [
  'planned',
  'awaiting_human',
  'executing',
  'sealing',
  'sealed',
  'failed',
  'cancelled',
] as const;
export type MissionState = (typeof missionStates)[number];

/** Every move a mission can make, and what makes it. */
export const missionMoves = {
  execute: { from: ['planned'], to: 'executing' },
  ask: { from: ['executing'], to: 'awaiting_human' },
  resume: { from: ['awaiting_human'], to: 'executing' },
  complete: { from: ['executing'], to: 'sealing' },
  seal: { from: ['sealing'], to: 'sealed' },
  fail: { from: ['executing', 'awaiting_human'], to: 'failed' },
  cancel: { from: ['planned', 'executing', 'awaiting_human'], to: 'cancelled' },
} as const satisfies Record<string, { from: readonly MissionState[]; to: MissionState }>;
export type MissionMove = keyof typeof missionMoves;

export const stepStates = [
  'waiting',
  'awaiting_human',
  'approved',
  'running',
  'succeeded',
  'failed',
  'cancelled',
  'skipped',
] as const;
export type StepState = (typeof stepStates)[number];

const ended: readonly StepState[] = ['succeeded', 'failed', 'cancelled', 'skipped'];

/** Checks whether a step will not run any more. */
export function hasEnded(state: StepState): boolean {
  return ended.includes(state);
}
