import type { respond } from '#queues/platform.ts';
import { runTextHere } from '#src/platform/text/run-text.ts';
import type { Processor } from '#workers/processor.ts';

/** Has a provider write one turn, for whoever asks for it later. */
export const respondProcessor: Processor<typeof respond> = async (run) => await runTextHere(run);
