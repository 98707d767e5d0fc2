import { startFlows } from '#src/jobs/flows/start-flows.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { openContext } from '#src/system/context.ts';

/** A process that moves flows, to be killed at it. */
const context = await openContext(loadConfig(), 'test');
startFlows(context);
process.once('disconnect', () => process.exit(0));
process.send?.('ready');
