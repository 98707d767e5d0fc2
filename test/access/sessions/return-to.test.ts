import { expect, test } from 'vitest';
import { returnAddress } from '#src/access/sessions/return-to.ts';

const base = 'https://studio.example';

test.each([
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  'evil',
  '',
  '/auth/sign-in',
  '/console/../auth/sign-in',
  '/\\/\\evil.example',
])('error: nobody is sent to %j after signing in', (path) => {
  expect(() => returnAddress(base, path)).toThrow('return_to: expected a path of this service');
});

test.each([
  [undefined, '/auth/session'],
  ['/console?tab=keys#new', '/console?tab=keys#new'],
  ['/.//evil.example', '//evil.example'],
  ['/%2F/evil.example', '/%2F/evil.example'],
  ['/a@evil.example', '/a@evil.example'],
])('%j is a path of this service, and becomes a whole address of it', (path, expected) => {
  expect(returnAddress(base, path)).toBe(base + expected);
});
