import { resolve } from 'node:path';
import { AppError } from '#src/lib/errors.ts';
import { loadConfig } from '#src/system/config/config.ts';
import type { Config } from '#src/system/config/config-type.ts';
import type { Context } from '#src/system/context.ts';
import { clientId } from '#src/system/embedded/identity.ts';
import { readReady, readyOf } from '#src/system/embedded/ready-file.ts';
import { readSecret } from '#src/system/embedded/secrets.ts';
import { signInSettings } from './sign-in.ts';

const connections = ['DATABASE_URL', 'REDIS_URL', 'KEY_PEPPER'] as const;

type Connection = (typeof connections)[number];

/**
 * Completes the environment of this process with what a running `proofline up` uses, where no setting names another,
 * and gives the settings then.
 *
 * @throws AppError `invalid_configuration` for a wrong setting, or when something needed is neither set nor running.
 */
export async function joinRunningSystem(
  needs: readonly Connection[] = connections,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Config> {
  const config = loadConfig(env);
  const missing = needs.filter((name) => config[name] === '');
  if (missing.length === 0) return config;
  const home = resolve(config.PROOFLINE_HOME);
  const ready = await readyOf(home);
  const found: Record<Connection, string | undefined> = {
    DATABASE_URL: ready?.servers.postgres.url,
    REDIS_URL: ready?.servers.redis.url,
    KEY_PEPPER: readSecret(home, 'pepper'),
  };
  if (ready?.servers.chain?.private && config.ANCHOR_RPC_URL === '') {
    const { url, id } = ready.servers.chain;
    const key = readSecret(home, 'anchor-key') ?? '';
    Object.assign(env, { ANCHOR_RPC_URL: url, ANCHOR_CHAIN: id, ANCHOR_KEY: key });
  }
  const { identity } = ready?.servers ?? {};
  if (identity?.private && config.OIDC_ISSUER === undefined) {
    const clientSecret = readSecret(home, 'identity-client') ?? '';
    Object.assign(env, signInSettings({ url: identity.url, clientId, clientSecret }, identity.person?.email));
  }
  for (const name of missing) {
    if (found[name] === undefined) {
      throw new AppError(
        'invalid_configuration',
        `${name}: expected a value, got none, and no \`proofline up\` runs on ${home}${leftOver(home)}. Start one, or set ${name}.`,
      );
    }
    env[name] = found[name];
  }
  return loadConfig(env);
}

/**
 * Returns the words about a ready file that a killed start left behind: a program that trusts it finds no server at its
 * address.
 */
export function leftOver(home: string): string {
  const left = readReady(home);
  return left ? ` (its ready.json is left from one that was killed; its API was process ${left.servers.api.pid})` : '';
}

/** Does something with the connections that the settings or a running `proofline up` name, and closes them. */
export async function withContext(work: (context: Context) => Promise<void>): Promise<void> {
  const config = await joinRunningSystem();
  // commands that ask the API share this file, and need no database
  const { openContext } = await import('#src/system/context.ts');
  const { assertPostgresAnswers } = await import('#src/system/postgres/postgres-start.ts');
  await assertPostgresAnswers(config);
  await using context = await openContext(config, 'cli');
  await work(context);
}
