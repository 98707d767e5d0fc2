/** Status of a step: in a person's words, and its mark. */
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
