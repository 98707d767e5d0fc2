import { runFleetProcess } from '#test/helpers/fleet-process.ts';
import { handlers } from '#workers/handlers.ts';

/** The studio's fleet in a process of its own, to be killed. */
await runFleetProcess({ name: 'studio', handlers, module: new URL('../../workers/handlers.ts', import.meta.url) });
