import { type CommonQueryMethods, type DatabaseTransactionConnection, sql } from 'slonik';
import { Type } from 'typebox';
import { readCalls } from '#src/governance/budgets/budgets.ts';
import type { MissionLog } from '#src/governance/missions/mission-log.ts';
import type { Failure, Mission, Step } from '#src/governance/missions/mission-row.ts';
import { readSteps, type StepChange, setStep } from '#src/governance/missions/mission-store.ts';
import type { PlanStep } from '#src/governance/missions/plan.ts';
import { privateHash } from '#src/governance/missions/salts.ts';
import { terminalStates } from '#src/jobs/model/states.ts';
import { isCanonical } from '#src/lib/crypto/canonical-json.ts';
import { microUsd, usdText } from '#src/lib/money.ts';
import { type Capability, capabilities } from '#src/missions/plan/catalogue.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

/** Longest output of a step that is kept, characters of JSON. */
const MOST_OUTPUT = 4_000_000;
/** And all outputs of a mission together: its owner reads them in one answer. */
const MOST_OUTPUTS = 16_000_000;
/** Bounds of what can be hashed for the receipt. */
export const CANONICAL = 'at most 100 levels of nesting and no lone surrogates, got another';

/** A mission whose row is locked, and what is done about it. */
export interface Work {
  readonly context: Context;
  readonly tx: DatabaseTransactionConnection;
  readonly mission: Mission;
  readonly log: MissionLog;
  /** Present state of each step. */
  readonly steps: Map<string, Step>;
}

const EndedJob = Type.Object({
  id: Type.String(),
  state: Type.String(),
  error: Type.Unsafe<Failure | null>({}),
});
const JobResult = Type.Object({ result: Type.Unsafe<unknown>({}) });

/**
 * Notes of each running step whose job has ended what came of it. Answers what they have cost, millionths of a dollar.
 */
export async function noteJobs(work: Work): Promise<number> {
  const running = [...work.steps.values()].filter(({ state, job }) => state === 'running' && job !== null);
  if (running.length === 0) return 0;
  const ids = running.map(({ job }) => job ?? '');
  const ended = await work.tx.any(sql.type(row(EndedJob))`
    select id, state, error from jobs
    where id = any(${sql.array(ids, 'uuid')}) and state = any(${sql.array([...terminalStates], 'text')})`);
  let paid = 0;
  for (const job of ended) {
    const step = running.find((one) => one.job === job.id);
    if (!step) continue;
    const cost = await costOf(work, step, job);
    paid += cost;
    await noteJob(work, step, job, cost);
  }
  if (paid > 0)
    await work.tx.query(sql.unsafe`update missions set spent = spent + ${paid} where id = ${work.mission.id}`);
  return paid;
}

/** Returns the billed cost of a step that pays, whatever came of it; of another step its estimate, once it is done. */
async function costOf({ tx, mission }: Work, { step }: Step, job: Type.Static<typeof EndedJob>): Promise<number> {
  const planned = plannedStep(mission, step);
  if (!capabilityOf(mission, planned).spends) return job.state === 'succeeded' ? microUsd(planned.costUsd) : 0;
  return (await readCalls({ db: tx }, job.id)).reduce((sum, { cost }) => sum + (cost ?? 0), 0);
}

async function noteJob(work: Work, step: Step, job: Type.Static<typeof EndedJob>, cost: number): Promise<void> {
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
  // one at a time: results of fifty steps may have come at once
  const { result } = await tx.one(sql.type(row(JobResult))`select result from jobs where id = ${job.id}`);
  const output = await capabilityOf(mission, planned).output(result, {
    db: tx,
    job: job.id,
    config: work.context.config,
  });
  const wrong = (code: string, message: string) => failStep(work, step, { code, message, details: { job: job.id } });
  const { length } = JSON.stringify(output) ?? 'null';
  if (length > MOST_OUTPUT)
    return await wrong('payload_too_large', `expected an output of at most ${MOST_OUTPUT} characters, got ${length}.`);
  const held = [...work.steps.values()].reduce((sum, { outputLength }) => sum + (outputLength ?? 0), 0);
  // an effect has happened, whatever its outcome adds
  if (planned.sensitivity === 'none' && held + length > MOST_OUTPUTS)
    return await wrong(
      'payload_too_large',
      `expected the steps of a mission to give at most ${MOST_OUTPUTS} characters in all, got ${held + length} with the step ${step.step}: split the goal over several missions, or read less.`,
    );
  if (!isCanonical(output)) return await wrong('invalid_result', `expected an output with ${CANONICAL}.`);
  const outputHash = privateHash(mission, `output ${step.step}`, output);
  const data = { step: step.step, outputSaltedSha256: outputHash, costUsd: usdText(cost / 1e6) };
  log.add(planned.sensitivity === 'none' ? 'step.succeeded' : 'effect.confirmed', data);
  await change(work, step, 'succeeded', { output, outputLength: length, outputHash });
}

export async function failStep(work: Work, step: Step, error: Failure): Promise<void> {
  work.log.add('step.failed', { step: step.step, code: error.code });
  await change(work, step, 'failed', { error });
}

/** Changes a step, and what is known of it here; what it takes and gives stays in its row. */
export async function change(
  { tx, mission, steps }: Pick<Work, 'tx' | 'mission' | 'steps'>,
  step: Step,
  state: Step['state'],
  more: StepChange = {},
): Promise<void> {
  await setStep(tx, mission.id, step.step, state, more);
  const { input: _input, output: _output, ...known } = more;
  steps.set(step.step, { ...step, ...known, state });
}

export function plannedStep({ plan, id }: Mission, step: string): PlanStep {
  const planned = plan.steps.find((one) => one.id === step);
  if (planned) return planned;
  throw new Error(`the mission ${id} has a step ${step} that its plan does not know`);
}

/** Returns the capability that does a step. */
export function capabilityOf({ id }: Pick<Mission, 'id'>, step: PlanStep): Capability {
  const known = capabilities.get(step.capability);
  if (known) return known;
  throw new Error(`the step ${step.id} of ${id} needs ${step.capability}, which this release does not know`);
}

/** Reads the steps of a mission within a transaction, by name. */
export async function stepsByName(tx: CommonQueryMethods, mission: string): Promise<Map<string, Step>> {
  return new Map((await readSteps({ db: tx }, mission)).map((step) => [step.step, step]));
}
