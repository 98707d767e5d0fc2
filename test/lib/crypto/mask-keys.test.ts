import { expect, test } from 'vitest';
import { holdsKey, maskKeys } from '#src/lib/crypto/mask-keys.ts';

test('every key in a text is masked, however often it is asked', () => {
  const text = 'sk-platform-abcdef and sk-platform-ABC123xyz';
  expect(maskKeys(text)).toBe('sk-platform-[removed] and sk-platform-[removed]');
  expect([holdsKey(text), holdsKey(text), holdsKey('sk-platform-…')]).toEqual([true, true, false]);
});
