import { runFleetProcess } from '#test/helpers/fleet-process.ts';
import { handlers } from './batch-handlers.ts';

/** A fleet for batches in a process of its own, to be killed. */
await runFleetProcess({ name: 'platform', handlers, module: new URL('./batch-handlers.ts', import.meta.url) });
