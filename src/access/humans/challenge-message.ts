import { sha256 } from '@noble/hashes/sha2.js';
import { exactBytes } from '#src/lib/canonical-json.ts';
import type { ChallengeBody, Purpose } from './challenge-store.ts';
import { fromBytes } from './field.ts';

const encoder = new TextEncoder();

/** Scope of every account proof: one identity has one nullifier in it. */
export const accountScope = fromBytes(sha256(encoder.encode('platform/account/v1')));

/**
 * What a proof is made over: SHA-256 of the purpose's prefix and the canonical JSON of the body, 32 bytes. Who proves
 * computes it from the body, so that they prove what they read.
 */
export function challengeMessage(purpose: Purpose, body: ChallengeBody): Uint8Array {
  const prefix = encoder.encode(`platform/${purpose}-challenge/v1\n`);
  return sha256(Buffer.concat([prefix, exactBytes(body)]));
}
