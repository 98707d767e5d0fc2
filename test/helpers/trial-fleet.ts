import { runFleetProcess } from './fleet-process.ts';
import { handlers } from './trial.ts';

/** A fleet for trial jobs in a process of its own, to be killed. */
await runFleetProcess({ name: 'trial', handlers, module: new URL('./trial.ts', import.meta.url) });
