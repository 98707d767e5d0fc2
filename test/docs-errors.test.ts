import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorCodes } from '#src/lib/error-codes.ts';
import { errorReasons } from '#src/lib/error-reasons.ts';
import { AppError } from '#src/lib/errors.ts';

const page = readFileSync(join(import.meta.dirname, '../docs/errors.md'), 'utf8');

test('docs/errors.md lists every code of the table, with its status and whether to retry, and no other', () => {
  const listed = [...page.matchAll(/^\| `(\w+)` \| (\d{3}) \| (yes|no) \| (.+) \|$/gm)].map(
    ([, code, status, retry]) => [code, Number(status), retry === 'yes'],
  );
  const known = Object.entries(errorCodes).map(([code, { status, retryable }]) => [code, status, retryable]);
  expect(listed).toHaveLength(known.length);
  expect(listed).toEqual(expect.arrayContaining(known));
});

test('every code of status 403 has reasons, and docs/errors.md lists each of them and no other', () => {
  const codes = Object.entries(errorCodes).filter(([, { status }]) => status === 403);
  expect(Object.keys(errorReasons).toSorted()).toEqual(codes.map(([code]) => code).toSorted());
  const listed = [...page.matchAll(/^\| `(\w+)` \| `(\w+)` \| (.+) \|$/gm)].map(
    ([, reason, code]) => `${code} ${reason}`,
  );
  const known = Object.entries(errorReasons).flatMap(([code, reasons]) => reasons.map((one) => `${code} ${one}`));
  expect(listed.toSorted()).toEqual(known.toSorted());
});

test('an error of a code that has reasons does not compile without one of them', () => {
  // @ts-expect-error no reason
  expect(new AppError('forbidden', 'expected a reason, got none.').details).toEqual({});
  // @ts-expect-error a reason of another code
  expect(new AppError('human_required', 'expected one of its own.', { reason: 'scope' }).code).toBe('human_required');
  expect(new AppError('forbidden', 'expected a scope.', { reason: 'scope' }).details).toEqual({ reason: 'scope' });
});
