import type { Result } from '#queues/define.ts';
import type { AssetRef, GenerationRequest, MediaCapability } from '#queues/providers.ts';
import { generate } from '#queues/providers.ts';
import type { render } from '#queues/studio.ts';
import { openBudget } from '#src/governance/budgets/budgets.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { StopReason } from '#src/jobs/model/stop-reason.ts';
import { awaitJobs } from '#src/jobs/read/await-jobs.ts';
import { readJob } from '#src/jobs/read/read-jobs.ts';
import { clearSuspicion } from '#src/jobs/run/clear-suspect.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { type ErrorCode, errorCodes } from '#src/lib/error-codes.ts';
import { AppError, knownDetails } from '#src/lib/errors.ts';
import { microUsd } from '#src/lib/money.ts';
import type { PlanStep } from '#src/studio/model/bodies.ts';
import { insertStudioJob, type Plan, readPlan } from '#src/studio/model/store.ts';
import { type Shares, underCeiling } from '#src/studio/plan/under-ceiling.ts';
import { saltText, sealExecution } from '#src/studio/seal/seal-execution.ts';
import type { Processor, Run } from '#workers/run/processor.ts';
import { assertOpen, cancelAll, isHandedOn } from './child-jobs.ts';
import { renderWarnings } from './render-warnings.ts';

type Done = Result<typeof generate>;
type Rendering = Pick<Run<typeof render>, 'context' | 'job' | 'signal'> & {
  readonly plan: Plan;
  readonly routes: Shares['routes'];
};

/**
 * Renders an approved plan: a child job for each call of a provider, those that do not need each other side by side,
 * all under one ceiling; then the receipt. Run again, it finds the children it has.
 *
 * @throws AppError `budget_exceeded` before the first of them where the ceiling cannot suffice, or of the first child
 *   that failed: `budget_exceeded`, `provider_refused`, `providers_exhausted`, ...
 */
export const renderPlanProcessor: Processor<typeof render> = async ({ payload, emit, signal, job, context }) => {
  const plan = await readPlan(context, payload.planId, job.owner);
  if (!plan) throw new AppError('not_found', `The plan ${payload.planId} is gone.`, { plan: payload.planId });
  await assertOpen(context, job.id);
  await openBudget(context.db, `job:${job.id}`, payload.ceiling);
  const { steps } = plan.plan;
  const routes = routesUnder(steps, payload.ceiling);
  // its calls may be suspects as well, and would wait for this process as long as this waits for them
  if (await clearSuspicion(context, job)) throw new StopReason('drain');
  const done = new Map<string, Done>();
  const report = (stage: string) => emit({ stage, done: done.size, of: steps.length });
  report('started');
  await runSteps({ context, job, signal, plan, routes }, done, report);
  report('sealing');
  const row = await readJob(context, job.id);
  if (!row) throw new AppError('not_found', `The job ${job.id} is gone.`, { job: job.id });
  await sealExecution(context, { job: row, goal: plan.plan.prompt, plan: plan.plan, outcome: 'succeeded' });
  const results = steps.flatMap(({ step }) => done.get(step) ?? []);
  return {
    planId: plan.id,
    assets: results.flatMap(({ assets }) => assets),
    cost: results.reduce((sum, { cost }) => sum + cost, 0),
    receiptId: job.id,
    salt: saltText(context, job.id),
    warnings: await renderWarnings(context, plan, job.id, done),
  };
};

/**
 * Routes of each step. @throws AppError `budget_exceeded` where the cheapest of all steps are above the ceiling
 * together.
 */
function routesUnder(steps: readonly PlanStep[], ceiling: number): Shares['routes'] {
  const { least, routes } = underCeiling(steps, ceiling);
  if (ceiling >= least) return routes;
  const [needed, allowed] = [least / 1e6, ceiling / 1e6];
  throw new AppError(
    'budget_exceeded',
    `The ceiling of the render: expected at least $${needed}, which the cheapest providers of its steps cost together, got $${allowed}; no provider was called. Render with a higher maxCostUsd, or plan fewer steps.`,
    { leastUsd: needed, ceilingUsd: allowed },
  );
}

