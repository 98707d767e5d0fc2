const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Base64 with the URL alphabet and without padding. @see RFC 4648, section 5 */
export function base64urlOf(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [first = 0, second = 0, third = 0] = bytes.subarray(at, at + 3);
    const group = (first << 16) | (second << 8) | third;
    const letters = [18, 12, 6, 0].map((shift) => alphabet[(group >> shift) & 63]).join('');
    text += letters.slice(0, Math.min(4, bytes.length - at + 1));
  }
  return text;
}

/**
 * The bytes of base64url text, in its one spelling: no padding, no other characters, and the bits of the last character
 * that carry nothing are zero. Otherwise one signature could be written in several ways.
 *
 * @throws TypeError for anything else.
 */
export function bytesOfBase64url(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let bits = 0;
  let held = 0;
  let at = 0;
  for (const letter of text) {
    const value = alphabet.indexOf(letter);
    if (value === -1) throw wrong(text);
    bits = ((bits & 0xff) << 6) | value;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes[at] = (bits >> held) & 0xff;
    at += 1;
  }
  if (text.length % 4 === 1 || (bits & ((1 << held) - 1)) !== 0) throw wrong(text);
  return bytes;
}

/** Base64 with the alphabet and padding that other programs take without being asked. @see RFC 4648, section 4 */
export function base64Of(bytes: Uint8Array): string {
  const text = base64urlOf(bytes).replaceAll('-', '+').replaceAll('_', '/');
  return text.padEnd(Math.ceil(text.length / 4) * 4, '=');
}

function wrong(text: string): TypeError {
  const shown = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return new TypeError(
    `base64url: expected A-Z, a-z, 0-9, - and _ without padding and in canonical form, got ${JSON.stringify(shown)}.`,
  );
}
