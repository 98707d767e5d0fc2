import { Command } from 'commander';
import { type Printing, print, withJson } from '#src/commands/terminal/print.ts';
import { plain } from '#src/commands/terminal/text-table.ts';
import { counted } from '#src/lib/text/counted.ts';
import { type Finding, type Status, statuses } from './finding.ts';

const help = `
Looks at this machine, the settings of this shell, the servers that they name and what runs on them, and changes nothing.
Each line is ok, a warning, a fault, or skipped where it could not be told; it says what to do, and never shows a secret.
Run it with the settings of the processes, as their user; without DATABASE_URL and REDIS_URL it looks at the system on the home.

Examples:
  $ npm run -s proofline -- doctor
  $ DATABASE_URL=postgres://… REDIS_URL=redis://… npm run -s proofline -- doctor --json

Exit codes: 0 no fault; 1 a fault; 2 wrong use.`;

export function doctorCommand(): Command {
  return withJson(new Command('doctor').description('say what is wrong with this installation, and what to do'))
    .addHelpText('after', help)
    .action(async (options: Printing) => {
      // its packages for chains, providers and servers are loaded for a look alone, not for a help
      const { examine } = await import('./examine.ts');
      const findings = await examine(process.env);
      const counts = Object.fromEntries(statuses.map((status) => [status, countOf(findings, status)]));
      print(options, { counts, findings }, () => reportText(findings));
      if (countOf(findings, 'fault') > 0) process.exitCode = 1;
    });
}

const countOf = (findings: readonly Finding[], status: Status): number =>
  findings.filter((one) => one.status === status).length;

/** A line for each finding, then how many there are of each status. */
function reportText(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.map(
    ({ status, check, says }) => `${status.padEnd('skipped'.length)}  ${check.padEnd(width)}  ${plain(says)}`,
  );
  const [faults, warnings] = [countOf(findings, 'fault'), countOf(findings, 'warning')];
  return [...lines, '', `${counted(faults, 'fault')}, ${counted(warnings, 'warning')}`].join('\n');
}
