import { resolve } from 'node:path';
import { Command } from 'commander';
import { leftOver } from '#src/commands/client/surroundings.ts';
import { type Printing, print, withJson } from '#src/commands/terminal/print.ts';
import { AppError } from '#src/lib/errors.ts';
import { type Ready, readyOf } from '#src/system/embedded/ready-file.ts';

const help = `
Prints the address and the keys of the system that runs on the home, as exports for bash and zsh. The keys are secrets: give
the output to eval, and do not print it where others can read it.

  PROOFLINE_URL    the address of the API
  PROOFLINE_KEY    the admin key: an operator's, with every scope, and the human of this machine behind it
  ANALYTICS_KEY    a key with the scopes platform.mcp.read and platform.mcp.execute, no operator's
  STUDIO_KEY       a key with the scopes of the studio
  JOBS_KEY         a key with the scopes jobs.submit, jobs.work and jobs.manage, no operator's
  HUMAN_KEY        a key bound to the human of this machine (unset where there is none)
  CHAIN_URL        the chain that receipts are anchored on (unset where there is none)

Examples:
  $ eval "$(npm run -s proofline -- env)"
  $ npm run -s proofline -- env --json

Exit codes: 0 done; 1 no system runs on the home; 2 wrong use.`;

interface Options extends Printing {
  readonly home: string;
}

export function envCommand(): Command {
  return withJson(new Command('env').description('print the running system’s address and keys, as exports for a shell'))
    .option('--home <folder>', 'PROOFLINE_HOME of the running system', process.env['PROOFLINE_HOME'] || '.proofline')
    .addHelpText('after', help)
    .action(async ({ home, ...options }: Options) => {
      // by the home alone: PROOFLINE_URL may be that of a system that has ended since the last eval
      const variables = shellVariables(await runningSystem(resolve(home)));
      print(options, variables, () => Object.entries(variables).map(exportLine).join('\n'));
    });
}

async function runningSystem(home: string): Promise<Ready> {
  const ready = await readyOf(home);
  if (ready) return ready;
  throw new AppError(
    'unavailable',
    `expected a system that runs on ${home}, got none${leftOver(home)}. Start one with npm start (proofline up), or name its folder with --home.`,
  );
}

/** Variables that the commands of the documents use; null where the system lacks one. */
export function shellVariables({ url, keys, servers }: Ready): Readonly<Record<string, string | null>> {
  return {
    PROOFLINE_URL: url,
    PROOFLINE_KEY: keys.admin,
    // no prefix of ours: a process refuses to start when an unknown name has it
    ANALYTICS_KEY: keys.analytics,
    STUDIO_KEY: keys.studio,
    JOBS_KEY: keys.jobs,
    HUMAN_KEY: keys.human,
    CHAIN_URL: servers.chain?.url ?? null,
  };
}

/** A line for bash and zsh. A variable without a value is unset: it may be left from another system. */
export function exportLine([name, value]: readonly [string, string | null]): string {
  return value === null ? `unset ${name}` : `export ${name}='${value.replaceAll("'", `'\\''`)}'`;
}
