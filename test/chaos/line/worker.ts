import { runFleetProcess } from '#test/helpers/fleet-process.ts';
import { handlers } from './queue.ts';

/** A worker process of the jobs that stand in line. */
await runFleetProcess({ name: 'standing', handlers, module: new URL('./queue.ts', import.meta.url) });
