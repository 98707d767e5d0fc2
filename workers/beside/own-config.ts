import { resolve } from 'node:path';
import { AppError } from '#src/lib/errors.ts';
import { loadConfig } from '#src/system/config/config.ts';
import type { Config } from '#src/system/config/config-type.ts';
import { readyOf } from '#src/system/embedded/ready-file.ts';

/**
 * The settings of this process; addresses of servers that none names are those of a running `proofline up` with the same
 * home.
 *
 * @throws AppError `invalid_configuration`
 */
export async function ownConfig(): Promise<Config> {
  const config = loadConfig();
  const missing = (['DATABASE_URL', 'REDIS_URL'] as const).find((name) => config[name] === '');
  if (missing === undefined) return config;
  const home = resolve(config.PROOFLINE_HOME);
  const ready = await readyOf(home);
  if (!ready)
    throw new AppError(
      'invalid_configuration',
      `${missing}: expected the address that the API and its fleets have, or a running \`proofline up\` on ${home}, got neither.`,
      { variable: missing },
    );
  const { postgres, redis } = ready.servers;
  return loadConfig({
    ...process.env,
    DATABASE_URL: config.DATABASE_URL || postgres.url,
    REDIS_URL: config.REDIS_URL || redis.url,
  });
}
