import { runFleetProcess } from '#test/helpers/fleet-process.ts';
import { handlers } from './queue.ts';

/** A worker process of limited jobs, with as many hands as the load says. */
await runFleetProcess({
  name: 'limited',
  handlers,
  module: new URL('./queue.ts', import.meta.url),
  concurrency: Number(process.env['CHAOS_HANDS']),
});
