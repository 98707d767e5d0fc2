import { checkProof, type ProvenHuman } from '#src/access/humans/check-proof.ts';
import { verifyPresence } from '#src/access/humans/presence.ts';
import type { SemaphoreProof } from '#src/access/humans/semaphore/proof-schema.ts';
import { verifyProof } from '#src/access/humans/semaphore/verify-proof.ts';
import { type Assurance, meets } from '#src/access/humans/store/assurance.ts';
import { changeMission } from '#src/governance/missions/change-mission.ts';
import { type Draft, moveMission } from '#src/governance/missions/draft.ts';
import type { Step } from '#src/governance/missions/mission-row.ts';
import { privateHash } from '#src/governance/missions/salts.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { plannedStep } from './step-work.ts';

export interface Approval {
  readonly challengeId: string;
  readonly proof: SemaphoreProof;
  /** A `proveSession` result of IDKit 4 over the same challenge, where the human shows that they are there as well. */
  readonly worldId?: unknown;
}

/**
 * Lets a step that waits for its human run, once, with exactly the effect that the human was shown. The challenge is
 * used up in the transaction that adds the event.
 *
 * @throws AppError `not_found`, `state_conflict` for a step that waits for no human, `invalid_challenge`,
 *   `invalid_proof` (another human's, or of another challenge), `human_required` for a proof that assures too little,
 *   `unavailable` where World ID does not answer. The challenge can still be answered after any of these.
 */
export async function approveStep(context: Context, id: string, name: string, approval: Approval): Promise<void> {
  // half a second of mathematics holds no lock
  const proof = await verifyProof(context, approval.proof);
  const { challengeId, worldId } = approval;
  const presence = worldId === undefined ? undefined : await verifyPresence(context, challengeId, worldId);
  await changeMission(context, id, async (tx, draft) => {
    const { mission } = draft;
    const { effect } = waitingStep(draft, name);
    const about = {
      missionId: id,
      stepId: name,
      planSha256: privateHash(mission, 'plan', mission.plan),
      effectSha256: effect,
    };
    const human = await checkProof(tx, { challengeId, proof, purpose: 'step', about, presence });
    if (human.nullifier !== mission.human)
      throw new AppError('invalid_proof', "expected a proof of the human behind this mission, got another human's.", {
        mission: id,
        step: name,
      });
    assertAssured(human, plannedStep(mission, name).policy.assurance);
    const { assurance, provider, challengeSha256 } = human;
    draft.setStep(name, 'approved', { human: { assurance, provider, challengeSha256 } });
    draft.add('human.verified', { step: name, assurance, provider, challengeSha256 });
    resumeUnlessAnotherWaits(draft);
  });
}

/**
 * Ends a mission at a step that its owner does not want. No proof is needed: saying no changes nothing outside.
 *
 * @throws AppError `not_found`, or `state_conflict` for a step that waits for no human.
 */
export async function declineStep(context: Context, id: string, name: string): Promise<void> {
  await changeMission(context, id, async (_tx, draft) => {
    waitingStep(draft, name);
    draft.add('human.declined', { step: name });
    const error = { code: 'declined', message: `The step ${name} was declined by its owner.`, details: { step: name } };
    draft.setStep(name, 'failed', { error });
    resumeUnlessAnotherWaits(draft);
  });
}

/** Resumes the mission where no other step waits: the one that did has just been decided. */
function resumeUnlessAnotherWaits(draft: Draft): void {
  const waits = [...draft.steps.values()].some(({ state }) => state === 'awaiting_human');
  if (!waits && draft.mission.state === 'awaiting_human') moveMission(draft, 'resume');
}

function waitingStep({ mission, steps }: Draft, name: string): { step: Step; effect: string } {
  const step = steps.get(name);
  if (!step)
    throw new AppError('not_found', `expected a step of the mission, got ${JSON.stringify(name)}, which is none.`, {
      mission: mission.id,
      step: name,
    });
  if (step.state === 'awaiting_human' && step.effect !== null) return { step, effect: step.effect };
  throw new AppError(
    'state_conflict',
    `expected a step that awaits a human, got one that is ${step.state.replace('_', ' ')}: there is nothing to decide.`,
    { mission: mission.id, step: name, state: step.state },
  );
}

function assertAssured({ assurance: have, body }: ProvenHuman, need: string | null): void {
  if (need === null || meets(have, need as Assurance)) return;
  const advice =
    body['worldIdNonce'] === undefined
      ? 'enrol an identity with World ID, and ask for the mission with a key of that one'
      : 'prove your World ID session over this challenge as well (its worldId says how), and send the result as worldId';
  throw new AppError('human_required', `expected a proof with assurance ${need}, got one with ${have}: ${advice}.`, {
    need,
    have,
    reason: 'assurance',
  });
}
