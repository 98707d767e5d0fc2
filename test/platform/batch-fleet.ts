import { runFleetProcess } from '#test/helpers/fleet-process.ts';
import { works } from './batch-works.ts';

/** A fleet for batches in a process of its own, to be killed. */
await runFleetProcess({ name: 'platform', works, module: new URL('./batch-works.ts', import.meta.url) });
