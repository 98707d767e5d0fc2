import type { respond } from '#queues/platform.ts';
import { runResponse } from '#src/platform/responses/run-response.ts';
import type { Processor } from '#workers/run/processor.ts';

/** Has a provider write one turn, for the caller to read later. */
export const respondProcessor: Processor<typeof respond> = async (run) => await runResponse(run);
