import { expect, test } from 'vitest';
import { holdsKey, maskKeys } from '#src/lib/crypto/mask-keys.ts';

test('every key in a text is masked, however often it is asked', () => {
  const text = 'sk-platform-abcdef and sk-platform-ABC123xyz';
  expect(maskKeys(text)).toBe('sk-platform-[removed] and sk-platform-[removed]');
  expect([holdsKey(text), holdsKey(text), holdsKey('sk-platform-…')]).toEqual([true, true, false]);
});

test('stream tokens are masked too: they stand in addresses', () => {
  const token = `st-${'a_-9'.repeat(10)}xyz`;
  expect(maskKeys(`GET /v1/stream/SPX?token=${token}&x=1`)).toBe('GET /v1/stream/SPX?token=st-[removed]&x=1');
});
