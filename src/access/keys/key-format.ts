import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const shape = /^sk-platform-[0-9A-Za-z]{49}$/;

export const keyPrefix = 'sk-platform-';

/** A new key: the prefix, 256 random bits as 43 base62 digits, and six digits of CRC32 over everything before them. */
export function makeSecret(bytes: Buffer = randomBytes(32)): string {
  const body = keyPrefix + base62(BigInt(`0x${bytes.toString('hex')}`), 43);
  return body + checksum(body);
}

/**
 * Checks whether this can be a key of ours at all. It needs no database, so junk costs us nothing, and a scanner that
 * finds a leaked key can see offline that it is one.
 */
export function isKeyShaped(text: string): boolean {
  return shape.test(text) && checksum(text.slice(0, -6)) === text.slice(-6);
}

function checksum(body: string): string {
  return base62(BigInt(crc32(body)), 6);
}

function base62(value: bigint, width: number): string {
  let text = '';
  for (let rest = value; rest > 0n; rest /= 62n) text = (digits[Number(rest % 62n)] ?? '') + text;
  return text.padStart(width, '0');
}
