import fc from 'fast-check';
import { expect, test } from 'vitest';
import { base64Of, base64urlOf, bytesOfBase64url } from '#src/lib/crypto/base64url.ts';
import { bytesOfHex, hexOf, prefixedHexOf } from '#src/lib/crypto/hex.ts';

const someBytes = fc.uint8Array({ maxLength: 100 });

test('property: bytes come back from base64url and hexadecimal, written as Node writes them', () => {
  fc.assert(
    fc.property(someBytes, (bytes) => {
      expect(base64urlOf(bytes)).toBe(Buffer.from(bytes).toString('base64url'));
      expect(base64Of(bytes)).toBe(Buffer.from(bytes).toString('base64'));
      expect(bytesOfBase64url(base64urlOf(bytes))).toEqual(bytes);
      expect(hexOf(bytes)).toBe(Buffer.from(bytes).toString('hex'));
      expect(bytesOfHex(prefixedHexOf(bytes))).toEqual(bytes);
    }),
  );
});

test('property: no two texts of base64url are the same bytes', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z0-9_-]{0,12}$/), (text) => {
      let bytes: Uint8Array;
      try {
        bytes = bytesOfBase64url(text);
      } catch {
        return;
      }
      expect(base64urlOf(bytes)).toBe(text);
    }),
  );
});

test.each(['A', 'AB', 'AAB', 'AA==', 'A+AA', 'A/AA', 'AA A', 'AAAAA', 'ÄA'])('error: base64url %s', (text) => {
  expect(() => bytesOfBase64url(text)).toThrow('expected A-Z, a-z, 0-9, - and _ without padding');
});

test.each(['0', 'AB', '0xAB', '0x0', 'zz', '0x0x', ' 00'])('error: hexadecimal %s', (text) => {
  expect(() => bytesOfHex(text)).toThrow('expected an even number of the characters 0-9 and a-f');
});
