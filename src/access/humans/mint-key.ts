import { createHash } from 'node:crypto';
import type { SemaphoreProof } from '#src/access/humans/semaphore/proof-schema.ts';
import { verifyProof } from '#src/access/humans/semaphore/verify-proof.ts';
import { createKey, type Key, type KeyRequest } from '#src/access/keys/keys.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { checkProof } from './check-proof.ts';

export interface MintRequest extends Pick<KeyRequest, 'name' | 'allowedIps' | 'expiresAt'> {
  readonly challengeId: string;
  readonly proof: SemaphoreProof;
  /** Within what the human may hold; all of that where nothing is said. */
  readonly scopes?: readonly string[];
}

/**
 * Makes a key for the human who proves that they are one: any number of keys, each with a challenge of its own.
 *
 * @throws AppError `invalid_proof`, `invalid_challenge`, `forbidden` for a scope that the human may not hold, or
 *   `invalid_request` as `createKey` does.
 */
export async function mintKey(
  context: Context,
  { challengeId, proof, scopes, ...request }: MintRequest,
): Promise<{ readonly key: Key; readonly secret: string }> {
  const verified = await verifyProof(context, proof);
  return await context.db.transaction(async (tx) => {
    const { nullifier, row } = await checkProof(tx, { challengeId, proof: verified, purpose: 'key' });
    const beyond = scopes?.find((scope) => !row.scopes.some((held) => held === scope));
    if (beyond) {
      throw new AppError('forbidden', `expected scopes that you may hold (${row.scopes.join(', ')}), got ${beyond}.`, {
        scope: beyond,
        reason: 'human_scope',
      });
    }
    return await createKey(
      { db: tx, config: context.config },
      {
        ...request,
        owner: ownerOf(nullifier),
        scopes: scopes ?? row.scopes,
        tier: row.tier,
        human: nullifier,
        createdByProof: true,
      },
    );
  });
}

/**
 * The owner that a human's keys and jobs belong to. Not the nullifier itself: owners are read in more places, and must
 * not show which human it is elsewhere.
 */
export function ownerOf(nullifier: string): string {
  return `human:${createHash('sha256').update(`platform/owner/v1\n${nullifier}`).digest('hex').slice(0, 32)}`;
}
