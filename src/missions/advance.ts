import { type CommonQueryMethods, type DatabaseTransactionConnection, sql } from 'slonik';
import { Type } from 'typebox';
import { makeChallenge } from '#src/access/humans/challenges.ts';
import type { MissionLog } from '#src/governance/mission-log.ts';
import type { Failure, Mission, Step, StepChallenge } from '#src/governance/mission-row.ts';
import { hasEnded } from '#src/governance/mission-states.ts';
import { moveMission, readSteps, setStep } from '#src/governance/mission-store.ts';
import { microUsd, usdText } from '#src/governance/money.ts';
import type { PlanStep } from '#src/governance/plan.ts';
import { privateHash } from '#src/governance/salts.ts';
import { terminalStates } from '#src/jobs/states.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres.ts';
import { capabilities } from './catalogue.ts';
import { inputFaults } from './domain/check-plan.ts';
import { resolveReferences } from './domain/references.ts';
import { effectHash } from './effect.ts';

/** Longest output of a step that is kept, characters of JSON. */
const MOST_OUTPUT = 4_000_000;
/** Longest input of a step once its references are resolved. */
const MOST_INPUT = 512_000;

interface Advance {
  readonly context: Context;
  readonly tx: DatabaseTransactionConnection;
  readonly mission: Mission;
  readonly log: MissionLog;
  /** Where each step stands now. */
  readonly steps: Map<string, Step>;
}

/**
 * Takes a mission as far as it can go now: notes how its jobs ended, lets steps run whose turn it is, asks a human where
 * the plan says so, and ends it. Idempotent: everything it needs is in its rows, so any process may do it at any time.
 */
