import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { migrate } from '#sql/migrate.ts';
import { describeSchema } from '#sql/schema-description.ts';
import { joinRunningSystem } from '#src/commands/client/surroundings.ts';
import { bringUpDatabase } from '#src/commands/start/bring-up.ts';
import { type Printing, print, withJson } from '#src/commands/terminal/print.ts';
import { startPostgres } from '#src/system/embedded/private-postgres.ts';
import { directUrl } from '#src/system/postgres/postgres.ts';
import { assertPostgresAnswers } from '#src/system/postgres/postgres-start.ts';
import { makeTemporaryFolder } from '#src/system/temporary-folders.ts';

const help = `
Any number of processes may migrate at once; each file is applied by one of them, in a transaction of its own.
Uses DATABASE_DIRECT_URL, else DATABASE_URL, or the private Postgres of a running \`proofline up\`.

Examples:
  $ DATABASE_URL=postgres://… npm run proofline -- migrate
  $ npm run proofline -- migrate --dump       after adding a file to sql/: bring sql/schema.sql up to date

Exit codes: 0 the database is up to date; 1 a migration failed; 2 wrong use or a wrong setting.`;

export function migrateCommand(): Command {
  return withJson(new Command('migrate').description('bring the database to the newest numbered file of sql/'))
    .option('--dump', 'apply the files to a temporary database instead, and write its schema to sql/schema.sql')
    .addHelpText('after', help)
    .action(async ({ dump, ...options }: Printing & { dump?: boolean }) => {
      if (dump) {
        await dumpSchema();
        return print(options, { wrote: 'sql/schema.sql' }, () => 'wrote sql/schema.sql');
      }
      const config = await joinRunningSystem(['DATABASE_URL']);
      await assertPostgresAnswers(config);
      const { applied, unknown } = await bringUpDatabase(directUrl(config));
      print(options, { applied, unknown }, () => outcome(applied, unknown));
    });
}

function outcome(applied: readonly string[], unknown: readonly string[]): string {
  if (applied.length > 0) return `applied ${applied.join(', ')}`;
  if (unknown.length === 0) return 'up to date, nothing to apply';
  return `nothing to apply: the database is newer than this release, which does not have ${unknown.join(', ')}`;
}

async function dumpSchema(): Promise<void> {
  const home = makeTemporaryFolder('dump');
  try {
    const postgres = await startPostgres(home, () => {}, { durable: false });
    try {
      await migrate(postgres.url);
      writeFileSync(join(import.meta.dirname, '../../../sql/schema.sql'), await describeSchema(postgres.url));
    } finally {
      await postgres.stop();
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
