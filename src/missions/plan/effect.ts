import { sha256 } from '@noble/hashes/sha2.js';
import { canonicalText } from '#src/lib/crypto/canonical-json.ts';
import { hexOf } from '#src/lib/crypto/hex.ts';

/**
 * SHA-256 of exactly what a step will do, lower-case hexadecimal: what a human is shown and approves. Runs in browsers
 * too.
 */
export function effectHash(capability: string, input: unknown): string {
  const text = `platform/effect/v1\n${canonicalText({ capability, input })}`;
  return hexOf(sha256(new TextEncoder().encode(text)));
}
