import { startRelay } from '#src/jobs/ledger/relay.ts';
import { startSweep } from '#src/jobs/sweep/sweep.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { openContext } from '#src/system/context.ts';
import { trial } from './trial.ts';

/** A process that leads relay and sweep, to be stopped. */
const context = await openContext(loadConfig(), 'api');
startSweep(context, [trial.name]);
startRelay(context);
while ((await context.metrics.proofline_relay_leader.get()).values[0]?.value !== 1)
  await new Promise((resolve) => setTimeout(resolve, 20));
process.once('disconnect', () => process.exit(0));
process.send?.('ready');
