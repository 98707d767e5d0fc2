import { sha256 } from '@noble/hashes/sha2.js';
import { fromBytes } from '#src/access/humans/semaphore/field.ts';
import type { ChallengeBody, Purpose } from '#src/access/humans/store/challenge-store.ts';
import { exactBytes } from '#src/lib/crypto/canonical-json.ts';

const encoder = new TextEncoder();

/** Scope of every account proof: one identity has one nullifier in it. */
export const accountScope = fromBytes(sha256(encoder.encode('platform/account/v1')));

/**
 * Computes the message that a proof is made over: SHA-256 of the purpose's prefix and the canonical JSON of the body,
 * 32 bytes. The prover computes it from the body as well, and so proves what they read.
 */
export function challengeMessage(purpose: Purpose, body: ChallengeBody): Uint8Array {
  const prefix = encoder.encode(`platform/${purpose}-challenge/v1\n`);
  return sha256(Buffer.concat([prefix, exactBytes(body)]));
}
