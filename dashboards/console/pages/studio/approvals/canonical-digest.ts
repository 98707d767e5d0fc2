import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalText } from '#src/lib/crypto/canonical-json.ts';

const digests = new WeakMap<object, string>();

/**
 * Computes the SHA-256 of data in its canonical form, as hex. An answer is never changed, so each is hashed once: it may
 * be a large payload, and several parts of a page ask at each keystroke.
 */
export function canonicalDigest(value: unknown): string {
  if (typeof value !== 'object' || value === null) return digestOf(value);
  const digest = digests.get(value) ?? digestOf(value);
  digests.set(value, digest);
  return digest;
}

const digestOf = (value: unknown): string => bytesToHex(sha256(utf8ToBytes(canonicalText(value))));
