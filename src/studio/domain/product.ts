/** The rules that hold it up. */
export const rules = [
  'A render or publish call with dryRun true makes an approval boundary and an outbox package alone: no provider is called and nothing is posted.',
  'A live provider runs with an approval (approvalRef) alone; without one no provider credits are spent.',
  'Publishing never posts outside by default.',
  'The worker runs approved, queued work alone, and calls providers with worker credentials.',
] as const;

export const product = {
  name: 'Proofline Studio',
  category: 'Creative Operating System',
  version: '0.1.0',
  status: 'foundation_live_read_only_execution_gated',
} as const;
