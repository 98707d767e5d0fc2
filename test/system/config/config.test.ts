import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { settingsMarkdown } from '#src/commands/data/settings.ts';
import { loadConfig } from '#src/system/config/config.ts';
import type { Setting } from '#src/system/config/setting-kinds.ts';
import { settings } from '#src/system/config/settings.ts';

test('without any variable every setting has its default, and the settings cannot be changed', () => {
  const config = loadConfig({});
  const defaults = Object.entries<Setting>(settings).map(([name, { fallback }]) => [name, fallback]);
  expect(config).toEqual(Object.fromEntries(defaults));
  expect(Object.isFrozen(config)).toBe(true);
});

test('every default is a right value of its own setting', () => {
  for (const [name, { fallback, read }] of Object.entries<Setting>(settings)) {
    if (typeof fallback !== 'string' && typeof fallback !== 'number') continue;
    if (fallback === '') continue;
    expect([name, read(String(fallback))]).toEqual([name, fallback]);
  }
});

test('values are read by their kind, and an empty variable counts as not set', () => {
  const config = loadConfig({
    PORT: ' 8080 ',
    LOG_LEVEL: 'debug',
    ALLOWED_ORIGINS: 'https://a.example, http://localhost:3000',
    HOST: '',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
  });
  expect(config.PORT).toBe(8080);
  expect(config.LOG_LEVEL).toBe('debug');
  expect(config.ALLOWED_ORIGINS).toEqual(['https://a.example', 'http://localhost:3000']);
  expect(config.HOST).toBe('127.0.0.1');
  expect(config.OTEL_EXPORTER_OTLP_ENDPOINT).toBe('http://collector:4318');
});

