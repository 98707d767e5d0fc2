import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorCodes } from '#src/lib/error-codes.ts';

test('docs/errors.md lists every code of the table, with its status and whether to retry, and no other', () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/errors.md'), 'utf8');
  const listed = [...page.matchAll(/^\| `(\w+)` \| (\d{3}) \| (yes|no) \| (.+) \|$/gm)].map(
    ([, code, status, retry]) => [code, Number(status), retry === 'yes'],
  );
  const known = Object.entries(errorCodes).map(([code, { status, retryable }]) => [code, status, retryable]);
  expect(listed).toHaveLength(known.length);
  expect(listed).toEqual(expect.arrayContaining(known));
});
