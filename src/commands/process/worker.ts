import { Argument, Command } from 'commander';
import { fleets, queueNames } from '#queues/fleets.ts';
import { joinRunningSystem } from '#src/commands/client/surroundings.ts';

const help = `
Needs DATABASE_URL, REDIS_URL and KEY_PEPPER, or a running \`proofline up\` in the same PROOFLINE_HOME.
Settings of interest: WORKER_CONCURRENCY, THREADS_MIN, THREADS_MAX, THREAD_MEMORY_MB, LEASE_MS, DRAIN_DEADLINE_MS.
On SIGTERM it takes no more jobs; what still runs at DRAIN_DEADLINE_MS goes back to its queue without losing an attempt.

Example:
  $ DATABASE_URL=postgres://… REDIS_URL=redis://… KEY_PEPPER=… npm run proofline -- worker analytics

Exit codes: 0 stopped as asked; 1 failed; 2 wrong use or a wrong setting.`;

export function workerCommand(): Command {
  return new Command('worker')
    .description('run one worker process for one or more fleets, as in a deployment (migrate first)')
    .addArgument(fleetArgument())
    .addHelpText('after', help)
    .action(async (names: string[]) => {
      await joinRunningSystem();
      const main = new URL(import.meta.resolve('#workers/main.ts'));
      process.argv.splice(1, Number.POSITIVE_INFINITY, main.pathname, ...names);
      await import(main.href);
    });
}

/** Options of help and completion; a wrong value is refused by the worker, in its own words. */
function fleetArgument(): Argument {
  const argument = new Argument('<fleet...>', 'fleets of queues/fleets.ts, or single queues');
  argument.argChoices = [...Object.keys(fleets), ...queueNames];
  return argument;
}
