import { type DatabaseTransactionConnection, sql } from 'slonik';
import { makeChallenge } from '#src/access/humans/challenges/challenges.ts';
import { selectWorldIdSession } from '#src/access/humans/store/human-store.ts';
import { isWorldIdSet, presenceRequest, worldIdNonce } from '#src/access/humans/world-id/world-id-request.ts';
import type { MissionLog } from '#src/governance/missions/mission-log.ts';
import type { Failure, Mission, Step, StepChallenge } from '#src/governance/missions/mission-row.ts';
import { moveMission } from '#src/governance/missions/mission-store.ts';
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
import type { Context } from '#src/system/context.ts';
import { finishUnlessRunning, skipSteps } from './end-mission.ts';
import { CANONICAL, change, failStep, noteJobs, stepsByName, type Work } from './step-work.ts';

/** Longest input of a step once its references are resolved. */
const MOST_INPUT = 512_000;

/**
 * Takes a mission as far as it can go now: notes how its jobs ended, lets steps run whose turn it is, asks a human
 * where the plan says so, and ends it. Idempotent: everything it needs is in its rows, so any process may do it at any
 * time.
 */
export async function advanceMission(
  context: Context,
  tx: DatabaseTransactionConnection,
  before: Mission,
  log: MissionLog,
): Promise<void> {
  if (before.state !== 'executing' && before.state !== 'awaiting_human') return;
  const steps = await stepsByName(tx, before.id);
  const paid = await noteJobs({ context, tx, mission: before, log, steps });
  const mission = { ...before, spent: before.spent + paid };
  const work: Work = { context, tx, mission, log, steps };
  const failed = [...steps.values()].find(({ state }) => state === 'failed' || state === 'cancelled');
  if (failed) return await fail(work, failed.error ?? stepFailure(failed));
  if (mission.deadlineAt && mission.deadlineAt.getTime() <= Date.now())
    return await fail(work, {
      code: 'deadline_exceeded',
      message: `expected the mission to end within ${mission.timeoutS} s, got none of its end by ${mission.deadlineAt.toISOString()}.`,
      details: {},
    });
  for (const planned of mission.plan.steps) {
    const failure = await begin(work, planned);
    if (failure) return await fail(work, failure);
  }
  await settle(work);
}

/** Lets a step run, or asks a human about it, once everything it depends on is there. Answers what ends the mission. */
async function begin(work: Work, planned: PlanStep): Promise<Failure | null> {
  const { mission, log, steps } = work;
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
    await failStep(work, step, error);
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
      await failStep(work, step, error);
      return error;
    }
    log.add('effect.dispatched', { step: planned.id, capability: planned.capability, effectSha256: step.effect });
    await change(work, step, 'running');
    return null;
  }
  const resolved = await resolvedInput(work, planned);
  if ('failure' in resolved) {
    await failStep(work, step, resolved.failure);
    return resolved.failure;
  }
  if (planned.policy.decision === 'human') {
    // no human is asked about an effect that would be refused
    const refused = reachFault(work.context.config, { ...planned, input: resolved.input });
    if (refused) {
      const error = { code: refused.code, message: refused.message, details: refused.details };
      await failStep(work, step, error);
      return error;
    }
    await ask(work, planned, step, resolved.input);
    return null;
  }
  log.add('step.dispatched', {
    step: planned.id,
    capability: planned.capability,
    inputSaltedSha256: privateHash(mission, `input ${planned.id}`, resolved.input),
  });
  await change(work, step, 'running', { input: resolved.input });
  return null;
}

async function resolvedInput(
  { tx, mission }: Work,
  planned: PlanStep,
): Promise<{ readonly input: Readonly<Record<string, unknown>> } | { readonly failure: Failure }> {
  const needed = new Set(referencesIn(planned.input).map(({ to }) => to.$from));
  const outputs = await readOutputs({ db: tx }, mission.id, [...needed]);
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

/** Stops the step until a human has approved exactly this. */
async function ask(work: Work, planned: PlanStep, step: Step, input: Readonly<Record<string, unknown>>): Promise<void> {
  const effect = effectHash(planned.capability, input);
  await change(work, step, 'awaiting_human', { input, effect, challenge: await challengeHuman(work, planned, effect) });
}

/** A fresh challenge for a step that waits for its human. */
export async function challengeHuman(
  { context, tx, mission, log }: Pick<Work, 'context' | 'tx' | 'mission' | 'log'>,
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
  log.add('human.requested', { step: stepId, assurance: policy.assurance, challengeSha256: made.sha256 });
  const stepChallenge = { id: made.id, body: made.body, sha256: made.sha256, expiresAt: made.expiresAt.toISOString() };
  if (sessionId === null) return stepChallenge;
  return { ...stepChallenge, worldId: await presenceRequest(config, made, { sessionId, nonce }) };
}

async function settle({ tx, mission, log, steps }: Work): Promise<void> {
  const states = [...steps.values()].map(({ state }) => state);
  if (states.every((state) => state === 'succeeded')) {
    log.add('mission.succeeded', { spentUsd: usdText(spentBy(mission, steps) / 1e6) });
    if (mission.state === 'awaiting_human') await moveMission(tx, mission, 'resume');
    await moveMission(tx, { ...mission, state: 'executing' }, 'complete');
    await tx.query(sql.unsafe`update missions set finished_at = now() where id = ${mission.id}`);
    return;
  }
  const waits = states.includes('awaiting_human');
  if (waits && mission.state === 'executing') await moveMission(tx, mission, 'ask');
  if (!waits && mission.state === 'awaiting_human') await moveMission(tx, mission, 'resume');
}

/** Ends a mission: what has not begun never will. */
async function fail(work: Work, error: Failure): Promise<void> {
  const { tx, mission, log } = work;
  await skipSteps(work);
  log.add('mission.failed', { code: error.code });
  await moveMission(tx, mission, 'fail');
  await tx.query(sql.unsafe`update missions set error = ${JSON.stringify(error)}::jsonb where id = ${mission.id}`);
  await finishUnlessRunning(work);
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
