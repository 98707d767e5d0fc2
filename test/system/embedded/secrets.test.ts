import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keepSecret, readSecret, replaceSecret, storedSecret } from '#src/system/embedded/secrets.ts';
import { testFolder } from '#test/helpers/processes.ts';

test('a secret is made once, kept for its owner alone, and never overwritten by a second start', () => {
  using folder = testFolder();
  const first = storedSecret(folder.path, 'pepper');
  expect(first).toMatch(/^[\w-]{32}$/);
  expect(storedSecret(folder.path, 'pepper')).toBe(first);
  expect(keepSecret(folder.path, 'pepper', 'another')).toBe(first);
  expect(statSync(join(folder.path, 'secrets/pepper')).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder.path, 'secrets')).mode & 0o777).toBe(0o700);
  expect(readdirSync(join(folder.path, 'secrets'))).toEqual(['pepper']);
});

test('a secret can be replaced, and one that is not there is undefined', () => {
  using folder = testFolder();
  expect(readSecret(folder.path, 'key')).toBeUndefined();
  keepSecret(folder.path, 'key', 'old');
  expect(replaceSecret(folder.path, 'key', 'new')).toBe('new');
  expect(readSecret(folder.path, 'key')).toBe('new');
});
