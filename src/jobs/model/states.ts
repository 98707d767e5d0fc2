export const states = ['awaiting_approval', 'queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;

export type State = (typeof states)[number];

/** Every move a job can make, and what makes it. The SQL of each verb guards its own row; the tests walk this table. */
export const moves = {
  approve: { from: ['awaiting_approval'], to: 'queued' },
  claim: { from: ['queued'], to: 'running' },
  succeed: { from: ['running'], to: 'succeeded' },
  fail: { from: ['running'], to: 'failed' },
  retry: { from: ['running'], to: 'queued' },
  release: { from: ['running'], to: 'queued' },
  quarantine: { from: ['queued', 'running'], to: 'failed' },
  cancel: { from: ['awaiting_approval', 'queued', 'running'], to: 'cancelled' },
  redrive: { from: ['failed'], to: 'queued' },
} as const satisfies Record<string, { from: readonly State[]; to: State }>;

export const terminalStates: readonly State[] = ['succeeded', 'failed', 'cancelled'];

export function isTerminal(state: string): boolean {
  return terminalStates.some((terminal) => terminal === state);
}
