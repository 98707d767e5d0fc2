import { makeChallenge } from '#src/access/humans/challenges/challenges.ts';
import { selectWorldIdSession } from '#src/access/humans/store/human-store.ts';
import { isWorldIdSet, presenceRequest, worldIdNonce } from '#src/access/humans/world-id/world-id-request.ts';
import { type Draft, moveMission } from '#src/governance/missions/draft.ts';
import type { Failure, Mission, Step, StepChallenge } from '#src/governance/missions/mission-row.ts';
import type { PlanStep } from '#src/governance/missions/plan.ts';
import { privateHash } from '#src/governance/missions/salts.ts';
import { readInputs, readOutputs } from '#src/governance/missions/step-contents.ts';
import { isCanonical } from '#src/lib/crypto/canonical-json.ts';
import { microUsd, usdText } from '#src/lib/money.ts';
import { resolvedFaults } from '#src/missions/domain/check-plan.ts';
import { isLonger, referencesIn, resolveReferences } from '#src/missions/domain/references.ts';
import { capabilities } from '#src/missions/plan/catalogue.ts';
import { effectHash } from '#src/missions/plan/effect.ts';
import { mediaFault } from '#src/missions/plan/media.ts';
import { reachFault } from '#src/missions/plan/reach.ts';
import { finishUnlessRunning, skipSteps } from './end-mission.ts';
import { CANONICAL, failStep, noteJobs, type Work } from './step-work.ts';

/** Longest input of a step once its references are resolved. */
const MOST_INPUT = 512_000;

/**
 * Takes a mission as far as it can go now: notes how its jobs ended, lets steps run whose turn it is, asks a human
 * where the plan says so, and ends it. Idempotent: everything it needs is in its rows, so any process may do it at any
 * time.
 */
export async function advanceMission(work: Work): Promise<void> {
  const { draft } = work;
  if (draft.mission.state !== 'executing' && draft.mission.state !== 'awaiting_human') return;
  await noteJobs(work);
  const { mission } = draft;
  const failed = [...draft.steps.values()].find(({ state }) => state === 'failed' || state === 'cancelled');
  if (failed) return fail(draft, failed.error ?? stepFailure(failed));
  if (mission.deadlineAt && mission.deadlineAt.getTime() <= Date.now())
    return fail(draft, {
      code: 'deadline_exceeded',
      message: `expected the mission to end within ${mission.timeoutS} s, got none of its end by ${mission.deadlineAt.toISOString()}.`,
      details: {},
    });
  for (const planned of mission.plan.steps) {
    const failure = await begin(work, planned);
    if (failure) return fail(draft, failure);
  }
  settle(draft);
}

/** Lets a step run, or asks a human about it, once everything it depends on is there. Answers what ends the mission. */
async function begin(work: Work, planned: PlanStep): Promise<Failure | null> {
  const { draft } = work;
  const { mission, steps } = draft;
  const step = steps.get(planned.id);
  if (!step || (step.state !== 'waiting' && step.state !== 'approved')) return null;
  if (!planned.dependsOn.every((need) => steps.get(need)?.state === 'succeeded')) return null;
  const spent = spentBy(mission, steps) + microUsd(planned.costUsd);
  if (mission.budget !== null && spent > mission.budget)
    return {
      code: 'budget_exceeded',
      message: `expected the mission to cost at most $${usdText(mission.budget / 1e6)}, got $${usdText(spent / 1e6)} with the step ${planned.id}.`,
      details: { step: planned.id },
    };
  const off = planned.route ? mediaFault(work.context.config) : null;
  if (off) {
    const error = { code: off.code, message: off.message, details: { step: planned.id } };
    failStep(draft, planned.id, error);
    return error;
  }
  if (step.state === 'approved') {
    // what a human approved is what is done, or nothing is
    const { [planned.id]: approved } = await readInputs({ db: work.tx }, mission.id, [planned.id]);
    if (step.effect !== effectHash(planned.capability, approved)) {
      const error = {
        code: 'state_conflict',
        message: `expected the step ${planned.id} to do what was approved, got another effect; it was not done.`,
        details: { step: planned.id },
      };
      failStep(draft, planned.id, error);
      return error;
    }
    draft.add('effect.dispatched', { step: planned.id, capability: planned.capability, effectSha256: step.effect });
    draft.setStep(planned.id, 'running');
    return null;
  }
  const resolved = await resolvedInput(work, planned);
  if ('failure' in resolved) {
    failStep(draft, planned.id, resolved.failure);
    return resolved.failure;
  }
  if (planned.policy.decision === 'human') {
    // no human is asked about an effect that would be refused
    const refused = reachFault(work.context.config, { ...planned, input: resolved.input });
    if (refused) {
      const error = { code: refused.code, message: refused.message, details: refused.details };
      failStep(draft, planned.id, error);
      return error;
    }
    await ask(work, planned, resolved.input);
    return null;
  }
  draft.add('step.dispatched', {
    step: planned.id,
    capability: planned.capability,
    inputSaltedSha256: privateHash(mission, `input ${planned.id}`, resolved.input),
  });
  draft.setStep(planned.id, 'running', { input: resolved.input });
  return null;
}

