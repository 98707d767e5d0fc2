import { runFleetProcess } from '#test/helpers/fleet-process.ts';
import { works } from './publish-works.ts';

/** A fleet for publications in a process of its own, to be killed. */
await runFleetProcess({ name: 'studio', works, module: new URL('./publish-works.ts', import.meta.url) });
