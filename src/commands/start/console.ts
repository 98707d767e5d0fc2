import { Command } from 'commander';
import { type Printing, print, withJson } from '#src/commands/terminal/print.ts';
import { consoleFolder } from '#src/http/content/built-files.ts';
import { buildConsole, isConsoleFresh } from './console-build.ts';

const help = `
Done by \`npm start\` where it is missing or older than its sources. An image of the API has it built in.

Examples:
  $ npm run proofline -- console              build it unless it is built from these very sources
  $ npm run proofline -- console --always

Exit codes: 0 it is built; 1 it cannot be built.`;

export function consoleCommand(): Command {
  return withJson(new Command('console').description('build the web console that the API serves'))
    .option('--always', 'even where it is built from these very sources')
    .addHelpText('after', help)
    .action(async ({ always, ...options }: Printing & { always?: true }) => {
      const stale = always || !isConsoleFresh();
      if (stale) await buildConsole();
      const value = { folder: consoleFolder, built: stale };
      print(options, value, () => `${stale ? 'built' : 'is built'}: ${consoleFolder}`);
    });
}
