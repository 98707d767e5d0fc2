import { type DatabaseTransactionConnection, sql } from 'slonik';
import { Type } from 'typebox';
import { readCalls } from '#src/governance/budgets/budgets.ts';
import type { Draft } from '#src/governance/missions/draft.ts';
import type { EndedJob, Failure, Mission, Step } from '#src/governance/missions/mission-row.ts';
import type { PlanStep } from '#src/governance/missions/plan.ts';
import { privateHash } from '#src/governance/missions/salts.ts';
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
  readonly draft: Draft;
}

const JobResult = Type.Object({ result: Type.Unsafe<unknown>({}) });

/** Notes of each running step whose job has ended what came of it, and what it has cost. */
export async function noteJobs(work: Work): Promise<void> {
  const { draft } = work;
  for (const step of draft.steps.values()) {
    const job = step.job === null ? undefined : draft.ended.get(step.job);
    if (step.state !== 'running' || !job) continue;
    const cost = await costOf(work, step, job);
    if (cost > 0) draft.set({ spent: draft.mission.spent + cost });
    await noteJob(work, step, job, cost);
  }
}

/**
 * Returns the billed cost of a step that pays in millionths of a dollar, whatever came of it; of another step its estimate,
 * once it is done.
 */
async function costOf({ tx, draft: { mission } }: Work, { step }: Step, job: EndedJob): Promise<number> {
  const planned = plannedStep(mission, step);
  if (!capabilityOf(mission, planned).spends) return job.state === 'succeeded' ? microUsd(planned.costUsd) : 0;
  return (await readCalls({ db: tx }, job.id)).reduce((sum, { cost }) => sum + (cost ?? 0), 0);
}

async function noteJob(work: Work, { step }: Step, job: EndedJob, cost: number): Promise<void> {
  const { tx, draft } = work;
  const { mission } = draft;
  const planned = plannedStep(mission, step);
  if (job.state === 'cancelled') {
    draft.add('step.cancelled', { step });
    draft.setStep(step, 'cancelled');
    return;
  }
  if (job.state === 'failed') {
    const error = job.error ?? { code: 'internal', message: 'The job failed.', details: {} };
    failStep(draft, step, { ...error, details: { ...(error.details as object | null), job: job.id } });
    return;
  }
  // a long one by itself: results of fifty steps may have come at once
  const { result } =
    job.result === null ? await tx.one(sql.type(row(JobResult))`select result from jobs where id = ${job.id}`) : job;
  const output = await capabilityOf(mission, planned).output(result, {
    db: tx,
    job: job.id,
    config: work.context.config,
  });
  const wrong = (code: string, message: string) => failStep(draft, step, { code, message, details: { job: job.id } });
  const { length } = JSON.stringify(output) ?? 'null';
  if (length > MOST_OUTPUT)
    return wrong('payload_too_large', `expected an output of at most ${MOST_OUTPUT} characters, got ${length}.`);
  const held = [...draft.steps.values()].reduce((sum, { outputLength }) => sum + (outputLength ?? 0), 0);
  // an effect has happened, whatever its outcome adds
  if (planned.sensitivity === 'none' && held + length > MOST_OUTPUTS)
    return wrong(
      'payload_too_large',
      `expected the steps of a mission to give at most ${MOST_OUTPUTS} characters in all, got ${held + length} with the step ${step}: split the goal over several missions, or read less.`,
    );
  if (!isCanonical(output)) return wrong('invalid_result', `expected an output with ${CANONICAL}.`);
  const outputHash = privateHash(mission, `output ${step}`, output);
  const data = { step, outputSaltedSha256: outputHash, costUsd: usdText(cost / 1e6) };
  draft.add(planned.sensitivity === 'none' ? 'step.succeeded' : 'effect.confirmed', data);
  draft.setStep(step, 'succeeded', { output, outputLength: length, outputHash });
}

export function failStep({ add, setStep }: Draft, step: string, error: Failure): void {
  add('step.failed', { step, code: error.code });
  setStep(step, 'failed', { error });
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
