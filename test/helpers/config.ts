import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { loadConfig } from '#src/system/config/config.ts';
import type { Config } from '#src/system/config/config-type.ts';
import { testDatabase } from './database.ts';

export interface TestConfig extends AsyncDisposable {
  readonly config: Config;
  /** The same as environment variables, for child processes. */
  readonly env: Readonly<Record<string, string>>;
}

/** Settings for one test: a database and a Redis prefix of its own, free ports, no log. The database goes when disposed. */
export async function testConfig(settings: Readonly<Record<string, string>> = {}): Promise<TestConfig> {
  const database = await testDatabase();
  const env = {
    DATABASE_URL: database.url,
    REDIS_URL: inject('redisUrl'),
    REDIS_PREFIX: `test-${randomBytes(6).toString('hex')}`,
    KEY_PEPPER: 'a pepper for tests that is long enough',
    PORT: '0',
    METRICS_PORT: '0',
    FEED: 'none',
    LOG_LEVEL: 'silent',
    UNREADY_MS: '0',
    ...settings,
  };
  return { config: loadConfig(env), env, [Symbol.asyncDispose]: async () => await database[Symbol.asyncDispose]() };
}
