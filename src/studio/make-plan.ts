import { hash, randomUUIDv7 } from 'node:crypto';
import type { MediaCapability } from '#queues/providers.ts';
import { approvalView } from '#src/governance/approvals/approval-view.ts';
import { requestApproval } from '#src/governance/approvals/request-approval.ts';
import { microUsd } from '#src/governance/money.ts';
import { publishOwnerEvents, tellOwner } from '#src/governance/owner-log.ts';
import { canonicalText } from '#src/lib/canonical-json.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Principal } from '#src/lib/principal.ts';
import { catalogueOf } from '#src/providers/catalogue-load.ts';
import { healthOf } from '#src/providers/health.ts';
import { type Route, type Routing, routeFor } from '#src/providers/routing.ts';
import type { Context } from '#src/system/context.ts';
import type { PlanBody, PlanStep, Routed } from './bodies.ts';
import { callerName } from './caller-name.ts';
import { briefBody, keepBrief, unreadFormats } from './create-brief.ts';
import { touchedByRender } from './domain/boundary.ts';
import { readFormats } from './domain/formats.ts';
import { type ShapedStep, shapeSteps } from './domain/shape-steps.ts';
import type { RoutePolicy } from './domain/words.ts';
import type { Outcome } from './envelope.ts';
import type { PlanInput } from './inputs.ts';
import { providersOf } from './plan-providers.ts';
import { renderEffect } from './render-effect.ts';
import { type Brief, insertPlan, type Plan, readBrief } from './store.ts';

/** The tool `studio_plan`: a costed route through providers, and the approval that rendering it needs. */
export async function createPlan(context: Context, principal: Principal, input: PlanInput): Promise<Outcome> {
  const brief = await briefOf(context, principal.owner, input);
  const body = await planBody(context, brief, input);
  const planHash = hash('sha256', canonicalText(body), 'hex');
  const id = randomUUIDv7();
  const { owner } = principal;
  const { plan, approval, events } = await context.db.transaction(async (tx) => {
    const kept = await insertPlan(tx, { id, owner, briefId: brief.id, plan: body, planHash });
    const created = await tellOwner(tx, owner, 'plan.created', {
      plan: id,
      brief: brief.id,
      estimatedCostUsd: body.estimatedCostUsd,
    });
    const asked = await requestApproval(tx, {
      owner,
      kind: 'render',
      subject: id,
      effect: renderEffect(kept, ceilingOf(body)),
      areas: body.areas,
      requestedBy: callerName(principal),
      ttlS: context.config.APPROVAL_TTL_S,
    });
    return { plan: kept, approval: asked.approval, events: [created, ...asked.events] };
  });
  await publishOwnerEvents(context, owner, events);
  const exceeded = isExceeded(body);
  return {
    output: { plan: planView(plan), budgetExceeded: exceeded, approval: approvalView(context, approval) },
    warnings: [
      ...unreadFormats(readFormats(body.targetFormats, body.channels).unread),
      ...(exceeded
        ? [
            `The plan is estimated at ${body.estimatedCostUsd} dollars, which is more than the budget of ${body.budgetUsd}: rendering it will stop at the budget.`,
          ]
        : []),
    ],
    resources: [`studio://plans/${id}`, 'studio://providers/catalog', 'studio://governance/policy'],
  };
}

/** What may be spent on it unless the render says otherwise, in millionths of a dollar. */
export function ceilingOf({ budgetUsd, maximumCostUsd }: PlanBody): number {
  return microUsd(budgetUsd ?? maximumCostUsd);
}

export function isExceeded({ budgetUsd, estimatedCostUsd }: PlanBody): boolean {
  return budgetUsd !== null && estimatedCostUsd > budgetUsd;
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

/** The brief that is named, or a new one of what the plan itself says. */
async function briefOf(context: Context, owner: string, input: PlanInput): Promise<Brief> {
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
    const brief = await readBrief(context, briefId, owner);
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
  return await keepBrief(context, owner, briefBody({ prompt, mode, ...(targetFormats && { targetFormats }) }));
}

/** The plan that a brief, a policy, the catalogue and the providers' health give: the same ones give the same plan. */
async function planBody(context: Context, { id, brief }: Brief, input: PlanInput): Promise<PlanBody> {
  const { routePolicy = 'balanced', budgetUsd = null } = input;
  const targetFormats = input.targetFormats ?? [...brief.targetFormats];
  const catalogue = catalogueOf(context);
  const health = await healthOf(context);
  const shaped = shapeSteps(brief, readFormats(targetFormats, brief.channels));
  const steps = shaped.map((step) =>
    routed(step, routePolicy, (capability, request) =>
      routeFor({ catalogue, health, capability, request, policy: routePolicy }),
    ),
  );
  const dearest = steps.map(({ primary, backups }) =>
    Math.max(...[primary, ...backups].map((one) => one.estimatedCostUsd)),
  );
  const maximumCostUsd = sum(dearest);
  const { mode, prompt, title, channels } = brief;
  return {
    briefId: id,
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
    health: Object.fromEntries([...health].map(([provider, { state }]) => [provider, state])),
    areas: [
      ...touchedByRender({
        mode,
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
  return { step, capability, after: [...after], request, primary: shown(primary), backups: backups.map(shown) };
}

function shown({ provider, model, cost, latencyMs, score, scores }: Route): Routed {
  return {
    provider,
    model,
    estimatedCostUsd: cost / 1e6,
    estimatedLatencyMs: Math.ceil(latencyMs),
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

/** Dollars without the noise of binary fractions. */
function sum(dollars: readonly number[]): number {
  return dollars.reduce((total, one) => total + Math.round(one * 1e6), 0) / 1e6;
}
