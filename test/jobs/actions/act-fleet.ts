import { runFleetProcess } from '#test/helpers/fleet-process.ts';
import { handlers } from '#workers/handlers.ts';

/** A fleet for actions on many jobs in a process of its own, to be killed. */
await runFleetProcess({
  name: 'platform',
  handlers: handlers.filter(({ queue }) => queue.name === 'jobs.act'),
  module: new URL(import.meta.resolve('#workers/handlers.ts')),
});
