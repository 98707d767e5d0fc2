import { expect, test } from 'vitest';
import { describeFailure } from '#src/http/errors/describe-failure.ts';
import { describeError } from '#src/lib/errors.ts';

const failing = (code: string, message = 'secret text') => Object.assign(new Error(message), { code });

test.each([
  ['a file', failing('ENOSPC'), 'a disk of this server'],
  ['a quota', failing('EDQUOT'), 'a disk of this server'],
  ['Postgres', failing('53100', 'could not extend file: No space left on device'), 'the database (Postgres)'],
  ['a cause', new Error('outer', { cause: failing('53100') }), 'the database (Postgres)'],
  ['Redis', new Error('MISCONF Errors writing to the AOF file: No space left on device'), 'Redis cannot write'],
])('a full disk is told as such, by its name and without what the system said: %s', (_name, error, named) => {
  expect(describeFailure(error)).toMatchObject({ status: 507, code: 'storage_full' });
  for (const text of [describeFailure(error).detail, describeError(error).message]) {
    expect(text).toContain(named);
    expect(text).not.toContain('secret');
  }
});

test('another failure is none of a full disk', () => {
  expect(describeFailure(failing('53300')).code).toBe('unavailable');
  expect(describeFailure(failing('EACCES')).code).toBe('internal');
});
