export const states = [
  'awaiting_approval',
  'queued',
  'running',
  'waiting',
  'succeeded',
  'failed',
  'cancelled',
] as const;

export type State = (typeof states)[number];

/** Every move a job can make, and what makes it. The SQL of each verb guards its own row; the tests walk this table. */
export const moves = {
  approve: { from: ['awaiting_approval'], to: 'queued' },
  claim: { from: ['queued'], to: 'running' },
  succeed: { from: ['running'], to: 'succeeded' },
  fail: { from: ['running'], to: 'failed' },
  retry: { from: ['running'], to: 'queued' },
  release: { from: ['running'], to: 'queued' },
  suspend: { from: ['running'], to: 'waiting' },
  wake: { from: ['waiting'], to: 'queued' },
  /** All that it was submitted to wait for has ended: it may run, needs a decision first, or never runs. */
  start: { from: ['waiting'], to: 'queued' },
  ask: { from: ['waiting'], to: 'awaiting_approval' },
  abandon: { from: ['waiting'], to: 'failed' },
  /** A flow: its nodes run, and all have ended. */
  unfold: { from: ['queued'], to: 'waiting' },
  finish: { from: ['waiting'], to: 'succeeded' },
  quarantine: { from: ['queued', 'running'], to: 'failed' },
  /** Its budgets cannot hold it. */
  refuse: { from: ['queued'], to: 'failed' },
  cancel: { from: ['awaiting_approval', 'queued', 'running', 'waiting'], to: 'cancelled' },
  redrive: { from: ['failed'], to: 'queued' },
  /** One that a person decides about: the decision that it had was about one run. */
  reask: { from: ['failed'], to: 'awaiting_approval' },
  /** A flow, of which what succeeded is kept. */
  rerun: { from: ['failed', 'cancelled'], to: 'queued' },
} as const satisfies Record<string, { from: readonly State[]; to: State }>;

/** Reasons of a job to wait: a time, a signal, or the end of a child. */
export const waitKinds = ['sleep', 'signal', 'result'] as const;
export type WaitKind = (typeof waitKinds)[number];

export const terminalStates: readonly State[] = ['succeeded', 'failed', 'cancelled'];

export const unfinishedStates: readonly State[] = states.filter((state) => !terminalStates.includes(state));

export function isTerminal(state: string): boolean {
  return terminalStates.some((terminal) => terminal === state);
}
