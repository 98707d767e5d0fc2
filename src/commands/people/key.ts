import { Command } from 'commander';
import { createKey, listKeys, revokeKey } from '#src/access/keys/keys.ts';
import { type AccessOptions, findApi, withAccess } from '#src/commands/client/api-access.ts';
import { mintOver } from '#src/commands/client/human-client.ts';
import { readIdentity } from '#src/commands/client/identity-file.ts';
import { withContext } from '#src/commands/client/surroundings.ts';
import { type Printing, print, withJson } from '#src/commands/terminal/print.ts';
import { AppError } from '#src/lib/errors.ts';
import { scopes } from '#src/lib/principal.ts';
import type { Context } from '#src/system/context.ts';
import { rotateSealCommand } from './rotate-seal.ts';
import { keyTable } from './tables.ts';

const scopesOf = (prefix: string) => scopes.filter((scope) => scope.startsWith(prefix)).join(', ');

const help = `
create, list and revoke use DATABASE_URL, REDIS_URL and KEY_PEPPER, or a running \`proofline up\` in the same PROOFLINE_HOME.
mint asks the API at --url (or PROOFLINE_URL), else the system that runs on the home, and proves with an identity that "proofline human enrol" enrolled there.
A key is printed once, when it is made; afterwards only its first and last four characters are known.

Scopes:
  studio    ${scopesOf('studio.')}
  platform  ${scopesOf('platform.')}: missions, generation, the market
  jobs      ${scopesOf('jobs.')}: jobs of your own queues; their workers; registering queues

Examples:
  $ npm run proofline -- key create --owner desk-7 --scopes platform.mcp.read,platform.mcp.execute --expires 90d
  $ npm run proofline -- key create --owner acme --scopes jobs.submit,jobs.work,jobs.manage
  $ npm run proofline -- key list --owner desk-7
  $ npm run proofline -- key mint --identity me.json --name laptop
  $ npm run proofline -- key revoke 0198c0de-0000-7000-8000-000000000000

Exit codes: 0 done; 1 failed, for example no such key; 2 wrong use or a wrong setting.`;

interface CreateOptions extends Printing {
  readonly owner: string;
  readonly scopes: string;
  readonly name: string;
  readonly tier: string;
  readonly allowIp?: string[];
  readonly expires?: string;
  readonly operator?: boolean;
}

interface MintOptions extends AccessOptions, Printing {
  readonly audience?: string;
  readonly identity: string;
  readonly name?: string;
  readonly scopes?: string;
  readonly allowIp?: string[];
  readonly expires?: string;
}

export function keyCommand(): Command {
  const command = new Command('key').description('make, list and revoke API keys').addHelpText('after', help);
  const subcommand = (name: string, about: string) =>
    withJson(command.command(name).description(about)).addHelpText('after', help);
  subcommand('create', 'make a key and print it, once')
    .requiredOption('--owner <owner>', 'whose key it is; owners see only their own jobs')
    .requiredOption('--scopes <list>', 'what it may do, separated by commas; "all" for every scope')
    .option('--name <name>', 'what it is for', 'key')
    .option('--tier <tier>', 'row of the rate table: standard or high', 'standard')
    .option('--allow-ip <range...>', 'addresses or CIDR ranges it may be used from (default: anywhere)')
    .option('--expires <when>', 'days such as 90d, or a time such as 2027-01-31T00:00:00Z (default: never)')
    .option('--operator', 'may also redrive and see the jobs of others')
    .action(async (options: CreateOptions) => await withContext(async (context) => await create(context, options)));
  withAccess(subcommand('mint', 'prove who you are, and print a new key of yours, once'))
    .requiredOption('--identity <file>', 'the identity that you enrolled with')
    .option('--audience <url>', 'the address that the service gives as its own, where it is reached by another')
    .option('--name <name>', 'what it is for')
    .option('--scopes <list>', 'what it may do, separated by commas (default: all that you may hold)')
    .option('--allow-ip <range...>', 'addresses or CIDR ranges it may be used from (default: anywhere)')
    .option('--expires <when>', 'days such as 90d, or a time such as 2027-01-31T00:00:00Z (default: never)')
    .action(mint);
  subcommand('list', 'list keys, without their secrets')
    .option('--owner <owner>', 'only the keys of this owner')
    .action(async ({ owner, ...options }: Printing & { owner?: string }) => {
      await withContext(async (context) => {
        const keys = await listKeys(context, owner ?? null);
        print(options, keys, () => keyTable(keys));
      });
    });
  subcommand('revoke', 'revoke a key for good; no process accepts it after 5 s')
    .argument('<id>', 'as `key list` shows it')
    .action(async (id: string, options: Printing) => {
      await withContext(async (context) => {
        const key = await revokeKey(context, id, null);
        print(options, key, () => keyTable([key]));
      });
    });
  command.addCommand(rotateSealCommand());
  return command;
}

async function create(context: Context, options: CreateOptions): Promise<void> {
  const { key, secret } = await createKey(context, {
    owner: options.owner,
    name: options.name,
    scopes: options.scopes === 'all' ? scopes : options.scopes.split(',').map((scope) => scope.trim()),
    allowedIps: options.allowIp ?? [],
    expiresAt: options.expires === undefined ? null : expiry(options.expires),
    tier: options.tier,
    operator: options.operator ?? false,
  });
  process.stderr.write(`${keyTable([key])}\nThis is the only time the key is shown:\n`);
  print(options, { key, secret }, () => secret);
}

async function mint({
  audience,
  identity,
  name,
  scopes: list,
  allowIp,
  expires,
  ...options
}: MintOptions): Promise<void> {
  const { url } = await findApi(options);
  const key = await mintOver({ url, audience }, readIdentity(identity), {
    ...(name !== undefined && { name }),
    ...(list !== undefined && { scopes: list.split(',').map((scope) => scope.trim()) }),
    ...(allowIp && { allowedIps: allowIp }),
    ...(expires !== undefined && { expiresAt: expiry(expires).toISOString() }),
  });
  process.stderr.write(`${key.name}: ${key.scopes.join(', ')}\nThis is the only time the key is shown:\n`);
  print(options, key, () => key.key);
}

function expiry(text: string): Date {
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  const at = days === undefined ? new Date(text) : new Date(Date.now() + Number(days) * 86_400_000);
  if (!Number.isNaN(at.getTime())) return at;
  throw new AppError(
    'invalid_request',
    `--expires: expected days such as 90d or a time such as 2027-01-31, got ${JSON.stringify(text)}.`,
  );
}
