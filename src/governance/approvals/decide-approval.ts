import { type CommonQueryMethods, sql } from 'slonik';
import { checkProof, type ProvenHuman } from '#src/access/humans/check-proof.ts';
import type { SemaphoreProof } from '#src/access/humans/semaphore/proof-schema.ts';
import { verifyProof } from '#src/access/humans/semaphore/verify-proof.ts';
import type { VerifiedProof } from '#src/access/humans/semaphore/verify-semaphore.ts';
import { bindHuman } from '#src/access/sessions/identity-store.ts';
import { type OwnerEvent, publishOwnerEvents, tellOwner } from '#src/governance/owners/owner-log.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { type Approval, approvalColumns, approvalRow, lockApproval } from './approval-row.ts';
import { needsHumanProof } from './areas.ts';
import { endWaiting } from './end-waiting.ts';
import { announceReleased, type Released, releaseWithApproval } from './release-job.ts';

/** A person who has signed in; a key never decides. */
export interface Decider {
  readonly owner: string;
  readonly operator: boolean;
  readonly email: string;
  readonly issuer: string;
  readonly subject: string;
  /** The verified human they have proven to be before. */
  readonly human: string | null;
}

export interface Decision {
  readonly decision: 'grant' | 'decline';
  readonly reason?: string;
  /** Proof over a challenge of this approval; needed where the effect touches publishing, or a voice or likeness. */
  readonly proof?: { readonly challengeId: string; readonly proof: SemaphoreProof };
}

/**
 * Decides an approval: once, by a person. A job that waits for it goes into its queue in the same transaction.
 *
 * @throws AppError `not_found`; `state_conflict` where it is decided or over; `human_required` where a proof is needed
 *   and missing; `invalid_challenge`, `invalid_proof`.
 */
export async function decideApproval(
  context: Context,
  id: string,
  decider: Decider,
  { decision, reason, proof }: Decision,
): Promise<Approval> {
  // half a second of mathematics holds no lock
  const verified = proof && decision === 'grant' ? await verifyProof(context, proof.proof) : null;
  const held = context.config.PROVIDER_CALLS === 'off';
  const { approval, released, events } = await context.db.transaction(async (tx) => {
    const pending = await pendingApproval(tx, id, decider);
    const needed = decision === 'grant' && needsHumanProof(pending.areas);
    if (needed && (!verified || !proof)) throw proofMissing(pending);
    const human =
      needed && verified && proof ? await proveHuman(tx, pending, decider, proof.challengeId, verified) : null;
    const shown = human && {
      assurance: human.assurance,
      provider: human.provider,
      challengeSha256: human.challengeSha256,
    };
    const decided = await tx.one(sql.type(approvalRow)`
      update approvals a set state = ${decision === 'grant' ? 'granted' : 'declined'}, decided_by = ${decider.email},
        decided_at = now(), reason = ${reason ?? null}, human = ${shown && JSON.stringify(shown)}::jsonb
      where a.id = ${id} returning ${approvalColumns}`);
    const waiting: Released | null =
      decision === 'grant' && decided.job !== null
        ? await releaseWithApproval(
            tx,
            { ...decided, effectHash: decided.effectHash, job: decided.job },
            { by: decider.email, held },
          )
        : null;
    if (decision === 'decline' && decided.job !== null) await endWaiting(tx, [decided.job]);
    const event = await tellOwner(tx, decided.owner, decision === 'grant' ? 'approval.granted' : 'approval.declined', {
      approval: id,
      by: decider.email,
      ...(reason !== undefined && { reason }),
    });
    return { approval: decided, released: waiting, events: inOrder(waiting?.event ?? null, event) };
  });
  if (released) announceReleased(context, released);
  await publishOwnerEvents(context, approval.owner, events);
  return approval;
}

/** Orders events by number: the first is published first. */
function inOrder(...events: readonly (OwnerEvent | null)[]): OwnerEvent[] {
  return events.filter((event) => event !== null).toSorted((a, b) => a.n - b.n);
}

async function pendingApproval(tx: CommonQueryMethods, id: string, decider: Decider): Promise<Approval> {
  const approval = await lockApproval(tx, id);
  if (!approval || (approval.owner !== decider.owner && !decider.operator)) {
    throw new AppError(
      'not_found',
      `expected the id of an approval, got ${JSON.stringify(id.slice(0, 80))}, which is none of yours.`,
    );
  }
  if (approval.state === 'pending') return approval;
  throw new AppError(
    'state_conflict',
    `expected an approval that waits for a decision, got one that is ${approval.state}: it cannot be decided again.`,
    { approval: id, state: approval.state },
  );
}

function proofMissing({ id, areas }: Approval): AppError {
  return new AppError(
    'human_required',
    `expected a proof of personhood with this decision, since it touches ${areas.map(({ area }) => area).join(', ')}; got none. Ask for a challenge and prove over it.`,
    { approval: id, reason: 'proof' },
  );
}

/**
 * Checks the decider's proof. A person who proves for the first time is known as that human from then on; the proof of
 * another human is refused.
 */
async function proveHuman(
  tx: CommonQueryMethods,
  { id, effectHash }: Approval,
  { issuer, subject }: Decider,
  challengeId: string,
  proof: VerifiedProof,
): Promise<ProvenHuman> {
  const human = await checkProof(tx, {
    challengeId,
    proof,
    purpose: 'approval',
    about: { approvalId: id, effectSha256: effectHash },
  });
  await bindHuman(tx, { issuer, subject }, human.nullifier);
  return human;
}
