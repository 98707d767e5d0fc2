import { runFleetProcess } from '#test/helpers/fleet-process.ts';
import { handlers } from './publish-handlers.ts';

/** A fleet for publications in a process of its own, to be killed. */
await runFleetProcess({ name: 'studio', handlers, module: new URL('./publish-handlers.ts', import.meta.url) });
