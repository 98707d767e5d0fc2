import { answerCalls } from '#bench/lib/calls.ts';
import { apart, handlers } from '#bench/load/trivial.ts';
import { loadConfig } from '#src/system/config/config.ts';
import { openContext } from '#src/system/context.ts';
import { startFleet } from '#workers/run/fleet.ts';

/** A fleet process for a queue of its own: `apart.ts <concurrency>`. */
const context = await openContext(loadConfig(), 'worker');
await startFleet(context, {
  name: 'apart',
  handlers: handlers.filter(({ queue }) => queue.name === apart.name),
  module: new URL(import.meta.resolve('#bench/load/trivial.ts')),
  concurrency: Number(process.argv[2]),
});
answerCalls({});
