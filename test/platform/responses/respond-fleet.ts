import { runFleetProcess } from '#test/helpers/fleet-process.ts';
import { handlers } from './respond-handlers.ts';

/** A fleet for turns of text in a process of its own, to be killed. */
await runFleetProcess({ name: 'platform', handlers, module: new URL('./respond-handlers.ts', import.meta.url) });
