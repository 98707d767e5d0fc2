import { randomBytes, randomUUID } from 'node:crypto';
import type { CommonQueryMethods } from 'slonik';
import { type ChallengeBody, insertChallenge, type Purpose } from '#src/access/humans/store/challenge-store.ts';
import { hexOf } from '#src/lib/crypto/hex.ts';
import type { Config } from '#src/system/config/config-type.ts';
import { publicUrlOf } from '#src/system/config/public-url.ts';
import { challengeMessage } from './challenge-message.ts';

export interface Challenge {
  readonly id: string;
  readonly purpose: Purpose;
  /** The requested body with `v`, `aud`, `nonce` (32 random bytes, hexadecimal) and `exp` (RFC 3339) added. */
  readonly body: ChallengeBody;
  /** SHA-256 that the proof is made over, lower-case hexadecimal. */
  readonly sha256: string;
  readonly expiresAt: Date;
}

export interface ChallengeRequest {
  readonly purpose: Purpose;
  /** Statement that the proof will agree to; small, flat, texts and integers. */
  readonly body: ChallengeBody;
  /** Milliseconds in which it may be answered; five minutes by default. */
  readonly ttlMs?: number;
}

/** Makes a challenge that one proof may answer once. Within a transaction (`db`) it is there when that commits. */
export async function makeChallenge(
  { db, config }: { readonly db: CommonQueryMethods; readonly config: Config },
  { purpose, body: about, ttlMs = 300_000 }: ChallengeRequest,
): Promise<Challenge> {
  const id = randomUUID();
  const expiresAt = new Date(Date.now() + ttlMs);
  const body = {
    ...about,
    v: 1,
    // from the settings, never from what a caller says
    aud: publicUrlOf(config),
    nonce: randomBytes(32).toString('hex'),
    exp: expiresAt.toISOString(),
  };
  const message = challengeMessage(purpose, body);
  await insertChallenge(db, { id, purpose, message: Buffer.from(message), body, ttlMs });
  return { id, purpose, body, sha256: hexOf(message), expiresAt };
}
