import type { CommonQueryMethods } from 'slonik';
import { challengeMessage } from '#src/access/humans/challenges/challenge-message.ts';
import { type Assurance, withPresence } from '#src/access/humans/store/assurance.ts';
import { selectBody } from '#src/access/humans/store/challenge-store.ts';
import { type HumanRow, insertSessionProof } from '#src/access/humans/store/human-store.ts';
import { refusedByWorldId } from '#src/access/humans/world-id/world-id-portal.ts';
import { verifyWorldIdSession, type WorldIdSession } from '#src/access/humans/world-id/world-id-session.ts';
import type { Context } from '#src/system/context.ts';

/**
 * Checks a World ID session proof over the challenge of a step, before the transaction: it asks World's portal. Whose
 * session it is, and that it was not used before, is for `checkProof` to judge.
 *
 * @throws AppError `invalid_proof`, or `unavailable` when the portal does not answer.
 */
export async function verifyPresence(context: Context, challengeId: string, result: unknown): Promise<WorldIdSession> {
  const body = await selectBody(context.db, challengeId, 'step');
  const nonce = body?.['worldIdNonce'];
  if (!body || typeof nonce !== 'string')
    throw refusedByWorldId(
      'a challenge with worldId, which humans have who enrolled with World ID',
      'one without; leave worldId out of the body',
    );
  const signal = challengeMessage('step', body);
  return await verifyWorldIdSession(context.config, { result, signal, nonce }, { presence: true });
}

/**
 * Uses a session proof up, and returns the assurance that the human reaches with it.
 *
 * @throws AppError `invalid_proof` for the session of another human, or a proof that was used.
 */
export async function usePresence(
  tx: CommonQueryMethods,
  { assurance, world_id_session }: Pick<HumanRow, 'assurance' | 'world_id_session'>,
  session: WorldIdSession,
): Promise<Assurance> {
  if (world_id_session !== session.id)
    throw refusedByWorldId('a proof of the session that this human enrolled with', 'one of another session');
  await useSessionProof(tx, session);
  return withPresence(assurance);
}

/** @throws AppError `invalid_proof` for a session proof that was used before, here or to enrol. */
export async function useSessionProof(tx: CommonQueryMethods, session: WorldIdSession): Promise<void> {
  if (!(await insertSessionProof(tx, session)))
    throw refusedByWorldId('a session proof that was not used before', 'one that was; prove the session again');
}
