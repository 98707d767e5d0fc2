import { once } from 'node:events';
import { Command } from 'commander';
import { createOperatorLink, removeOperator } from '#src/access/sessions/operator-link.ts';
import { withContext } from '#src/commands/client/surroundings.ts';
import { type Printing, print, withJson } from '#src/commands/terminal/print.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';

const help = `
Both use DATABASE_URL, REDIS_URL and KEY_PEPPER, or a running \`proofline up\` in the same PROOFLINE_HOME. The link begins with
PUBLIC_URL, signs one browser in as an operator, once, and is over after 15 minutes; it needs no identity provider, and works
beside one. Its sessions last as all do (SESSION_HOURS, SESSION_IDLE_MINUTES).

Examples:
  $ npm run -s proofline -- operator link
  $ docker compose -f deploy/compose.yaml run --rm api operator link --for ada@example.com
  $ npm run -s proofline -- operator remove ada@example.com

Exit codes: 0 done; 1 failed, for example no such operator; 2 wrong use or a wrong setting.`;

export function operatorCommand(): Command {
  const command = new Command('operator')
    .description('let an operator sign in without an identity provider')
    .addHelpText('after', help);
  const subcommand = (name: string, about: string) =>
    withJson(command.command(name).description(about)).addHelpText('after', help);
  subcommand('link', 'print a link that signs an operator in to the console, once')
    .option('--for <email>', 'whose things theirs are: those of user:<email>', 'operator@proofline.local')
    .action(async ({ for: email, ...options }: Printing & { for: string }) => {
      await withContext(async (context) => {
        await redisThere(context);
        const link = await createOperatorLink(context, email);
        process.stderr.write(
          `Signs one browser in as the operator ${link.email}, once, until ${link.expires.toISOString()}:\n`,
        );
        print(options, link, () => link.url);
      });
    });
  subcommand('remove', 'end the sessions of an operator who came by a link, at once')
    .argument('<email>', 'whom the link was for')
    .action(async (email: string, options: Printing) => {
      await withContext(async (context) => {
        await redisThere(context);
        if (!(await removeOperator(context, email)))
          throw new AppError('not_found', `expected an operator who came by a link, got ${email}, who did not.`);
        print(options, { removed: email }, () => `removed; no process takes their sessions any more`);
      });
    });
  return command;
}

/** Commands to Redis fail at once where it is not there yet. @throws AppError `unavailable` where it does not come. */
async function redisThere({ redis }: Context): Promise<void> {
  if (redis.status === 'ready') return;
  await once(redis, 'ready', { signal: AbortSignal.timeout(10_000) }).catch((error: unknown) => {
    throw new AppError('unavailable', 'expected the Redis of REDIS_URL to answer, got nothing.', {}, error);
  });
}
