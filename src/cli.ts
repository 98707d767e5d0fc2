import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { AppError } from '#src/lib/errors.ts';
import { apiCommand } from './commands/api.ts';
import { approvalCommand } from './commands/approval.ts';
import { benchCommand } from './commands/bench.ts';
import { consoleCommand } from './commands/console.ts';
import { demoCommand } from './commands/demo.ts';
import { explain } from './commands/explain.ts';
import { humanCommand } from './commands/human.ts';
import { ingestCommand } from './commands/ingest.ts';
import { keyCommand } from './commands/key.ts';
import { metricsCommand } from './commands/metrics.ts';
import { migrateCommand } from './commands/migrate.ts';
import { missionCommand } from './commands/mission.ts';
import { pictureCommand } from './commands/picture.ts';
import { settingsCommand } from './commands/settings.ts';
import { upCommand } from './commands/up.ts';
import { verifyCommand } from './commands/verify.ts';
import { workerCommand } from './commands/worker.ts';

const epilogue = `
Settings come from environment variables: \`proofline settings\` lists them with their defaults and units.

Examples:
  $ npm start                                   everything on this machine, until Ctrl-C
  $ npm run demo                                one job from request to result, then the end
  $ PORT=8080 LOG_LEVEL=debug npm start         with other settings
  $ npm run proofline -- key create --owner me --scopes platform.mcp.execute

Exit codes: 0 done; 1 failed, or something that should run has ended; 2 wrong use or a wrong setting.`;

const { version }: { version: string } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));

const program = new Command('proofline')
  .description(
    'Proofline runs governed work: an API that takes jobs, fleets of workers that run them, live streams of what happens.',
  )
  .version(version)
  .addHelpText('after', epilogue);

const commands = [
  upCommand,
  demoCommand,
  apiCommand,
  workerCommand,
  consoleCommand,
  migrateCommand,
  missionCommand,
  approvalCommand,
  keyCommand,
  verifyCommand,
  humanCommand,
  ingestCommand,
  pictureCommand,
  settingsCommand,
  metricsCommand,
  benchCommand,
];
for (const command of commands) program.addCommand(command());
configureErrors(program);

try {
  await program.parseAsync();
} catch (error) {
  // what was opened before the failure would keep the process alive, and a supervisor would never start it again
  process.exit(report(error));
}

/** Commander would end the process itself, with 1 for wrong use. */
function configureErrors(command: Command): void {
  command.exitOverride().showHelpAfterError('(--help says how it is used)');
  for (const child of command.commands) configureErrors(child);
}

function report(error: unknown): number {
  // Commander has printed its own message already; help and version are no errors.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const isOurs = error instanceof AppError;
  process.stderr.write(`${isOurs ? error.message : explain(error)}\n`);
  return isOurs && (error.code === 'invalid_configuration' || error.code === 'invalid_request') ? 2 : 1;
}
