import { anchor } from '#queues/missions.ts';
import { anchorBatchProcessor } from '#workers/missions/anchor-batch.ts';
import { handler } from '#workers/run/processor.ts';

/** The processor of anchors alone: a process that loads all of them takes a second more to start. */
export const handlers = [handler(anchor, anchorBatchProcessor)];
