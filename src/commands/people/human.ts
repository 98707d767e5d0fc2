import { text as readAll } from 'node:stream/consumers';
import { Command } from 'commander';
import { createInvite, longestInviteDays, withdrawInvite } from '#src/access/humans/invites.ts';
import { removeHuman } from '#src/access/humans/remove-human.ts';
import { selectHumans } from '#src/access/humans/store/human-store.ts';
import { selectOpenInvites } from '#src/access/humans/store/invite-store.ts';
import { missionScopes } from '#src/access/keys/keys.ts';
import { type AccessOptions, findApi, withAccess } from '#src/commands/client/api-access.ts';
import { enrolOver } from '#src/commands/client/human-client.ts';
import { readIdentity, readOrMakeIdentity } from '#src/commands/client/identity-file.ts';
import { withContext } from '#src/commands/client/surroundings.ts';
import { type Printing, print, withJson } from '#src/commands/terminal/print.ts';
import { readDecimal } from '#src/lib/decimal.ts';
import { standBehind } from './stand-behind.ts';
import { humanTable, humanView, inviteTable } from './tables.ts';

const help = `
invite, invites, withdraw, list and remove are for operators: they use DATABASE_URL, REDIS_URL and KEY_PEPPER, or a
running \`proofline up\` in the same PROOFLINE_HOME. enrol is for the person who got the code, prove for one who enrolled and is signed
in to the console: both ask the API at --url (or PROOFLINE_URL), else the system that runs on the home, and need the prover, which is an optional package (npm install --include=optional).

What an invite vouches for is that an operator handed it to this person, and no more; receipts say so.
The identity file is the person: who has it is them here, and without it they have to enrol as another.

Examples:
  $ npm run proofline -- human invite --for "Ada Lovelace"
  $ npm run proofline -- human invites
  $ npm run proofline -- human withdraw 019a…
  $ npm run proofline -- human enrol --identity me.json --invite invite-…
  $ npm run proofline -- human prove --identity me.json eyJ…
  $ npm run proofline -- key mint --identity me.json
  $ npm run proofline -- human list
  $ npm run proofline -- human remove 2ce4…

Exit codes: 0 done; 1 failed, for example an invite that was used; 2 wrong use or a wrong setting.`;

interface InviteOptions extends Printing {
  readonly for: string;
  readonly scopes: string;
  readonly tier: string;
  readonly days: string;
}

export function humanCommand(): Command {
  const command = new Command('human')
    .description('invite people, enrol as one, list and remove them')
    .addHelpText('after', help);
  const subcommand = (name: string, about: string) =>
    withJson(command.command(name).description(about)).addHelpText('after', help);
  subcommand('invite', 'print a code that one person can enrol with, once')
    .requiredOption('--for <name>', 'whom you give it to; you find them by it in the list')
    .option('--scopes <list>', 'what they may put into keys, separated by commas', missionScopes.join(','))
    .option('--tier <tier>', 'row of the rate table: standard or high', 'standard')
    .option('--days <n>', `how long it can be used, 1 to ${longestInviteDays}`, '7')
    .action(invite);
  subcommand('invites', 'list invites that can still be used').action(async (options: Printing) => {
    await withContext(async ({ db }) => {
      const invites = await selectOpenInvites(db);
      print(options, invites, () => inviteTable(invites));
    });
  });
  subcommand('withdraw', 'take back an invite that has not been used')
    .argument('<id>', 'as `human invites` shows it')
    .action(withdraw);
  withAccess(subcommand('enrol', 'become a human of a service, with an invite'))
    .requiredOption('--identity <file>', 'your identity; made, readable by you alone, where there is none')
    .requiredOption('--invite <code>', 'the code that an operator gave you; "-" reads it from the input')
    .option('--audience <url>', 'the address that the service gives as its own, where it is reached by another')
    .action(enrol);
  withAccess(subcommand('prove', 'bind your sign-in to the human you are'))
    .argument('<code>', 'as the console shows it to you when you are signed in')
    .requiredOption('--identity <file>', 'the identity that you enrolled with')
    .option('--audience <url>', 'the address that the service gives as its own, where it is reached by another')
    .option('--yes', 'prove without being asked')
    .action(prove);
  subcommand('list', 'list humans').action(async (options: Printing) => {
    await withContext(async ({ db }) => {
      const humans = await selectHumans(db);
      print(options, humans.map(humanView), () => humanTable(humans));
    });
  });
  subcommand('remove', 'remove a human and revoke all their keys, for good; no process accepts them after 5 s')
    .argument('<id>', 'as `human list` shows it')
    .action(remove);
  return command;
}

async function invite({ for: label, scopes, tier, days, ...options }: InviteOptions): Promise<void> {
  await withContext(async (context) => {
    const { invite: made, code } = await createInvite(context, {
      label,
      createdBy: 'command line',
      scopes: scopes.split(',').map((scope) => scope.trim()),
      tier,
      days: readDecimal(days) ?? Number.NaN,
    });
    process.stderr.write(
      `For ${made.label}, until ${made.expires_at.toISOString()}. This is the only time the code is shown:\n`,
    );
    print(options, { invite: made, code }, () => code);
  });
}

interface EnrolOptions extends AccessOptions, Printing {
  readonly audience?: string;
  readonly identity: string;
  readonly invite: string;
}

async function enrol({ audience, identity, invite: inviteOption, ...options }: EnrolOptions): Promise<void> {
  const { url } = await findApi(options);
  const code = inviteOption === '-' ? (await readAll(process.stdin)).trim() : inviteOption;
  const { human, provider, assurance } = await enrolOver({ url, audience }, readOrMakeIdentity(identity), code);
  process.stderr.write(
    `You are enrolled (${assurance}, by ${provider}) with the identity in ${identity}; keep that file.\n`,
  );
  print(options, { human, provider, assurance }, () => human);
}

interface ProveOptions extends AccessOptions, Printing {
  readonly audience?: string;
  readonly identity: string;
  readonly yes?: boolean;
}

async function prove(code: string, options: ProveOptions): Promise<void> {
  const { audience, identity, yes = false } = options;
  const { url } = await findApi(options);
  const email = await standBehind({ url, audience }, readIdentity(identity), code, yes);
  print(options, { email, url }, () => `${email} is known as you now, wherever they are signed in at ${url}.`);
}

async function withdraw(id: string, options: Printing): Promise<void> {
  await withContext(async (context) => {
    const withdrawn = await withdrawInvite(context, id);
    print(options, withdrawn, () => `withdrawn; it was for ${withdrawn.label}`);
  });
}

async function remove(id: string, options: Printing): Promise<void> {
  await withContext(async (context) => {
    const { keys } = await removeHuman(context, id);
    print(options, { human: id, keys_revoked: keys }, () => `removed; keys revoked: ${keys.length}`);
  });
}
