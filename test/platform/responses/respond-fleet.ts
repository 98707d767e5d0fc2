import { runFleetProcess } from '#test/helpers/fleet-process.ts';
import { works } from './respond-works.ts';

/** A fleet for turns of text in a process of its own, to be killed. */
await runFleetProcess({ name: 'platform', works, module: new URL('./respond-works.ts', import.meta.url) });
