import type { anchor } from '#queues/missions.ts';
import { tickBatch } from '#src/receipts/anchor/tick.ts';
import type { Processor } from '#workers/run/processor.ts';

/** Looks at one batch of anchors and does the next thing about it. The leader asks again when the next look is due. */
export const anchorBatchProcessor: Processor<typeof anchor> = async ({ payload, emit, context }) => {
  const { status, transaction, did } = await tickBatch(context, payload.batchId);
  emit({ stage: did });
  return { batchId: payload.batchId, status, transaction };
};
