import { expect, test } from 'vitest';
import { loadConfig } from '#src/system/config/config.ts';
import { environmentOf } from '#workers/run/isolated-environment.ts';

test('a child has the settings of its parent, whatever the environment of the parent says', () => {
  const config = loadConfig({
    LEASE_MS: '1500',
    BEAT_MS: '200',
    ALLOWED_ORIGINS: 'https://a.example,https://b.example',
    DATABASE_URL: 'postgres://u:p@localhost:5432/d',
  });
  const env = environmentOf(config, { PATH: '/bin', LEASE_MS: '9000', REDIS_PREFIX: 'other' });
  expect(env).toMatchObject({ PATH: '/bin', LEASE_MS: '1500' });
  expect(loadConfig(env)).toEqual(config);
});
