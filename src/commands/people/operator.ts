import { once } from 'node:events';
import { hostname, userInfo } from 'node:os';
import { Command } from 'commander';
import { listOperatorChanges, type OperatorActor } from '#src/access/sessions/operator-changes.ts';
import { createOperatorLink, removeOperator } from '#src/access/sessions/operator-link.ts';
import { withContext } from '#src/commands/client/surroundings.ts';
import { type Printing, print, withJson } from '#src/commands/terminal/print.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';

const help = `
All use DATABASE_URL, REDIS_URL and KEY_PEPPER, or a running \`proofline up\` in the same PROOFLINE_HOME. The link begins with
PUBLIC_URL, signs one browser in as an operator, once, and is over after 15 minutes; it needs no identity provider, and works
beside one. Its sessions last as all do (SESSION_HOURS, SESSION_IDLE_MINUTES).

Examples:
  $ npm run -s proofline -- operator link
  $ docker compose -f deploy/compose.yaml run --rm api operator link --for ada@example.com
  $ npm run -s proofline -- operator remove ada@example.com
  $ npm run -s proofline -- operator log                                  who made, used and removed what, for the audit

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
        const link = await createOperatorLink(context, email, actor());
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
        if (!(await removeOperator(context, email, actor())))
          throw new AppError('not_found', `expected an operator who came by a link, got ${email}, who did not.`);
        print(options, { removed: email }, () => `removed; no process takes their sessions any more`);
      });
    });
  subcommand('log', 'print who made a link, who used one and who was removed, newest first')
    .option('--limit <number>', 'most lines', '50')
    .action(async ({ limit, ...options }: Printing & { limit: string }) => {
      await withContext(async ({ db }) => {
        const changes = await listOperatorChanges(db, limitOf(limit));
        print(options, changes, () =>
          changes
            .map(({ at, action, email, changedBy }) => `${at.toISOString()}  ${action}  ${email}  ${changedBy}`)
            .join('\n'),
        );
      });
    });
  return command;
}

/** Names the operator who runs this command, as the audit shows it: inside a container the host is the container. */
function actor(): OperatorActor {
  return { changedBy: `cli ${userName()}@${hostname()}` };
}

/** A container may run under a number that has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? '?'}`;
  }
}

function limitOf(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 1_000) return limit;
  throw new AppError(
    'invalid_request',
    `--limit: expected a whole number from 1 to 1000, got ${JSON.stringify(text)}.`,
  );
}

/** Commands to Redis fail at once where it is not there yet. @throws AppError `unavailable` where it does not come. */
async function redisThere({ redis }: Context): Promise<void> {
  if (redis.status === 'ready') return;
  await once(redis, 'ready', { signal: AbortSignal.timeout(10_000) }).catch((error: unknown) => {
    throw new AppError('unavailable', 'expected the Redis of REDIS_URL to answer, got nothing.', {}, error);
  });
}
