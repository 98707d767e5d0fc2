/** Base64 with the URL alphabet and without padding. @see RFC 4648, section 5 */
export function base64urlOf(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: 'base64url', omitPadding: true });
}

/**
 * The bytes of base64url text, in its one spelling: no padding, no white space, and the bits of the last character that carry
 * nothing are zero. Otherwise one signature could be written in several ways.
 *
 * @throws TypeError for anything else.
 */
export function bytesOfBase64url(text: string): Uint8Array<ArrayBuffer> {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) throw wrong(text);
  try {
    const padded = text.padEnd(Math.ceil(text.length / 4) * 4, '=');
    return Uint8Array.fromBase64(padded, { alphabet: 'base64url', lastChunkHandling: 'strict' });
  } catch {
    throw wrong(text);
  }
}

/** Base64 with the alphabet and padding that other programs take by default. @see RFC 4648, section 4 */
export function base64Of(bytes: Uint8Array): string {
  return bytes.toBase64();
}

function wrong(text: string): TypeError {
  const shown = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return new TypeError(
    `base64url: expected A-Z, a-z, 0-9, - and _ without padding and in canonical form, got ${JSON.stringify(shown)}.`,
  );
}
