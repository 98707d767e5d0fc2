import { randomUUIDv7 } from 'node:crypto';
import type { CommonQueryMethods } from 'slonik';
import type { MediaCapability } from '#queues/providers.ts';
import { listApprovals } from '#src/governance/approvals/approval-row.ts';
import { approvalView } from '#src/governance/approvals/approval-view.ts';
import { publishTold } from '#src/governance/owners/owner-log.ts';
import { freshAnswer } from '#src/lib/async/fresh-answer.ts';
import { lanes } from '#src/lib/async/lanes.ts';
import { canonicalText } from '#src/lib/crypto/canonical-json.ts';
import { AppError } from '#src/lib/errors.ts';
import { idempotencyConflict } from '#src/lib/idempotency-conflict.ts';
import { microUsd } from '#src/lib/money.ts';
import type { Principal } from '#src/lib/principal.ts';
import { catalogueOf } from '#src/providers/catalogue/catalogue-load.ts';
import { healthOf } from '#src/providers/routing/health.ts';
import { type Route, type Routing, routeFor } from '#src/providers/routing/routing.ts';
import { touchedByRender } from '#src/studio/domain/boundary.ts';
import { readFilmScript } from '#src/studio/domain/film-script.ts';
import { readFormats } from '#src/studio/domain/formats.ts';
import { narrationSeconds, type ShapedStep, shapeSteps } from '#src/studio/domain/shape-steps.ts';
import type { RoutePolicy } from '#src/studio/domain/words.ts';
import type { Outcome } from '#src/studio/edge/envelope.ts';
import type { PlanInput } from '#src/studio/edge/inputs.ts';
import { type PlanBody, type PlanStep, providersOf, type Routed } from '#src/studio/model/bodies.ts';
import { findKeyed, keyedId, type Repeatable } from '#src/studio/model/keyed-id.ts';
import { type RecordedTimes, recordedTimes } from '#src/studio/model/recorded-times.ts';
import { type Brief, type Plan, readBriefs, readPlan } from '#src/studio/model/store.ts';
import type { Context } from '#src/system/context.ts';
import { perContext } from '#src/system/per-context.ts';
import { briefBody, keepBrief } from './create-brief.ts';
import { insertTold, keepPlanTogether, planRequest, type StoredPlan } from './keep-plan.ts';
import { planWarnings } from './plan-warnings.ts';
import { ceilingOf, ceilingWarnings, underCeiling } from './under-ceiling.ts';

/**
 * The tool `studio_plan`: a costed route through providers, and the approval that rendering it needs. An
 * Idempotency-Key that made a plan before returns that plan, as it was made then.
 */
export async function createPlan(
  context: Context,
  principal: Principal,
  input: PlanInput,
  key?: string,
): Promise<Outcome & { readonly created: boolean }> {
  const { owner } = principal;
  const id = key === undefined ? randomUUIDv7() : keyedId({ owner, key, kind: 'plan' });
  const brief = await briefOf(context, owner, input, key);
  const { plan, approval } =
    key === undefined
      ? await keepPlanTogether(context)(planRequest(context, principal, id, await planBody(context, brief, input)))
      : await keyedPlan(context, principal, { owner, key, kind: 'plan' }, id, brief, input);
  const { plan: made } = plan;
  return {
    created: plan.id === id,
    output: { plan: planView(plan), budgetExceeded: isExceeded(made), approval: approvalView(context, approval) },
    warnings: [
      ...(made.warnings ?? []),
      ...(made.budgetUsd === null ? [] : ceilingWarnings(made, ceilingOf(made), 'budgetUsd')),
    ],
    resources: [`studio://plans/${plan.id}`, 'studio://providers/catalog', 'studio://governance/policy'],
  };
}

/**
 * Returns the plan that an Idempotency-Key has made before, before providers are looked at: it is returned whatever has
 * become of them since. Or makes it, unless another request has stored it meanwhile.
 */
