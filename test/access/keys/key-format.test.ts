import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isKeyShaped, makeSecret } from '#src/access/keys/key-format.ts';

test('a key is the prefix, 43 base62 digits and six of checksum', () => {
  expect(makeSecret()).toMatch(/^sk-platform-[0-9A-Za-z]{49}$/);
  expect(makeSecret(Buffer.alloc(32))).toMatch(/^sk-platform-0{43}[0-9A-Za-z]{6}$/);
  expect(makeSecret(Buffer.alloc(32, 255))).toHaveLength(61);
});

test('property: every key made is recognised, and no key with one wrong or two swapped characters', () => {
  const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
  fc.assert(
    fc.property(bytes, fc.integer({ min: 12, max: 60 }), fc.integer({ min: 1, max: 61 }), (seed, at, shift) => {
      const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
      const key = makeSecret(Buffer.from(seed));
      const other = digits[(digits.indexOf(key[at] ?? '') + shift) % 62];
      expect(isKeyShaped(key)).toBe(true);
      expect(isKeyShaped(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
      const swapped = at < 60 ? key.slice(0, at) + (key[at + 1] ?? '') + (key[at] ?? '') + key.slice(at + 2) : key;
      expect(isKeyShaped(swapped)).toBe(swapped === key);
    }),
    { numRuns: 2_000 },
  );
});
