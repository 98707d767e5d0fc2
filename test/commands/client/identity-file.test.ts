import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readIdentity, readOrMakeIdentity } from '#src/commands/client/identity-file.ts';
import { testFolder } from '#test/helpers/processes.ts';

test('an identity is made once, for its owner alone, and read again as it was', () => {
  using folder = testFolder();
  const file = join(folder.path, 'me.json');
  const secret = readOrMakeIdentity(file);
  expect(secret).toHaveLength(32);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readOrMakeIdentity(file)).toEqual(secret);
  expect(readIdentity(file)).toEqual(secret);
  expect(readOrMakeIdentity(join(folder.path, 'other.json'))).not.toEqual(secret);
});

test('error: a file that is no identity is refused and left as it is', () => {
  using folder = testFolder();
  const file = join(folder.path, 'me.json');
  expect(() => readIdentity(file)).toThrow('expected a file that "proofline human enrol" wrote');
  for (const text of ['', '{}', '{"kind":"proofline-identity","secret":"00"}', 'not json']) {
    writeFileSync(file, text);
    expect(() => readOrMakeIdentity(file)).toThrow('expected a file that "proofline human enrol" wrote');
    expect(readFileSync(file, 'utf8')).toBe(text);
  }
});
