import { runFleetProcess } from '#test/helpers/fleet-process.ts';
import { works } from '#workers/works.ts';

/** The studio's fleet in a process of its own, to be killed. */
await runFleetProcess({ name: 'studio', works, module: new URL('../../workers/works.ts', import.meta.url) });