export async function advance(
  context: Context,
  tx: DatabaseTransactionConnection,
  mission: Mission,
  log: MissionLog,
): Promise<void> {
  if (mission.state !== 'executing' && mission.state !== 'awaiting_human') return;
  const steps = new Map((await readSteps({ db: tx }, mission.id)).map((step) => [step.step, step]));
  const work: Advance = { context, tx, mission, log, steps };
  await noteJobs(work);
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

const EndedJob = Type.Object({
  id: Type.String(),
  state: Type.String(),
  result: Type.Unsafe<unknown>({}),
  error: Type.Unsafe<Failure | null>({}),
});

async function noteJobs(work: Advance): Promise<void> {
  const running = [...work.steps.values()].filter(({ state, job }) => state === 'running' && job !== null);
  if (running.length === 0) return;
  const ids = running.map(({ job }) => job ?? '');
  const ended = await work.tx.any(sql.type(row(EndedJob))`
    select id, state, result, error from jobs
    where id = any(${sql.array(ids, 'uuid')}) and state = any(${sql.array([...terminalStates], 'text')})`);
  for (const job of ended) {
    const step = running.find((one) => one.job === job.id);
    if (step) await noteJob(work, step, job);
  }
}

async function noteJob(work: Advance, step: Step, job: Type.Static<typeof EndedJob>): Promise<void> {
  const { tx, mission, log } = work;
  const planned = plannedStep(mission, step.step);
  if (job.state === 'cancelled') {
    log.add('step.cancelled', { step: step.step });
    return await change(work, step, 'cancelled');
  }
  if (job.state === 'failed') {
    const error = job.error ?? { code: 'internal', message: 'The job failed.', details: {} };
    return await failStep(work, step, { ...error, details: { ...(error.details as object | null), job: job.id } });
  }
  const output = stepJob(mission, planned, step).output(job.result);
  const text = JSON.stringify(output) ?? 'null';
  if (text.length > MOST_OUTPUT)
    return await failStep(work, step, {
      code: 'payload_too_large',
      message: `expected an output of at most ${MOST_OUTPUT} characters, got ${text.length}.`,
      details: { job: job.id },
    });
  const outputHash = privateHash(mission, `output ${step.step}`, output);
  const cost = microUsd(planned.costUsd);
  await tx.query(sql.unsafe`update missions set spent = spent + ${cost} where id = ${mission.id}`);
  const told = { step: step.step, outputSaltedSha256: outputHash, costUsd: usdText(planned.costUsd) };
  log.add(planned.sensitivity === 'none' ? 'step.succeeded' : 'effect.confirmed', told);
  await change(work, step, 'succeeded', { output, outputHash });
}

/** Lets a step run, or asks a human about it, once everything it depends on is there. Answers what ends the mission. */
async function begin(work: Advance, planned: PlanStep): Promise<Failure | null> {
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
  if (step.state === 'approved') {
    log.add('effect.dispatched', { step: planned.id, capability: planned.capability, effectSha256: step.effect });
    await change(work, step, 'running');
    return null;
  }
  const resolved = resolvedInput(work, planned);
  if ('failure' in resolved) {
    await failStep(work, step, resolved.failure);
    return resolved.failure;
  }
  if (planned.policy.decision === 'human') {
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

function resolvedInput(
  { steps }: Advance,
  planned: PlanStep,
): { readonly input: Readonly<Record<string, unknown>> } | { readonly failure: Failure } {
  const outputs = Object.fromEntries([...steps.values()].map(({ step, output }) => [step, output]));
  const resolved = resolveReferences(planned.input, outputs);
  const wrong = (message: string) => ({ failure: { code: 'invalid_payload', message, details: { step: planned.id } } });
  if ('missing' in resolved) {
    const { $from, path = '' } = resolved.missing;
    return wrong(
      `${planned.id}: expected ${path === '' ? 'an output' : path} of the step ${$from}, got nothing there.`,
    );
  }
  const input = resolved.value as Readonly<Record<string, unknown>>;
  const [fault] = inputFaults({ ...planned, input }, capabilities);
  if (fault !== undefined) return wrong(`${fault}.`);
  const size = JSON.stringify(input).length;
  if (size <= MOST_INPUT) return { input };
  return wrong(`${planned.id}: expected an input of at most ${MOST_INPUT} characters, got ${size}.`);
}

/** Stops the step until a human has approved exactly this. */
async function ask(
  work: Advance,
  planned: PlanStep,
  step: Step,
  input: Readonly<Record<string, unknown>>,
): Promise<void> {
  const effect = effectHash(planned.capability, input);
  await change(work, step, 'awaiting_human', { input, effect, challenge: await challenge(work, planned, effect) });
}

/** A fresh challenge for a step that waits for its human. */
export async function challenge(
  { context, tx, mission, log }: Pick<Advance, 'context' | 'tx' | 'mission' | 'log'>,
  { id: stepId, policy }: PlanStep,
  effectSha256: string,
): Promise<StepChallenge> {
  const made = await makeChallenge(
    { db: tx, config: context.config },
    {
      purpose: 'step',
      body: {
        missionId: mission.id,
        stepId,
        planSha256: privateHash(mission, 'plan', mission.plan),
        effectSha256,
        humanId: mission.human,
      },
      ttlMs: context.config.STEP_CHALLENGE_MS,
    },
  );
  log.add('human.requested', { step: stepId, assurance: policy.assurance, challengeSha256: made.sha256 });
  return { id: made.id, body: made.body, sha256: made.sha256, expiresAt: made.expiresAt.toISOString() };
}

async function settle({ tx, mission, log, steps }: Advance): Promise<void> {
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

async function failStep(work: Advance, step: Step, error: Failure): Promise<void> {
  work.log.add('step.failed', { step: step.step, code: error.code });
  await change(work, step, 'failed', { error });
}

/** Ends a mission: what has not begun never will; jobs that still run are cancelled by who reads this. */
async function fail(work: Advance, error: Failure): Promise<void> {
  const { tx, mission, log } = work;
  await endSteps(work);
  log.add('mission.failed', { code: error.code });
  await moveMission(tx, mission, 'fail');
  await tx.query(sql.unsafe`
    update missions set error = ${JSON.stringify(error)}::jsonb, finished_at = now() where id = ${mission.id}`);
}

/** Marks every step that has not ended as skipped, or as cancelled where it runs. */
export async function endSteps(work: Pick<Advance, 'tx' | 'mission' | 'log' | 'steps'>): Promise<void> {
  for (const step of work.steps.values()) {
    if (hasEnded(step.state)) continue;
    const running = step.state === 'running';
    work.log.add(running ? 'step.cancelled' : 'step.skipped', { step: step.step });
    await change(work, step, running ? 'cancelled' : 'skipped');
  }
}

async function change(
  { tx, mission, steps }: Pick<Advance, 'tx' | 'mission' | 'steps'>,
  step: Step,
  state: Step['state'],
  more: Parameters<typeof setStep>[4] = {},
): Promise<void> {
  await setStep(tx, mission.id, step.step, state, more);
  steps.set(step.step, { ...step, ...more, state });
}

/** What steps have cost that ran or run. */
function spentBy({ plan }: Mission, steps: ReadonlyMap<string, Step>): number {
  return plan.steps
    .filter(({ id }) => ['running', 'succeeded'].includes(steps.get(id)?.state ?? ''))
    .reduce((sum, { costUsd }) => sum + microUsd(costUsd), 0);
}

export function plannedStep({ plan, id }: Mission, step: string): PlanStep {
  const planned = plan.steps.find((one) => one.id === step);
  if (planned) return planned;
  throw new Error(`the mission ${id} has a step ${step} that its plan does not know`);
}

/** The job that does a step whose input is known. */
export function stepJob(mission: Pick<Mission, 'id'>, { capability, id }: PlanStep, { input }: Pick<Step, 'input'>) {
  const known = capabilities.get(capability);
  if (!known) throw new Error(`the step ${id} of ${mission.id} needs ${capability}, which this release does not know`);
  return known.job({ missionId: mission.id, step: id, input: input ?? {} });
}

function stepFailure({ step, state }: Step): Failure {
  return { code: 'cancelled', message: `The step ${step} was ${state}.`, details: { step } };
}

/** Reads the steps of a mission within a transaction, by name. */
export async function stepsByName(tx: CommonQueryMethods, mission: string): Promise<Map<string, Step>> {
  return new Map((await readSteps({ db: tx }, mission)).map((step) => [step.step, step]));
}
