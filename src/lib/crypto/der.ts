/** Distinguished encoding rules (ITU-T X.690), as much of them as a certificate needs. Each answers one whole element. */

/** A tag, its length, and what it holds, one after the other. */
export function element(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);
}

export const sequence = (...parts: readonly Uint8Array[]): Uint8Array => element(0x30, ...parts);

export const set = (...parts: readonly Uint8Array[]): Uint8Array => element(0x31, ...parts);

export const utf8 = (text: string): Uint8Array => element(0x0c, Buffer.from(text));

export const octets = (bytes: Uint8Array): Uint8Array => element(0x04, bytes);

export const yes: Uint8Array = element(0x01, Buffer.from([0xff]));

/** Bits, the first one highest; the last `unused` of them do not count. */
export const bits = (bytes: Uint8Array, unused = 0): Uint8Array => element(0x03, Buffer.from([unused]), bytes);

/** A whole number that is not negative, from its bytes, the highest first. */
export function integer(bytes: Uint8Array): Uint8Array {
  const from = bytes.findIndex((byte) => byte !== 0);
  const digits = from === -1 ? Buffer.from([0]) : bytes.subarray(from);
  // a first bit of one would make it negative
  return element(0x02, ...((digits[0] ?? 0) > 0x7f ? [Buffer.from([0])] : []), digits);
}

/** An object identifier in dots, such as `2.5.29.15`. */
export function oid(dots: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dots.split('.').map(Number);
  return element(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** A time, in the form that RFC 5280 §4.1.2.5 asks for: with two digits of the year up to 2049. */
export function time(at: Date): Uint8Array {
  const digits = `${at.toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')}Z`;
  return at.getUTCFullYear() < 2050 ? element(0x17, Buffer.from(digits.slice(2))) : element(0x18, Buffer.from(digits));
}

function lengthOf(length: number): Uint8Array {
  if (length < 0x80) return Buffer.from([length]);
  const digits = Buffer.from(length.toString(16).padStart(length > 0xffff ? 6 : length > 0xff ? 4 : 2, '0'), 'hex');
  return Buffer.concat([Buffer.from([0x80 | digits.length]), digits]);
}

function base128(value: number): number[] {
  const digits = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) digits.unshift((rest & 0x7f) | 0x80);
  return digits;
}
