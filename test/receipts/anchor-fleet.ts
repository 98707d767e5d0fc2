import { anchor } from '#queues/missions.ts';
import { startRelay } from '#src/jobs/ledger/relay.ts';
import { startSweep } from '#src/jobs/sweep/sweep.ts';
import { startAnchors } from '#src/receipts/anchor/start-anchors.ts';
import { runFleetProcess } from '#test/helpers/fleet-process.ts';
import { handlers } from './anchor-handlers.ts';

/** A process that both leads and works for the anchors, to be killed. */
await runFleetProcess(
  {
    name: 'anchors',
    handlers,
    module: new URL('./anchor-handlers.ts', import.meta.url),
  },
  (context) => {
    startRelay(context);
    startSweep(context, [anchor.name]);
    startAnchors(context);
  },
);
