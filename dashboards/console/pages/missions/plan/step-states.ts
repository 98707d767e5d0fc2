/** Where a step stands: in a person's words, and how it is marked. */
export const stepStates = {
  waiting: ['waits for its turn', 'wait'],
  awaiting_human: ['waits for you', 'ask'],
  approved: ['approved', 'busy'],
  running: ['running', 'busy'],
  succeeded: ['succeeded', 'ok'],
  failed: ['failed', 'bad'],
  cancelled: ['cancelled', 'wait'],
  skipped: ['will not run', 'wait'],
} as const;
