/** Lower-case hexadecimal, two characters a byte. */
export function hexOf(bytes: Uint8Array): string {
  return bytes.toHex();
}

/**
 * The bytes of lower-case hexadecimal; a prefix `0x` may be before it. One value has one spelling: upper case is
 * refused, so that a changed letter is a changed text.
 *
 * @throws TypeError for anything else, an odd number of characters among it.
 */
export function bytesOfHex(text: string): Uint8Array<ArrayBuffer> {
  const digits = text.startsWith('0x') ? text.slice(2) : text;
  if (digits.length % 2 !== 0 || !/^[0-9a-f]*$/.test(digits)) {
    throw new TypeError(
      `hex: expected an even number of the characters 0-9 and a-f, got ${JSON.stringify(shown(text))}.`,
    );
  }
  return Uint8Array.fromHex(digits);
}

/** As Ethereum writes bytes: `0x` before lower-case hexadecimal. */
export function prefixedHexOf(bytes: Uint8Array): `0x${string}` {
  return `0x${hexOf(bytes)}`;
}

const shown = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text);
