import { Type } from 'typebox';
import type { Payload } from '#queues/define.ts';
import { aspects, type GenerationRequest, type generate } from '#queues/providers.ts';
import { openBudget } from '#src/governance/budgets/budgets.ts';
import type { Mission } from '#src/governance/missions/mission-row.ts';
import type { PlanStep, RouteLeg, Sensitivity } from '#src/governance/missions/plan.ts';
import { AppError } from '#src/lib/errors.ts';
import { microUsd } from '#src/lib/money.ts';
import { catalogueOf } from '#src/providers/catalogue/catalogue-load.ts';
import { healthOf } from '#src/providers/routing/health.ts';
import { type RoutePolicy, routeFor } from '#src/providers/routing/routing.ts';
import type { Config } from '#src/system/config/config-type.ts';
import type { Context } from '#src/system/context.ts';

/** Capabilities that a mission can have made: each from words alone. */
const made = ['image.generate', 'tts.synthesize', 'music.generate', 'video.generate'] as const;
/** Most providers of a job's route. */
const MOST_LEGS = 16;

/** Input of `media.generate`. */
export const mediaInput = {
  capability: Type.Enum([...made], { type: 'string', description: 'What is made: picture, speech, music or film' }),
  prompt: Type.String({
    minLength: 1,
    maxLength: 32_000,
    description: 'What it shows or plays; for speech, the words that are spoken',
  }),
  aspect: Type.Optional(Type.Enum([...aspects], { type: 'string', description: 'Width to height' })),
  seconds: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 300, description: 'Of film, speech or music' })),
  resolution: Type.Optional(
    Type.Integer({ minimum: 64, maximum: 4_320, description: 'Pixels of the short side: 720 is 1280 × 720 at 16:9' }),
  ),
};
type MediaInput = Pick<GenerationRequest, 'prompt' | 'aspect' | 'seconds' | 'resolution'> & {
  readonly capability: (typeof made)[number];
};
/** As it is done: the route is part of what a human approves. */
type MediaEffect = MediaInput & { readonly route: readonly RouteLeg[] };

/** Returns the sensitivity of a generation: a voice may be taken for a real person's; everything made costs. */
export function mediaSensitivity({ capability }: Readonly<Record<string, unknown>>): Sensitivity {
  return capability === 'tts.synthesize' ? 'likeness' : 'spend';
}

/** Why nothing is made here now; null where it may be. */
export function mediaFault({ PROVIDER_CALLS }: Pick<Config, 'PROVIDER_CALLS'>): AppError | null {
  if (PROVIDER_CALLS === 'on') return null;
  return new AppError('unavailable', 'Calls of providers are switched off here (PROVIDER_CALLS), so nothing is made.');
}

interface MediaWanted {
  readonly step: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Millionths of a dollar; null for no bound. */
  readonly budget: number | null;
  readonly policy: RoutePolicy;
}

/**
 * Returns the providers to call, best first, each with its quote: those that the budget can pay, where there are any.
 *
 * @throws AppError `unplannable` where no provider can do it, with the reasons.
 */
export async function mediaRoute(
  context: Context,
  { step, input, budget, policy }: MediaWanted,
): Promise<[RouteLeg, ...RouteLeg[]]> {
  const { capability, ...request } = input as unknown as MediaInput;
  const catalogue = catalogueOf(context);
  const health = await healthOf(context, catalogue, [capability]);
  const { primary, backups, leftOut } = routeFor({ catalogue, health, capability, request, policy });
  const routes = primary ? [primary, ...backups] : [];
  const payable = routes.filter(({ cost }) => budget === null || cost <= budget);
  const [first, ...others] = (payable.length > 0 ? payable : routes)
    .slice(0, MOST_LEGS)
    .map(({ provider, model, cost }): RouteLeg => ({ provider, model, quotedUsd: cost / 1e6 }));
  if (first) return [first, ...others];
  const why = leftOut.map(({ provider, reason }) => `${provider}: ${reason}`).join('; ');
  const fault = `${step}: expected a provider for ${capability}, got none (${why || 'none of the catalogue offers it'})`;
  throw new AppError('unplannable', `expected a plan that can run, got: ${fault}.`, { faults: [fault] });
}

/** Returns the payload of a step's job. */
export function mediaPayload(step: {
  readonly missionId: string;
  readonly step: string;
  readonly input: Readonly<Record<string, unknown>>;
}): Payload<typeof generate> {
  const { capability, route, ...request } = step.input as unknown as MediaEffect;
  return {
    capability,
    request,
    route: route.map(({ provider, quotedUsd }) => ({ provider, quoted: microUsd(quotedUsd) })),
    budgets: [budgetOf(step.missionId)],
    surface: 'missions',
    keyId: null,
    name: step.step,
  };
}

const budgetOf = (missionId: string): string => `mission:${missionId}`;

/**
 * Opens the budget that a mission's providers are paid under: what its own budget leaves beside the steps that cost
 * what they are estimated at. A mission without one has no bound here either.
 */
export async function openMissionBudget({ db }: Pick<Context, 'db'>, { id, budget, plan }: Mission): Promise<void> {
  const others = plan.steps
    .filter(({ route }: PlanStep) => route === undefined)
    .reduce((sum, { costUsd }) => sum + microUsd(costUsd), 0);
  await openBudget(db, budgetOf(id), budget === null ? null : Math.max(0, budget - others));
}
