import { startSweep } from '#src/jobs/sweep/sweep.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { openContext } from '#src/system/context.ts';
import { cannotStart } from '#test/helpers/servers/cannot-start.ts';
import { limited } from './queue.ts';

/** A process that leads, or stands ready to: it feeds, sweeps and audits. */
const context = await openContext(loadConfig(), 'api').catch(cannotStart('a leader'));
startSweep(context, [limited.name]);
process.once('disconnect', () => process.exit(0));
process.send?.('ready');
