import { expect, test } from 'vitest';
import { missingCredential, secretOf } from '#src/providers/catalogue/credentials.ts';
import { provider } from '#test/providers/offers.ts';

const named = provider({ credential: 'ONE_KEY' });

test('a key is read from the environment at each call, so that a rotated one counts at once', () => {
  const env = { ONE_KEY: 'key-0123456789' };
  expect(secretOf(named, 'credential', env)).toBe('key-0123456789');
  env.ONE_KEY = 'key-9876543210';
  expect(secretOf(named, 'credential', env)).toBe('key-9876543210');
  expect(secretOf(provider(), 'credential', env)).toBeUndefined();
});

test.each([
  ['nothing', {}],
  ['a short one', { ONE_KEY: 'short' }],
  ['one with a space in it', { ONE_KEY: 'key 0123456789' }],
])('error: %s is no key, and the sentence shows the name alone', (_what, env: NodeJS.ProcessEnv) => {
  expect(missingCredential(named, env)).toBe('ONE_KEY');
  expect(() => secretOf(named, 'credential', env)).toThrow(/^ONE_KEY: expected the secret/);
  expect(() => secretOf(named, 'credential', env)).not.toThrow(/0123456789|short/);
});