test.each([
  [{ PORT: '70000' }, 'PORT: expected a whole number from 0 to 65535, got "70000".'],
  [{ PORT: '1e3' }, 'PORT: expected a whole number from 0 to 65535, got "1e3".'],
  [{ WORKER_CONCURRENCY: '-1' }, 'WORKER_CONCURRENCY: expected a whole number from 1 to 10000, got "-1".'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL: expected one of trace, debug, info, warn, error, fatal, silent, got "loud".'],
  [
    { PUBLIC_URL: 'example.com' },
    'PUBLIC_URL: expected an address that starts with http:// or https://, got "example.com".',
  ],
  [
    { ALLOWED_ORIGINS: 'https://a.example/path' },
    'ALLOWED_ORIGINS: expected origins such as https://example.com, separated by commas, got "https://a.example/path".',
  ],
  [{ FEED: 'files' }, 'FEED_FOLDER: expected a folder, since FEED is files, got none.'],
  [{ FEED_SPEED: '0.5' }, 'FEED_SPEED: expected a whole number from 1 to 600, got "0.5".'],
  [
    { FEED_CBOE_URL: 'file:///etc/' },
    'FEED_CBOE_URL: expected an address that starts with http:// or https:// and ends in /, got "file:///etc/".',
  ],
  [{ THREADS_MIN: '9', THREADS_MAX: '8' }, 'THREADS_MIN: expected at most THREADS_MAX (8), got 9.'],
  [{ BEAT_MS: '3000' }, 'BEAT_MS: expected at most half of LEASE_MS (5000), got 3000.'],
  [{ ORACLE_MODEL: 'm' }, 'ORACLE_MODEL: expected a name together with ORACLE_MODEL_URL, got only one of the two.'],
  [{ ORACLE_MODEL_URL: 'https://a.example/v1' }, 'ORACLE_MODEL: expected a name together with ORACLE_MODEL_URL'],
  [{ PLANNER_MODEL: 'm' }, 'PLANNER_MODEL: expected a name together with PLANNER_MODEL_URL, got only one of the two.'],
  [
    { STEP_ASSURANCE: 'present' },
    'STEP_ASSURANCE: expected at most unique without WORLD_ID_RP_ID and WORLD_ID_SIGNING_KEY, since only World ID shows presence, got present.',
  ],
  [
    { STEP_ASSURANCE: 'unique+present', WORLD_ID_RP_ID: 'rp_1' },
    'STEP_ASSURANCE: expected at most unique without WORLD_ID_RP_ID and WORLD_ID_SIGNING_KEY',
  ],
  [
    { REDIS_CLUSTER_NODES: 'a:6379' },
    'REDIS_URL: expected a node without a database, since REDIS_CLUSTER_NODES is set, got none or with one.',
  ],
  [{ REDIS_CLUSTER_NODES: 'a:6379', REDIS_URL: 'redis://b/1' }, 'REDIS_URL: expected a node without a database'],
  [{ REDIS_CLUSTER_NODES: 'a' }, 'REDIS_CLUSTER_NODES: expected hosts with ports such as 10.0.0.2:6379'],
  [{ DATABASE_DIRECT_URL: 'postgres://a/b' }, 'DATABASE_URL: expected an address together with DATABASE_DIRECT_URL'],
  [{ SEAL_SIGNER_URL: 'https://a.example' }, 'SEAL_SIGNER_TOKEN: expected a value together with SEAL_SIGNER_URL'],
  [{ SEAL_SIGNER_PUBLIC_KEY: 'A'.repeat(43) }, 'SEAL_SIGNER_PUBLIC_KEY: expected a value together with SEAL_SIGNER'],
  [{ SEAL_SIGNER_PUBLIC_KEY: 'B'.repeat(43) }, 'SEAL_SIGNER_PUBLIC_KEY: expected 32 bytes in base64url, got'],
  [{ SEAL_SIGNER_URL: 'http://a.example' }, 'SEAL_SIGNER_URL: expected an address'],
  [{ ORACLE_MODEL_URL: 'http://a.example/v1', ORACLE_MODEL: 'm' }, 'ORACLE_MODEL_URL: expected an address'],
])('error: %j is refused with one sentence', (env, message) => {
  expect(() => loadConfig(env)).toThrow(message);
});

test('error: the value of a secret is never in the sentence', () => {
  expect(() => loadConfig({ KEY_PEPPER: 'hunter2' })).toThrow(
    /^KEY_PEPPER: expected at least 32 characters, got something else/,
  );
  expect(() => loadConfig({ KEY_PEPPER: 'hunter2' })).not.toThrow(/hunter2/);
  expect(() => loadConfig({ DATABASE_URL: 'mysql://root:hunter2@db' })).not.toThrow(/hunter2/);
});

test('a service that is sent a secret may be on this machine without encryption', () => {
  for (const url of ['http://127.0.0.1:8000/v1', 'http://localhost:11434/v1', 'http://[::1]:1', 'https://a.example/v1'])
    expect(loadConfig({ ORACLE_MODEL_URL: url, ORACLE_MODEL: 'm' }).ORACLE_MODEL_URL).toBe(url);
  for (const url of ['http://127.0.0.1.example', 'https://me:pw@a.example', 'https://a.example?key=1', 'ftp://a'])
    expect(() => loadConfig({ ORACLE_MODEL_URL: url, ORACLE_MODEL: 'm' }), url).toThrow('expected an address');
});

test.each([
  ['WORKER_CONCURENCY', 'WORKER_CONCURRENCY'],
  ['PORTT', 'PORT'],
  ['LOG_LEVLE', 'LOG_LEVEL'],
  ['REDIS_URI', 'REDIS_URL'],
  ['UNREADY_M', 'UNREADY_MS'],
])('error: %s, a name that is nearly a setting, is refused with the one that was meant', (name, meant) => {
  expect(() => loadConfig({ [name]: '5' })).toThrow(`did you mean ${meant}?`);
});

test('a name that is nearly a setting is another program’s where the setting itself is set, or where it is short or far', () => {
  expect(loadConfig({ REDIS_URI: 'redis://b', REDIS_URL: 'redis://a' }).REDIS_URL).toBe('redis://a');
  for (const name of [
    'POST',
    'HOSTNAME',
    'REDIS_HOST',
    'DATABASE_SSL',
    'KUBERNETES_PORT',
    'OTEL_EXPORTER_OTLP_HEADERS',
  ])
    expect(loadConfig({ [name]: 'x' }).PORT).toBe(4_000);
});

test('error: an unknown name with our prefix is refused, with the name that was meant', () => {
  expect(() => loadConfig({ PROOFLINE_HOEM: '/tmp' })).toThrow('did you mean PROOFLINE_HOME?');
  expect(() => loadConfig({ PROOFLINE_PORT: '1' })).toThrow('did you mean PORT?');
});

test('docs/settings.md is what the table renders to', () => {
  // Written by `proofline settings --markdown > docs/settings.md`.
  expect(readFileSync(join(import.meta.dirname, '../../../docs/settings.md'), 'utf8')).toBe(settingsMarkdown());
});
