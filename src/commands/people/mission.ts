import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { type AccessOptions, accessHelp, findAccess } from '#src/commands/client/api-access.ts';
import { ask, proveOver } from '#src/commands/client/human-client.ts';
import { readIdentity } from '#src/commands/client/identity-file.ts';
import { subcommandsOf } from '#src/commands/client/subcommands.ts';
import { isAgreed, shownExactly } from '#src/commands/terminal/agree.ts';
import { type Printing, print } from '#src/commands/terminal/print.ts';
import { AppError } from '#src/lib/errors.ts';
import { effectHash } from '#src/missions/plan/effect.ts';
import type { MissionView } from '#src/missions/routes/mission-view.ts';
import type { Receipt } from '#src/receipts/format/receipt-schema.ts';
import { missionText } from './mission-text.ts';

const help = `${accessHelp}
A key that writes missions must be bound to a verified human; the admin key of a home is.

Examples:
  $ npm run -s proofline -- mission create "Take a snapshot of SPX, then hash it"
  $ npm run -s proofline -- mission execute ID
  $ npm run -s proofline -- mission approve ID STEP --identity me.json

Exit codes: 0 done; 1 refused or failed; 2 wrong use.`;

type Options = AccessOptions & Printing;

interface ApproveOptions extends AccessOptions, Printing {
  readonly identity: string;
  readonly audience?: string;
  readonly worldId?: string;
  readonly yes?: boolean;
}

type Step = MissionView['steps'][number];

export function missionCommand(): Command {
  const command = new Command('mission')
    .description('plan, execute, approve and read missions')
    .addHelpText('after', help);
  const subcommand = subcommandsOf(command, help);
  subcommand('create', 'plan a mission from a goal, and print it')
    .argument('<goal>', 'what is wanted, in English')
    .action(async (goal: string, options: Options) =>
      show(options, await send(await findAccess(options), '/api/v1/missions', { goal })),
    );
  subcommand('show', 'print a mission: its plan, and the status of each step')
    .argument('<id>', 'the mission')
    .action(async (id: string, options: Options) => show(options, await read(await findAccess(options), id)));
  subcommand('execute', 'execute a mission, and print its receipt, or its status')
    .argument('<id>', 'the mission')
    .action(async (id: string, options: Options) =>
      show(options, await send(await findAccess(options), `${pathOf(id)}/execute`, {})),
    );
  subcommand('approve', 'show what a step will do, and approve exactly that with a proof of who you are')
    .argument('<id>', 'the mission')
    .argument('<step>', 'the step, as the plan names it')
    .requiredOption('--identity <file>', 'the identity that you enrolled with')
    .option('--audience <url>', 'the address that the service gives as its own, where it is reached by another')
    .option('--world-id <file>', 'the result of proveSession of IDKit over this challenge: shows that you are there')
    .option('--yes', 'approve without being asked')
    .action(approve);
  subcommand('decline', 'say no to a step; the mission fails there')
    .argument('<id>', 'the mission')
    .argument('<step>', 'the step, as the plan names it')
    .action(async (id: string, step: string, options: Options) =>
      show(
        options,
        await send(await findAccess(options), `${pathOf(id)}/steps/${encodeURIComponent(step)}/decline`, {}),
      ),
    );
  return command;
}

async function approve(
  id: string,
  name: string,
  { url: urlOption, home, audience, identity, worldId: file, yes, ...options }: ApproveOptions,
): Promise<void> {
  const secret = readIdentity(identity);
  const worldId = file === undefined ? undefined : readResult(file);
  const access = await findAccess({ ...(urlOption !== undefined && { url: urlOption }), home });
  const mission = await read(access, id);
  const { step, challenge } = waitingStep(mission, name);
  const capability = mission.plan.steps.find((planned) => planned.id === name)?.capability ?? '';
  // what is shown is what is proven over, whatever the service says beside it
  if (effectHash(capability, step.input) !== challenge.body['effectSha256'])
    throw new AppError(
      'invalid_request',
      `expected a challenge over what the step ${name} does, got one over something else; do not approve it.`,
    );
  process.stderr.write(`${capability} will do exactly this, once:\n${shownExactly(step.input)}\n`);
  if (!yes && !(await isAgreed('Approve it?')))
    throw new AppError('cancelled', 'Nothing was approved: expected the answer yes, or the option --yes.');
  const proof = await proveOver({ url: access.url, audience }, secret, 'step', challenge);
  const body = { challengeId: challenge.id, proof, worldId };
  show(options, await send(access, `${pathOf(id)}/steps/${encodeURIComponent(name)}/approve`, body));
}

/** Reads IDKit's result from its file. The service judges it. */
function readResult(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new AppError(
      'invalid_request',
      `--world-id: expected a file with the JSON that IDKit gave, got ${JSON.stringify(file)}, which is none.`,
      {},
      error,
    );
  }
}

function waitingStep({ steps }: MissionView, name: string): { step: Step; challenge: NonNullable<Step['challenge']> } {
  const step = steps.find(({ id }) => id === name);
  if (step?.challenge) return { step, challenge: step.challenge };
  const waiting = steps.filter(({ challenge }) => challenge).map(({ id }) => id);
  throw new AppError(
    'state_conflict',
    `expected a step that awaits its human (${waiting.join(', ') || 'none does'}), got ${name}, which is ${step?.state.replace('_', ' ') ?? 'none of the plan'}.`,
  );
}

type Access = Awaited<ReturnType<typeof findAccess>>;

async function read({ url, key }: Access, id: string): Promise<MissionView> {
  return await ask(url, pathOf(id), undefined, key);
}

async function send<T>({ url, key }: Access, path: string, body: unknown): Promise<T> {
  return await ask(url, path, body, key);
}

function pathOf(id: string): string {
  return `/api/v1/missions/${encodeURIComponent(id)}`;
}

function show(options: Printing, answer: MissionView | Receipt): void {
  print(options, answer, () => missionText(answer));
}
