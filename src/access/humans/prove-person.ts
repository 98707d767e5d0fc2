import { type Challenge, makeChallenge } from '#src/access/humans/challenges/challenges.ts';
import type { SemaphoreProof } from '#src/access/humans/semaphore/proof-schema.ts';
import { verifyProof } from '#src/access/humans/semaphore/verify-proof.ts';
import { bindHuman } from '#src/access/sessions/identity-store.ts';
import { AppError } from '#src/lib/errors.ts';
import type { SessionOf } from '#src/lib/principal.ts';
import type { Context } from '#src/system/context.ts';
import { checkProof } from './check-proof.ts';

/**
 * Makes the challenge that a signed-in person proves over to be known as the human they are. It names that person, so
 * that a prover sees whose sign-in the proof is for.
 */
export async function challengePerson(
  context: Context,
  { email, identity }: Pick<SessionOf, 'email' | 'identity'>,
): Promise<Challenge> {
  return await makeChallenge(context, { purpose: 'person', body: { email, ...identity } });
}

/**
 * Binds the person whom a challenge names to the human who proves over it, regardless of who sends the proof. The
 * person is known as that human in all their sessions. Answers their e-mail address.
 *
 * @throws AppError `invalid_challenge`; `invalid_proof` for one that does not hold, or of another human than the person
 *   is known as.
 */
export async function provePerson(
  context: Context,
  { challengeId, proof }: { readonly challengeId: string; readonly proof: SemaphoreProof },
): Promise<string> {
  // half a second of mathematics holds no lock
  const verified = await verifyProof(context, proof);
  return await context.db.transaction(async (tx) => {
    const { body, nullifier } = await checkProof(tx, { challengeId, proof: verified, purpose: 'person' });
    const { email, issuer, subject } = body;
    await bindHuman(tx, { issuer: String(issuer), subject: String(subject) }, nullifier);
    return String(email);
  });
}

/** @throws AppError `forbidden` for a key: only a signed-in person can be known as a human. */
export function personOf(session: SessionOf | null): SessionOf {
  if (session) return session;
  throw new AppError(
    'forbidden',
    'expected a browser that is signed in (GET /auth/sign-in), got a key; keys are bound to a human when they are minted.',
    { reason: 'session' },
  );
}
