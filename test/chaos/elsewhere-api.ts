import { buildApp } from '#src/api/app.ts';
import { startRelay } from '#src/jobs/ledger/relay.ts';
import { startSweep } from '#src/jobs/sweep/sweep.ts';
import { startWaker } from '#src/jobs/wake/waker.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { openContext } from '#src/system/context.ts';
import { cannotStart } from '#test/helpers/servers/cannot-start.ts';

/** An API process of the chaos test of workers elsewhere: the real one, with all that keeps jobs from being lost. */
const config = loadConfig();
const context = await openContext(config, 'api').catch(cannotStart('an API'));
startSweep(context);
startRelay(context);
startWaker(context);
const app = await buildApp(context);
await app.listen({ port: config.PORT, host: config.HOST });
process.once('disconnect', () => process.exit(0));
process.send?.('ready');
