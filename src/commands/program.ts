import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { completionCommand } from '#src/commands/completion/completion.ts';
import { envCommand } from '#src/commands/data/env.ts';
import { ingestCommand } from '#src/commands/data/ingest.ts';
import { metricsCommand } from '#src/commands/data/metrics.ts';
import { pictureCommand } from '#src/commands/data/picture.ts';
import { settingsCommand } from '#src/commands/data/settings.ts';
import { verifyCommand } from '#src/commands/data/verify.ts';
import { demoCommand } from '#src/commands/demo/demo.ts';
import { flowsCommand } from '#src/commands/flows/flows.ts';
import { callsCommand } from '#src/commands/jobs/calls.ts';
import { jobsCommand } from '#src/commands/jobs/jobs.ts';
import { logsCommand } from '#src/commands/jobs/logs.ts';
import { queuesCommand } from '#src/commands/jobs/queues.ts';
import { schedulesCommand } from '#src/commands/jobs/schedules.ts';
import { submitCommand } from '#src/commands/jobs/submit.ts';
import { topCommand } from '#src/commands/jobs/top.ts';
import { typesCommand } from '#src/commands/jobs/types.ts';
import { workersCommand } from '#src/commands/jobs/workers.ts';
import { approvalCommand } from '#src/commands/people/approval.ts';
import { endpointsCommand } from '#src/commands/people/endpoints.ts';
import { humanCommand } from '#src/commands/people/human.ts';
import { keyCommand } from '#src/commands/people/key.ts';
import { limitsCommand } from '#src/commands/people/limits.ts';
import { missionCommand } from '#src/commands/people/mission.ts';
import { operatorCommand } from '#src/commands/people/operator.ts';
import { apiCommand } from '#src/commands/process/api.ts';
import { benchCommand } from '#src/commands/process/bench.ts';
import { migrateCommand } from '#src/commands/process/migrate.ts';
import { workerCommand } from '#src/commands/process/worker.ts';
import { initCommand } from '#src/commands/project/init.ts';
import { newCommand } from '#src/commands/project/new-job.ts';
import { consoleCommand } from '#src/commands/start/console.ts';
import { upCommand } from '#src/commands/start/up.ts';
import { editDistance } from '#src/lib/text/edit-distance.ts';

const epilogue = `
Settings come from environment variables: \`proofline settings\` lists them with their defaults and units.

Examples:
  $ npm start                                   everything on this machine, until Ctrl-C
  $ npm run demo                                one job from request to result, then the end
  $ PORT=8080 LOG_LEVEL=debug npm start         with other settings
  $ npm run proofline -- key create --owner me --scopes platform.mcp.execute

Exit codes: 0 done; 1 failed, or something that should run has ended; 2 wrong use or a wrong setting. Where a command has
more (verify, jobs wait), its help says so.`;

const { version }: { version: string } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
);

const commands = [
  upCommand,
  demoCommand,
  initCommand,
  newCommand,
  apiCommand,
  workerCommand,
  consoleCommand,
  migrateCommand,
  jobsCommand,
  queuesCommand,
  callsCommand,
  logsCommand,
  submitCommand,
  schedulesCommand,
  limitsCommand,
  endpointsCommand,
  flowsCommand,
  topCommand,
  typesCommand,
  workersCommand,
  missionCommand,
  approvalCommand,
  keyCommand,
  operatorCommand,
  verifyCommand,
  humanCommand,
  ingestCommand,
  pictureCommand,
  envCommand,
  settingsCommand,
  metricsCommand,
  benchCommand,
];

/** The whole command line, as commander has it. */
export function proofline(): Command {
  const program = new Command('proofline')
    .description(
      'Proofline runs governed work: an API that takes jobs, fleets of workers that run them, live streams of what happens.',
    )
    .version(version)
    .addHelpText('after', epilogue);
  for (const command of commands) program.addCommand(command());
  program.addCommand(completionCommand(proofline));
  configureErrors(program);
  return program;
}

/** Commander would end the process itself, with 1 for wrong use. */
function configureErrors(command: Command): void {
  command.exitOverride().showHelpAfterError('(--help says how it is used)').hook('preSubcommand', nameMistype);
  for (const child of command.commands) configureErrors(child);
}

/** Commander takes a mistyped subcommand for an argument of the one that runs without a name. */
function nameMistype(command: Command, chosen: Command): void {
  const [word] = command.args;
  if (word === undefined || word.startsWith('-') || word === chosen.name()) return;
  if (chosen.aliases().includes(word) || chosen.registeredArguments.length > 0) return;
  const names = command.commands.map((one) => one.name()).filter((one) => editDistance(word, one) <= one.length / 2);
  const least = Math.min(...names.map((one) => editDistance(word, one)));
  const near = names.filter((one) => editDistance(word, one) === least).join(' or ');
  const advice = near === '' ? '' : `\n(Did you mean ${near}?)`;
  command.error(`error: unknown command '${word}' of ${command.name()}${advice}`, {
    code: 'commander.unknownCommand',
  });
}
