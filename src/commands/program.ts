import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { editDistance } from '#src/lib/text/edit-distance.ts';

const epilogue = `
Settings come from environment variables: \`proofline settings\` lists them with their defaults and units.

Examples:
  $ npm start                                   everything on this machine, until Ctrl-C
  $ npm run demo                                one job from request to result, then the end
  $ PORT=8080 LOG_LEVEL=debug npm start         with other settings
  $ npm run proofline -- key create --owner me --scopes platform.mcp.execute

Exit codes: 0 done; 1 failed, or something that should run has ended; 2 wrong use or a wrong setting. Where a command has
more (verify, jobs wait, submit), its help says so.`;

const { version }: { version: string } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
);

/** By name, in the order of the help. A command is loaded when it is named: all of them together take a second. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  up: async () => (await import('#src/commands/start/up.ts')).upCommand(),
  demo: async () => (await import('#src/commands/demo/demo.ts')).demoCommand(),
  init: async () => (await import('#src/commands/project/init.ts')).initCommand(),
  new: async () => (await import('#src/commands/project/new-job.ts')).newCommand(),
  api: async () => (await import('#src/commands/process/api.ts')).apiCommand(),
  worker: async () => (await import('#src/commands/process/worker.ts')).workerCommand(),
  console: async () => (await import('#src/commands/start/console.ts')).consoleCommand(),
  migrate: async () => (await import('#src/commands/process/migrate.ts')).migrateCommand(),
  doctor: async () => (await import('#src/commands/doctor/doctor.ts')).doctorCommand(),
  jobs: async () => (await import('#src/commands/jobs/jobs.ts')).jobsCommand(),
  queues: async () => (await import('#src/commands/jobs/queues.ts')).queuesCommand(),
  calls: async () => (await import('#src/commands/jobs/calls.ts')).callsCommand(),
  logs: async () => (await import('#src/commands/jobs/logs.ts')).logsCommand(),
  submit: async () => (await import('#src/commands/jobs/submit.ts')).submitCommand(),
  schedules: async () => (await import('#src/commands/jobs/schedules.ts')).schedulesCommand(),
  limits: async () => (await import('#src/commands/people/limits.ts')).limitsCommand(),
  endpoints: async () => (await import('#src/commands/people/endpoints.ts')).endpointsCommand(),
  flows: async () => (await import('#src/commands/flows/flows.ts')).flowsCommand(),
  top: async () => (await import('#src/commands/jobs/top.ts')).topCommand(),
  types: async () => (await import('#src/commands/jobs/types.ts')).typesCommand(),
  workers: async () => (await import('#src/commands/jobs/workers.ts')).workersCommand(),
  mission: async () => (await import('#src/commands/people/mission.ts')).missionCommand(),
  approval: async () => (await import('#src/commands/people/approval.ts')).approvalCommand(),
  key: async () => (await import('#src/commands/people/key.ts')).keyCommand(),
  operator: async () => (await import('#src/commands/people/operator.ts')).operatorCommand(),
  verify: async () => (await import('#src/commands/data/verify.ts')).verifyCommand(),
  human: async () => (await import('#src/commands/people/human.ts')).humanCommand(),
  ingest: async () => (await import('#src/commands/data/ingest.ts')).ingestCommand(),
  picture: async () => (await import('#src/commands/data/picture.ts')).pictureCommand(),
  env: async () => (await import('#src/commands/data/env.ts')).envCommand(),
  settings: async () => (await import('#src/commands/data/settings.ts')).settingsCommand(),
  metrics: async () => (await import('#src/commands/data/metrics.ts')).metricsCommand(),
  bench: async () => (await import('#src/commands/process/bench.ts')).benchCommand(),
  completion: async () => (await import('#src/commands/completion/completion.ts')).completionCommand(proofline),
};

/** The command line as commander has it: with the one command of this name, else with all of them. */
export async function proofline(name = ''): Promise<Command> {
  const own = Object.hasOwn(commands, name) ? commands[name] : undefined;
  const program = new Command('proofline')
    .description(
      'Proofline runs governed work: an API that takes jobs, fleets of workers that run them, live streams of what happens.',
    )
    .version(version)
    .addHelpText('after', epilogue);
  const loaded = await Promise.all((own ? [own] : Object.values(commands)).map((load) => load()));
  for (const command of loaded) program.addCommand(command);
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
