import { sha256 } from '@noble/hashes/sha2.js';
import { canonicalBytes } from '#src/lib/crypto/canonical-json.ts';
import { hexOf } from '#src/lib/crypto/hex.ts';

/**
 * SHA-256(salt || JCS(value)) in lower-case hexadecimal: the form in which private content enters a receipt, as
 * `{"saltedSha256": …}`. A holder of content and salt can show that it is what was meant; erasing the salt erases the
 * content.
 *
 * @param value any JSON value
 * @param salt at least 16 random bytes, of this value alone; without them the content could be guessed
 * @throws RangeError for a shorter salt, TypeError for what is no JSON.
 */
export function saltedHash(value: unknown, salt: Uint8Array): string {
  if (salt.length < 16) throw new RangeError(`saltedHash: expected a salt of at least 16 bytes, got ${salt.length}.`);
  return hexOf(sha256.create().update(salt).update(canonicalBytes(value)).digest());
}