async function resolvedInput(
  work: Work,
  planned: PlanStep,
): Promise<{ readonly input: Readonly<Record<string, unknown>> } | { readonly failure: Failure }> {
  const needed = new Set(referencesIn(planned.input).map(({ to }) => to.$from));
  const outputs = await outputsOf(work, [...needed]);
  const resolved = resolveReferences(planned.input, outputs);
  const wrong = (message: string) => ({ failure: { code: 'invalid_payload', message, details: { step: planned.id } } });
  if ('missing' in resolved) {
    const { $from, path = '' } = resolved.missing;
    return wrong(
      `${planned.id}: expected ${path === '' ? 'an output' : path} of the step ${$from}, got nothing there.`,
    );
  }
  const input = resolved.value as Readonly<Record<string, unknown>>;
  // first of all: an output in a thousand places is one value until it is written out
  if (isLonger(input, MOST_INPUT))
    return wrong(`${planned.id}: expected an input of at most ${MOST_INPUT} characters, got a longer one.`);
  if (!isCanonical(input)) return wrong(`${planned.id}: expected an input with ${CANONICAL}.`);
  const [fault] = resolvedFaults({ ...planned, input }, capabilities);
  if (fault !== undefined) return wrong(`${fault}.`);
  return { input: planned.route ? { ...input, route: planned.route } : input };
}

/** Reads outputs of steps; those that have come in this transaction are not written yet. */
async function outputsOf({ tx, draft }: Work, names: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  const fresh = draft.outputs();
  const before = names.filter((name) => !(name in fresh));
  return { ...(await readOutputs({ db: tx }, draft.mission.id, before)), ...fresh };
}

/** Stops the step until a human has approved exactly this. */
async function ask(work: Work, planned: PlanStep, input: Readonly<Record<string, unknown>>): Promise<void> {
  const effect = effectHash(planned.capability, input);
  const challenge = await challengeHuman(work, planned, effect);
  work.draft.setStep(planned.id, 'awaiting_human', { input, effect, challenge });
}

/** A fresh challenge for a step that waits for its human. */
export async function challengeHuman(
  { context, tx, draft: { mission, add } }: Work,
  { id: stepId, policy }: PlanStep,
  effectSha256: string,
): Promise<StepChallenge> {
  const { config } = context;
  const sessionId = isWorldIdSet(config) ? await selectWorldIdSession(tx, mission.human) : null;
  const nonce = worldIdNonce();
  const made = await makeChallenge(
    { db: tx, config },
    {
      purpose: 'step',
      body: {
        missionId: mission.id,
        stepId,
        planSha256: privateHash(mission, 'plan', mission.plan),
        effectSha256,
        humanId: mission.human,
        ...(sessionId !== null && { worldIdNonce: nonce }),
      },
      ttlMs: config.STEP_CHALLENGE_MS,
    },
  );
  add('human.requested', { step: stepId, assurance: policy.assurance, challengeSha256: made.sha256 });
  const stepChallenge = { id: made.id, body: made.body, sha256: made.sha256, expiresAt: made.expiresAt.toISOString() };
  if (sessionId === null) return stepChallenge;
  return { ...stepChallenge, worldId: await presenceRequest(config, made, { sessionId, nonce }) };
}

function settle(draft: Draft): void {
  const { mission, steps, add, set } = draft;
  const states = [...steps.values()].map(({ state }) => state);
  const waits = states.includes('awaiting_human');
  if (!waits && mission.state === 'awaiting_human') moveMission(draft, 'resume');
  if (waits && mission.state === 'executing') moveMission(draft, 'ask');
  if (!states.every((state) => state === 'succeeded')) return;
  add('mission.succeeded', { spentUsd: usdText(spentBy(mission, steps) / 1e6) });
  moveMission(draft, 'complete');
  set({ finished: true });
}

/** Ends a mission: what has not begun never will. */
function fail(draft: Draft, error: Failure): void {
  skipSteps(draft);
  draft.add('mission.failed', { code: error.code });
  moveMission(draft, 'fail');
  draft.set({ error });
  finishUnlessRunning(draft);
}

/** Returns the cost of the steps that ran, with the estimates of those that run. */
function spentBy({ plan, spent }: Mission, steps: ReadonlyMap<string, Step>): number {
  return plan.steps
    .filter(({ id }) => steps.get(id)?.state === 'running')
    .reduce((sum, { costUsd }) => sum + microUsd(costUsd), spent);
}

function stepFailure({ step, state }: Step): Failure {
  return { code: 'cancelled', message: `The step ${step} was ${state}.`, details: { step } };
}
