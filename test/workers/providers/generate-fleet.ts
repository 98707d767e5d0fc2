import { runFleetProcess } from '#test/helpers/fleet-process.ts';
import { handlers } from './trial-parts.ts';

/** A fleet that calls providers in a process of its own, to be killed. */
await runFleetProcess({ name: 'studio', handlers, module: new URL('./trial-parts.ts', import.meta.url) });
