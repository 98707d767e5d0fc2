import { runFleetProcess } from './fleet-process.ts';
import { works } from './trial.ts';

/** A fleet for trial jobs in a process of its own, to be killed. */
await runFleetProcess({ name: 'trial', works, module: new URL('./trial.ts', import.meta.url) });