async function keyedPlan(
  context: Context,
  principal: Principal,
  request: Repeatable,
  id: string,
  brief: Brief,
  input: PlanInput,
): Promise<StoredPlan> {
  const earlier = async (tx: CommonQueryMethods) =>
    await earlierPlan(context, tx, request, id, requestOf(brief, input));
  const known = await context.db.transaction(earlier);
  if (known) return known;
  const made = planRequest(context, principal, id, await planBody(context, brief, input));
  const { stored, told } = await context.db.transaction(async (tx) => {
    const before = await earlier(tx);
    if (before) return { stored: [before], told: [] };
    return await insertTold(tx, [made]);
  });
  await publishTold(context, told);
  const [only] = stored;
  if (!only) throw new Error(`expected the plan ${id} to be kept, got none`);
  return only;
}

/**
 * Finds the plan that an Idempotency-Key made before, with the approval that was requested then.
 *
 * @throws AppError `idempotency_conflict`
 */
async function earlierPlan(
  context: Context,
  tx: CommonQueryMethods,
  request: Repeatable,
  id: string,
  input: ReturnType<typeof requestOf>,
): Promise<StoredPlan | null> {
  const { owner } = request;
  const known = await findKeyed(tx, request, id, context.config.JOB_RETENTION_DAYS);
  const plan = known === null ? null : await readPlan({ db: tx }, known, owner);
  if (!plan) return null;
  const { briefId, routePolicy, targetFormats, budgetUsd } = plan.plan;
  if (canonicalText({ briefId, routePolicy, targetFormats, budgetUsd }) !== canonicalText(input)) {
    throw idempotencyConflict(request.key, { kind: 'plan', id: plan.id });
  }
  const found = await listApprovals({ db: tx }, { owner, state: null, subject: plan.id, before: null, limit: 100 });
  const approval = found.findLast(({ kind }) => kind === 'render');
  return approval ? { plan, approval } : null;
}

/** Picks the client's members of a plan; all else follows from the catalogue, prices and health of the moment. */
function requestOf({ id, brief }: Brief, { routePolicy = 'balanced', targetFormats, budgetUsd }: PlanInput) {
  const formats = targetFormats ?? [...brief.targetFormats];
  return { briefId: id, routePolicy, targetFormats: formats, budgetUsd: budgetUsd ?? null };
}

/** Checks whether the cheapest providers of all steps cost more together than the budget: then no route can be paid. */
export function isExceeded({ budgetUsd, steps }: Pick<PlanBody, 'budgetUsd' | 'steps'>): boolean {
  return budgetUsd !== null && underCeiling(steps, 0).least > microUsd(budgetUsd);
}

export function planView({ id, plan, planHash, createdAt }: Plan) {
  const { areas, ...body } = plan;
  return {
    id,
    status: 'planned',
    ...body,
    approvalBoundary: { required: true, areas },
    planSha256: planHash,
    createdAt: createdAt.toISOString(),
  };
}

/** Reads the brief of a plan, together with those of the same moment. */
const briefNow = perContext((context: Context) =>
  lanes<Pick<Brief, 'id' | 'owner'>, Brief | null>(async (asked) => {
    const briefs = await readBriefs(
      context,
      asked.map(({ id }) => id),
    );
    return asked.map(({ id, owner }) => {
      const brief = briefs.get(id);
      return { status: 'fulfilled', value: brief?.owner === owner ? brief : null };
    });
  }),
);

/** The brief that is named, or a new one of what the plan itself says. */
async function briefOf(context: Context, owner: string, input: PlanInput, key: string | undefined): Promise<Brief> {
  const { briefId, prompt, mode } = input;
  if (briefId !== undefined && (prompt !== undefined || mode !== undefined)) {
    throw new AppError(
      'invalid_request',
      'expected either briefId, or prompt and mode, got both: a brief says both already.',
      {
        field: 'briefId',
      },
    );
  }
  if (briefId !== undefined) {
    const brief = await briefNow(context)({ id: briefId, owner });
    if (brief) return brief;
    throw new AppError('not_found', `briefId: expected the id of a brief of yours, got ${JSON.stringify(briefId)}.`, {
      field: 'briefId',
    });
  }
  if (prompt === undefined || mode === undefined)
    throw new AppError('invalid_request', 'expected either briefId, or both prompt and mode, got neither.', {
      field: 'body',
    });
  const { targetFormats } = input;
  const body = briefBody({ prompt, mode, ...(targetFormats && { targetFormats }) });
  const { brief } = await keepBrief(context, owner, body, key === undefined ? undefined : { key, of: 'plan' });
  return brief;
}

