import type { CommonQueryMethods } from 'slonik';
import { accountScope } from '#src/access/humans/challenges/challenge-message.ts';
import { fromBytes, toBytes32 } from '#src/access/humans/semaphore/field.ts';
import type { VerifiedProof } from '#src/access/humans/semaphore/verify-semaphore.ts';
import type { Assurance } from '#src/access/humans/store/assurance.ts';
import {
  type ChallengeBody,
  consumeChallenge,
  type KnownChallenge,
  type Purpose,
  selectChallenge,
} from '#src/access/humans/store/challenge-store.ts';
import { isRecentRoot } from '#src/access/humans/store/group-store.ts';
import { type HumanRow, selectHuman } from '#src/access/humans/store/human-store.ts';
import type { WorldIdSession } from '#src/access/humans/world-id/world-id-session.ts';
import { hexOf } from '#src/lib/crypto/hex.ts';
import { AppError } from '#src/lib/errors.ts';
import { usePresence } from './presence.ts';

export interface ProofCheck {
  readonly challengeId: string;
  /** From `verifyProof`, before the transaction: it takes time. */
  readonly proof: VerifiedProof;
  readonly purpose: Exclude<Purpose, 'enrol'>;
  /**
   * Fields that the challenge's body must have, for example `{missionId, stepId}`; another challenge is foreign and
   * stays unused.
   */
  readonly about?: ChallengeBody;
  /** From `verifyPresence`, where the human showed that they are there as well. */
  readonly presence?: WorldIdSession | undefined;
}

/** The human behind a proof, and what the proof is worth. */
export interface ProvenHuman {
  /** Nullifier of the account, 64 lower-case hexadecimal digits: the name of this human, `keys.human_id`. */
  readonly nullifier: string;
  readonly assurance: Assurance;
  readonly provider: string;
  /** The challenge that was used up. */
  readonly body: ChallengeBody;
  readonly challengeSha256: string;
  readonly row: HumanRow;
}

/**
 * Uses up a challenge with a proof, and returns the human who made it. Any enrolled human will do, unless the
 * challenge's body has a `humanId` (every challenge of a step has one): then it must be that human. The challenge is
 * used when the transaction commits, and by one of any number of callers; the human cannot be removed before.
 *
 * @throws AppError `invalid_challenge` (unknown, used, expired, foreign) or `invalid_proof` (another challenge, scope
 *   or group, an old root, another human, a human who is not enrolled; of presence another session, a used proof). The
 *   caller then rolls its transaction back.
 */
export async function checkProof(tx: CommonQueryMethods, check: ProofCheck): Promise<ProvenHuman> {
  const { proof } = check;
  const { message, body } = await takeChallenge(tx, check);
  assertAnswers(proof, message);
  const row = await selectHuman(tx, toBytes32(proof.nullifier));
  if (row?.revoked_at) throw refused('a human that is enrolled', 'one that was removed');
  if (!(await isRecentRoot(tx, toBytes32(proof.root)))) {
    throw refused(
      'a proof against the group as it is or was within the hour',
      'one against another root; read the group again',
    );
  }
  if (!row) throw refused('a human that is enrolled', 'a member of the group that no human is known by');
  const nullifier = hexOf(row.nullifier);
  const isAnybodys = check.purpose !== 'step' && body['humanId'] === undefined;
  if (!isAnybodys && body['humanId'] !== nullifier)
    throw refused('a proof of the human that this is for', "another human's");
  return {
    nullifier,
    assurance: check.presence ? await usePresence(tx, row, check.presence) : row.assurance,
    provider: row.provider,
    body,
    challengeSha256: hexOf(message),
    row,
  };
}

/** Uses up the challenge. @throws AppError `invalid_challenge`, saying which of the reasons it is. */
export async function takeChallenge(
  tx: CommonQueryMethods,
  { challengeId, purpose, about = {} }: { challengeId: string; purpose: Purpose; about?: ChallengeBody },
): Promise<{ readonly message: Uint8Array; readonly body: ChallengeBody }> {
  const taken = await consumeChallenge(tx, challengeId, purpose, about);
  if (taken) return taken;
  const got = whatItIs(await selectChallenge(tx, challengeId), purpose);
  throw new AppError('invalid_challenge', `expected a fresh challenge for this, got ${got}. Ask for a new one.`, {
    field: 'body.challengeId',
    value: challengeId,
  });
}

/** Checks that the proof was made in the account scope and over this challenge. @throws AppError `invalid_proof`. */
export function assertAnswers(proof: VerifiedProof, message: Uint8Array): void {
  if (proof.scope !== accountScope)
    throw refused('a proof in the scope SHA-256("platform/account/v1")', 'one in another scope');
  if (proof.message !== fromBytes(message))
    throw refused('a proof over the SHA-256 of this challenge', 'one over something else');
}

export function refused(expected: string, got: string): AppError {
  return new AppError('invalid_proof', `expected ${expected}, got ${got}.`, { field: 'body.proof' });
}

function whatItIs(known: KnownChallenge | null, purpose: Purpose): string {
  if (!known) return 'one that does not exist';
  if (known.purpose !== purpose) return `one for another purpose (${known.purpose})`;
  if (known.used) return 'one that was used';
  return known.expired ? 'one that has expired' : 'one that is about something else';
}
