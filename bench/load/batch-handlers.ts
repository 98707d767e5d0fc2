import { batch } from '#queues/platform.ts';
import { generate } from '#queues/providers.ts';
import { runBatchProcessor } from '#workers/platform/run-batch.ts';
import { handler } from '#workers/run/processor.ts';

/** Batches as they are, over a provider that makes nothing: what remains is what a batch itself costs. */
export const handlers = [
  handler(batch, runBatchProcessor),
  handler(generate, async () => ({ provider: 'none', assets: [], cost: 0, tried: [] })),
];
