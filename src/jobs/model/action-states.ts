import { moves, type State } from './states.ts';

/** Verbs that many jobs can be put under, each with the states that it takes a job from. */
export const actionStates = {
  cancel: moves.cancel.from,
  redrive: moves.redrive.from,
  /** Ends what has not begun. */
  expire: ['awaiting_approval', 'queued'],
  reprioritise: ['awaiting_approval', 'queued', 'waiting'],
} as const satisfies Record<string, readonly State[]>;

export type Action = keyof typeof actionStates;
export const actions = ['cancel', 'redrive', 'expire', 'reprioritise'] as const satisfies readonly Action[];