/** Every step once those it needs are done. The first failure stops what has not begun and cancels what runs. */
async function runSteps(rendering: Rendering, done: Map<string, Done>, report: (stage: string) => void): Promise<void> {
  const { context, signal, plan } = rendering;
  const stop = new AbortController();
  const children: string[] = [];
  const running = new Map<string, Promise<void>>();
  const run = async (step: PlanStep): Promise<void> => {
    await Promise.all(step.after.flatMap((name) => running.get(name) ?? []));
    const id = await startStep(rendering, step, inputsOf(plan, step, done));
    children.push(id);
    const job = (await awaitJobs(context, [id], AbortSignal.any([signal, stop.signal]))).get(id);
    if (job?.state !== 'succeeded') throw failureOf(step, job?.state ?? 'gone', job?.error ?? null);
    done.set(step.step, job.result as Done);
    report(step.step);
  };
  try {
    for (const step of plan.plan.steps) running.set(step.step, run(step));
    await Promise.all(running.values());
  } catch (error) {
    stop.abort(error);
    await Promise.allSettled(running.values());
    // a worker that only stops leaves its children to the next one
    if (!isHandedOn(signal)) await cancelAll(context, children, 'the render it belongs to has stopped');
    throw error;
  }
}

async function startStep(
  { context, job, plan, routes }: Rendering,
  { step, capability, request, primary, backups }: PlanStep,
  inputs: GenerationRequest['inputs'],
): Promise<string> {
  const { job: child } = await submit(context, generate, {
    principal: { owner: job.owner },
    parentId: job.id,
    idempotencyKey: `${job.id}.${step}`,
    payload: {
      capability: capability as MediaCapability,
      request: { ...request, ...(inputs && { inputs }) },
      route: (routes.get(step) ?? [primary, ...backups]).map(({ provider, estimatedCostUsd }) => ({
        provider,
        quoted: microUsd(estimatedCostUsd),
      })),
      budgets: [`job:${job.id}`],
      surface: 'studio',
      keyId: null,
      name: step,
    },
  });
  await insertStudioJob(context.db, { id: child.id, owner: job.owner, kind: 'call', plan: plan.id, parent: job.id });
  return child.id;
}

/** Products of the steps before, by the use that a provider has for them. */
function inputsOf(
  { plan: { steps } }: Plan,
  { after }: PlanStep,
  done: ReadonlyMap<string, Done>,
): GenerationRequest['inputs'] {
  const of = (kind: string, ...makers: readonly string[]) =>
    steps
      .filter(({ step, capability }) => after.includes(step) && makers.includes(capability))
      .flatMap(({ step }) => (done.get(step)?.assets ?? []).filter(isOf(kind)));
  const images = of('image', 'image.generate', 'image.edit').map(({ id }) => id);
  const [narration] = of('audio', 'tts.synthesize');
  const [words] = of('data', 'tts.synthesize');
  const [music] = of('audio', 'music.generate');
  if (images.length === 0 && !narration && !music) return undefined;
  return {
    ...(images.length > 0 && { images }),
    ...(narration && { narration: narration.id }),
    ...(narration && words && { words: words.id }),
    ...(music && { music: music.id }),
  };
}

const isOf = (kind: string) => (asset: Readonly<Record<keyof (typeof AssetRef)['properties'], string>>) =>
  asset.kind === kind;

function failureOf({ step }: PlanStep, state: string, error: Job['error']): AppError {
  if (state === 'cancelled') return new AppError('cancelled', `The step ${step} was cancelled.`, { step });
  const code = error !== null && Object.hasOwn(errorCodes, error.code) ? (error.code as ErrorCode) : 'internal';
  const details = knownDetails({ ...(error?.details as object | undefined), step });
  return new AppError(code, `The step ${step} failed: ${error?.message ?? 'its job is gone.'}`, details);
}
