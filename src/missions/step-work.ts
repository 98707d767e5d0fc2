import { type CommonQueryMethods, type DatabaseTransactionConnection, sql } from 'slonik';
import { Type } from 'typebox';
import type { MissionLog } from '#src/governance/mission-log.ts';
import type { Failure, Mission, Step } from '#src/governance/mission-row.ts';
import { readSteps, setStep } from '#src/governance/mission-store.ts';
import { microUsd, usdText } from '#src/governance/money.ts';
import type { PlanStep } from '#src/governance/plan.ts';
import { privateHash } from '#src/governance/salts.ts';
import { terminalStates } from '#src/jobs/states.ts';
import { isCanonical } from '#src/lib/canonical-json.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres.ts';
import { capabilities } from './catalogue.ts';

/** Longest output of a step that is kept, characters of JSON. */
const MOST_OUTPUT = 4_000_000;
/** What can be hashed for the receipt. */
export const CANONICAL = 'at most 100 levels of nesting and no lone surrogates, got another';

/** A mission whose row is locked, and what is done about it. */
export interface Work {
  readonly context: Context;
  readonly tx: DatabaseTransactionConnection;
  readonly mission: Mission;
  readonly log: MissionLog;
  /** Where each step stands now. */
  readonly steps: Map<string, Step>;
}

const EndedJob = Type.Object({
  id: Type.String(),
  state: Type.String(),
  result: Type.Unsafe<unknown>({}),
  error: Type.Unsafe<Failure | null>({}),
});

/** Notes of each running step whose job has ended what came of it. */
export async function noteJobs(work: Work): Promise<void> {
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

async function noteJob(work: Work, step: Step, job: Type.Static<typeof EndedJob>): Promise<void> {
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
  const wrong = (code: string, message: string) => failStep(work, step, { code, message, details: { job: job.id } });
  const { length } = JSON.stringify(output) ?? 'null';
  if (length > MOST_OUTPUT)
    return await wrong('payload_too_large', `expected an output of at most ${MOST_OUTPUT} characters, got ${length}.`);
  if (!isCanonical(output)) return await wrong('invalid_result', `expected an output with ${CANONICAL}.`);
  const outputHash = privateHash(mission, `output ${step.step}`, output);
  const cost = microUsd(planned.costUsd);
  await tx.query(sql.unsafe`update missions set spent = spent + ${cost} where id = ${mission.id}`);
  const told = { step: step.step, outputSaltedSha256: outputHash, costUsd: usdText(planned.costUsd) };
  log.add(planned.sensitivity === 'none' ? 'step.succeeded' : 'effect.confirmed', told);
  await change(work, step, 'succeeded', { output, outputHash });
}

export async function failStep(work: Work, step: Step, error: Failure): Promise<void> {
  work.log.add('step.failed', { step: step.step, code: error.code });
  await change(work, step, 'failed', { error });
}

/** Changes a step, and what is known of it here. */
export async function change(
  { tx, mission, steps }: Pick<Work, 'tx' | 'mission' | 'steps'>,
  step: Step,
  state: Step['state'],
  more: Parameters<typeof setStep>[4] = {},
): Promise<void> {
  await setStep(tx, mission.id, step.step, state, more);
  steps.set(step.step, { ...step, ...more, state });
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

/** Reads the steps of a mission within a transaction, by name. */
export async function stepsByName(tx: CommonQueryMethods, mission: string): Promise<Map<string, Step>> {
  return new Map((await readSteps({ db: tx }, mission)).map((step) => [step.step, step]));
}
