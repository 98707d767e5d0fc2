import { runFleetProcess } from '#test/helpers/fleet-process.ts';
import { handlers } from './act-handlers.ts';

/** A fleet for actions on many jobs in a process of its own, to be killed. */
await runFleetProcess({ name: 'platform', handlers, module: new URL('./act-handlers.ts', import.meta.url) });
