import { respond } from '#queues/platform.ts';
import { respondProcessor } from '#workers/platform/respond.ts';
import { handler } from '#workers/run/processor.ts';

/** What has a provider write text, and nothing else: a process with it starts at once. */
export const handlers = [handler(respond, respondProcessor)];
