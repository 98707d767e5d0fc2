import { runFleetProcess } from '#test/helpers/fleet-process.ts';
import { handlers } from './queue.ts';

/** A worker process of limited jobs. */
await runFleetProcess({ name: 'limited', handlers, module: new URL('./queue.ts', import.meta.url) });
