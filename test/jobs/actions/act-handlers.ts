import { act } from '#queues/jobs.ts';
import { actProcessor } from '#workers/platform/act-on-jobs.ts';
import { handler } from '#workers/run/processor.ts';

/** The processor of actions alone: a process that loads all of them takes a second more to start. */
export const handlers = [handler(act, actProcessor)];