/** The health of all providers and their times as they are now: plans that are made meanwhile share one look. */
const healthNow = perContext((context: Context) => freshAnswer(() => healthOf(context)));
const timesNow = perContext((context: Context) => freshAnswer(() => recordedTimes(context, catalogueOf(context))));

/** The plan that a brief, a policy, the catalogue and the providers' health give: the same ones give the same plan. */
async function planBody(context: Context, stored: Brief, input: PlanInput): Promise<PlanBody> {
  const { brief } = stored;
  const { briefId, routePolicy, targetFormats, budgetUsd } = requestOf(stored, input);
  const catalogue = catalogueOf(context);
  const [health, times] = await Promise.all([healthNow(context)(), timesNow(context)()]);
  const formats = readFormats(targetFormats, brief.channels, readFilmScript(brief.prompt).seconds, brief.mode);
  const steps = shapeSteps(brief, formats).map((step) =>
    routed(step, routePolicy, times, (capability, request) =>
      routeFor({ catalogue, health, capability, request, policy: routePolicy }),
    ),
  );
  const highestCosts = steps.map(({ primary, backups }) =>
    Math.max(...[primary, ...backups].map((one) => one.estimatedCostUsd)),
  );
  const maximumCostUsd = sum(highestCosts);
  const { mode, prompt, title, channels } = brief;
  return {
    briefId,
    mode,
    title,
    prompt,
    targetFormats,
    channels: [...channels],
    routePolicy,
    steps,
    estimatedCostUsd: sum(steps.map(({ primary }) => primary.estimatedCostUsd)),
    maximumCostUsd,
    estimatedLatencyMs: longestPath(steps),
    budgetUsd,
    narrationSeconds: tenths(narrationSeconds(brief)),
    warnings: [...(await planWarnings({ brief, formats, steps, budgetUsd }))],
    health: Object.fromEntries([...health].map(([provider, { state }]) => [provider, state])),
    areas: [
      ...touchedByRender({
        mode,
        title,
        prompt,
        channels,
        capabilities: steps.map(({ capability }) => capability),
        providers: providersOf(steps),
        ceiling: microUsd(budgetUsd ?? maximumCostUsd),
      }),
    ],
  };
}

function routed(
  { step, capability, after, request }: ShapedStep,
  policy: RoutePolicy,
  times: RecordedTimes,
  route: (capability: MediaCapability, request: ShapedStep['request']) => Routing,
): PlanStep {
  const { primary, backups, leftOut } = route(capability as MediaCapability, request);
  if (!primary) {
    throw new AppError(
      'providers_exhausted',
      `No provider can do ${capability} by the policy ${policy}: ${leftOut.map(({ provider, reason }) => `${provider}: ${reason}`).join('; ') || 'none has it'}.`,
      { capability, providers: leftOut },
    );
  }
  const shown = (one: Route) => shownRoute(one, times(one.provider, capability));
  return { step, capability, after: [...after], request, primary: shown(primary), backups: backups.map(shown) };
}

function shownRoute({ provider, model, cost, latencyMs, score, scores }: Route, pace: number | undefined): Routed {
  return {
    provider,
    model,
    estimatedCostUsd: cost / 1e6,
    estimatedLatencyMs: Math.ceil(latencyMs * (pace ?? 1)),
    latencyFrom: pace === undefined ? 'catalogue' : 'recorded',
    score,
    scores: { ...scores },
  };
}

function longestPath(steps: readonly PlanStep[]): number {
  const ends = new Map<string, number>();
  for (const { step, after, primary } of steps)
    ends.set(step, Math.max(0, ...after.map((name) => ends.get(name) ?? 0)) + primary.estimatedLatencyMs);
  return Math.max(0, ...ends.values());
}

function tenths(seconds: number | null): number | null {
  return seconds && Math.round(seconds * 10) / 10;
}

/** Dollars without the noise of binary fractions. */
function sum(dollars: readonly number[]): number {
  return dollars.reduce((total, one) => total + Math.round(one * 1e6), 0) / 1e6;
}
