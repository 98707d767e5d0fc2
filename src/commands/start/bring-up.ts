import { type Migrated, migrate, readMigrations } from '#sql/migrate.ts';
import { withClient } from '#sql/open-client.ts';
import { registerBuiltIn } from '#src/jobs/registry/register-built-in.ts';

/**
 * Brings a database to the newest migration, and has it know the queues of this release.
 *
 * @throws as `migrate`
 */
export async function bringUpDatabase(url: string, signal?: AbortSignal): Promise<Migrated> {
  const migrated = await migrate(url, readMigrations(), signal);
  // a newer release was here: its queues stay as it has registered them
  if (migrated.unknown.length === 0) await withClient(url, 'migrate', registerBuiltIn, signal);
  return migrated;
}
