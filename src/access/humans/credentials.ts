import { challengeMessage } from '#src/access/humans/challenges/challenge-message.ts';
import { selectBody } from '#src/access/humans/store/challenge-store.ts';
import { verifyWorldId } from '#src/access/humans/world-id/world-id.ts';
import { verifyWorldIdSession } from '#src/access/humans/world-id/world-id-session.ts';
import { missionScopes } from '#src/access/keys/keys.ts';
import type { Context } from '#src/system/context.ts';
import { refused } from './check-proof.ts';
import type { Credential } from './enrol.ts';
import { findInvite } from './invites.ts';

/**
 * Credential of an invite: an operator vouches for the holder of the code, and for no more. @throws AppError
 * `invalid_invite`.
 */
export async function inviteCredential(context: Context, code: string): Promise<Credential> {
  const { id, scopes, tier } = await findInvite(context, code);
  return {
    provider: 'operator-invite',
    providerSubject: null,
    assurance: 'enrolled',
    inviteId: id,
    scopes,
    tier,
    session: null,
  };
}

/** Both results of IDKit 4 of an enrolment, as the client sent them. */
export interface WorldIdResults {
  /** Result of the uniqueness proof. */
  readonly unique: unknown;
  /** Result of `createSession`. */
  readonly session: unknown;
}

/**
 * World ID shows a human who enrols once, and opens the session that shows the same human later. Both proofs must bind
 * the challenge that the identity is enrolled with; beyond that they are joined only by the one enrolling human who has
 * both.
 *
 * @throws AppError `invalid_proof`, or `unavailable` when the portal does not answer.
 */
export async function worldIdCredential(
  context: Context,
  challengeId: string,
  results: WorldIdResults,
): Promise<Credential> {
  const body = await selectBody(context.db, challengeId, 'enrol');
  const [nonce, sessionNonce] = [body?.['worldIdNonce'], body?.['worldIdSessionNonce']];
  if (!body || typeof nonce !== 'string' || typeof sessionNonce !== 'string')
    throw refused('a challenge that was made for World ID', 'another one');
  const signal = challengeMessage('enrol', body);
  return {
    provider: 'world-id',
    providerSubject: await verifyWorldId(context.config, { result: results.unique, signal, nonce }),
    assurance: 'unique',
    inviteId: null,
    scopes: missionScopes,
    tier: 'standard',
    session: await verifyWorldIdSession(
      context.config,
      { result: results.session, signal, nonce: sessionNonce },
      { presence: false },
    ),
  };
}
