import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { migrate } from '#sql/migrate.ts';
import { startRedis } from '#src/system/embedded/private-redis.ts';
import { testFolder } from '#test/helpers/processes.ts';
import { startArchivedPostgres } from './archived-postgres.ts';

type Settings = Readonly<Record<'DATABASE_URL' | 'REDIS_URL', string>>;

/** Servers that a test backs up and destroys while its system runs on them. */
export interface Doomed {
  readonly settings: Settings;
  readonly backUp: () => Promise<void>;
  /** Destroys them once everything is in the archive. */
  readonly destroy: () => Promise<void>;
}

/** Runs `before` on migrated servers, which it backs up and destroys, and `after` on Postgres restored beside an empty Redis. */
export async function acrossRestore<Left>(
  before: (servers: Doomed) => Promise<Left>,
  after: (settings: Settings, left: Left) => Promise<void>,
): Promise<void> {
  using folder = testFolder();
  await using postgres = await startArchivedPostgres(folder.path);
  const home = join(folder.path, 'home');
  mkdirSync(home);
  await migrate(postgres.url);

  const first = await startRedis(home);
  const left = await before({
    settings: { DATABASE_URL: postgres.url, REDIS_URL: first.url },
    backUp: async () => await postgres.backUp(),
    destroy: async () => {
      await postgres.archived();
      await postgres.destroy();
      await first.stop();
    },
  });
  rmSync(join(home, 'redis'), { recursive: true });

  await postgres.restore();
  const redis = await startRedis(home);
  await after({ DATABASE_URL: postgres.url, REDIS_URL: redis.url }, left);
  await redis.stop();
}
