import { scalarOrder, toBytes32 } from '#src/access/humans/semaphore/field.ts';
import { changeGroup } from '#src/access/humans/semaphore/group.ts';
import type { SemaphoreProof } from '#src/access/humans/semaphore/proof-schema.ts';
import { verifyProof } from '#src/access/humans/semaphore/verify-proof.ts';
import { insertHuman, type NewHuman } from '#src/access/humans/store/human-store.ts';
import type { WorldIdSession } from '#src/access/humans/world-id/world-id-session.ts';
import { hexOf } from '#src/lib/crypto/hex.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { assertAnswers, refused, takeChallenge } from './check-proof.ts';
import { useInvite } from './invites.ts';
import { useSessionProof } from './presence.ts';

/** Reason why a human may enrol: an operator's invite, or the confirmation of a provider. */
export interface Credential
  extends Pick<NewHuman, 'provider' | 'providerSubject' | 'assurance' | 'inviteId' | 'scopes' | 'tier'> {
  /** Session that shows the same human again; null where only the identity does. */
  readonly session: WorldIdSession | null;
}

export interface Enrolment {
  readonly challengeId: string;
  /** The Semaphore identity commitment, a decimal number; the challenge was made for it. */
  readonly commitment: string;
  /** A proof over the challenge against the group of this commitment alone, whose root is the commitment. */
  readonly proof: SemaphoreProof;
  readonly credential: Credential;
}

/**
 * Makes the holder of an identity a human of this service, and answers their id (the nullifier, hexadecimal). The proof
 * shows that they hold the secret behind the commitment, and makes their nullifier known: who is removed later loses
 * their place in the group and their keys together.
 *
 * @throws AppError `invalid_proof`, `invalid_challenge`, `invalid_invite`, or `state_conflict` for an identity or a
 *   person that has enrolled before, removed or not.
 */
export async function enrol(
  context: Context,
  { challengeId, commitment, proof, credential }: Enrolment,
): Promise<string> {
  const leaf = BigInt(commitment);
  if (leaf === 0n || leaf >= scalarOrder)
    throw new AppError(
      'invalid_request',
      `body.commitment: expected a number from 1 to below the scalar order, got ${commitment}.`,
      {
        field: 'body.commitment',
        value: commitment,
      },
    );
  const verified = await verifyProof(context, proof);
  if (verified.root !== leaf)
    throw refused('a proof against the group of your commitment alone', 'one against another group');
  const nullifier = toBytes32(verified.nullifier);
  const { session, ...vouched } = credential;
  await changeGroup(context, 'add', async (tx) => {
    const { message } = await takeChallenge(tx, { challengeId, purpose: 'enrol', about: { commitment } });
    assertAnswers(verified, message);
    if (vouched.inviteId) await useInvite(tx, vouched.inviteId);
    if (session) await useSessionProof(tx, session);
    const worldIdSession = session?.id ?? null;
    if (await insertHuman(tx, { ...vouched, worldIdSession, nullifier, commitment: toBytes32(leaf) })) return;
    throw new AppError(
      'state_conflict',
      'expected an identity and a person that have not enrolled yet, got one that has (who was removed stays removed).',
    );
  });
  return hexOf(nullifier);
}
