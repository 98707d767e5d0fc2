import { randomUUID } from 'node:crypto';
import type { GenerationRequest, MediaCapability } from '#queues/providers.ts';
import { openBudget } from '#src/governance/budgets/budgets.ts';
import { AppError } from '#src/lib/errors.ts';
import { microUsd } from '#src/lib/money.ts';
import type { Principal } from '#src/lib/principal.ts';
import { retryAfter } from '#src/platform/edge/retry-after.ts';
import { recentCircuit } from '#src/providers/calls/admission.ts';
import type { Provider } from '#src/providers/catalogue/catalogue.ts';
import { catalogueOf } from '#src/providers/catalogue/catalogue-load.ts';
import { healthFor, healthOf } from '#src/providers/routing/health.ts';
import { type Route, routeFor } from '#src/providers/routing/routing.ts';
import type { Context } from '#src/system/context.ts';
import type { Common } from './common-members.ts';
import type { MediaPayload } from './media-work.ts';

/** Most providers of a job's route. */
const MOST_LEGS = 16;

/** Something to be made, and how a body says that its provider is chosen. */
export interface Wanted {
  readonly capability: MediaCapability;
  /** Its inputs as the body gives them, where `take` brings them in. */
  readonly request: GenerationRequest;
  /**
   * Brings the inputs in, once it is known that a provider can be called: nothing is stored for a request that is
   * refused.
   */
  readonly take?: () => Promise<GenerationRequest['inputs']>;
  /**
   * Returns the reason why a provider cannot do this job in particular, beside the reasons checked for all; null where
   * it can.
   */
  readonly whyNot?: (provider: Provider) => string | null;
  /** Name of the assets within their job. */
  readonly name: string;
  readonly body: Common;
}

/**
 * Builds the payload of a media job: the providers that can make it, best first, each with its quote.
 *
 * @throws AppError `providers_exhausted` with each provider's reason where none can be called, `invalid_request` for
 *   a model that no provider offers, `unavailable` while calls of providers are switched off.
 */
export async function chooseRoute(
  context: Context,
  { keyId }: Pick<Principal, 'keyId'>,
  { capability, request, take, whyNot: own = () => null, name, body }: Wanted,
): Promise<MediaPayload> {
  if (context.config.PROVIDER_CALLS === 'off')
    throw new AppError('unavailable', 'Calls of providers are switched off here (PROVIDER_CALLS), so nothing is made.');
  const { policy = 'balanced', fallback = true, max_cost_usd: maxUsd } = body.routing ?? {};
  const judged = catalogueOf(context).map((provider) => ({
    provider,
    reason: whyNot(provider, capability, body) ?? own(provider),
  }));
  assertModel(
    judged.map(({ provider }) => provider),
    capability,
    body.model,
  );
  const catalogue = judged.flatMap(({ provider, reason }) => (reason === null ? [provider] : []));
  const health = await healthOf(context, catalogue, [capability], recentCircuit);
  const { primary, backups, leftOut } = routeFor({ catalogue, health, capability, request, policy });
  const routes = primary ? [primary, ...backups] : [];
  const payable = routes.filter(({ cost }) => maxUsd === undefined || cost <= microUsd(maxUsd));
  if (payable.length === 0)
    throw exhausted(
      capability,
      [
        ...judged.flatMap(({ provider: { id }, reason }) => (reason === null ? [] : [{ provider: id, reason }])),
        ...leftOut,
        ...routes.map((route) => ({ provider: route.provider, reason: tooExpensive(route, maxUsd) })),
      ],
      leftOut.map(({ provider }) => healthFor(health.get(provider), capability)?.waitMs),
    );
  const inputs = await take?.();
  return {
    capability,
    request: inputs ? { ...request, inputs } : request,
    route: payable.slice(0, fallback ? MOST_LEGS : 1).map(({ provider, cost }) => ({ provider, quoted: cost })),
    budgets: maxUsd === undefined ? [] : [await openCeiling(context, microUsd(maxUsd))],
    surface: 'platform',
    keyId,
    name,
  };
}

/** Opens a budget for one job: the providers that are called one after the other may not cost more together. */
async function openCeiling({ db }: Context, ceiling: number): Promise<string> {
  const id = `platform:${randomUUID()}`;
  await openBudget(db, id, ceiling);
  return id;
}

/** Why a provider is not in question, whatever its health; null where it is. */
function whyNot(provider: Provider, capability: MediaCapability, { model, routing = {} }: Common): string | null {
  if (provider.capabilities[capability] === undefined) return `it does not offer ${capability}`;
  if (routing.providers && !routing.providers.includes(provider.id)) return 'it is not among routing.providers';
  if (routing.exclude?.includes(provider.id)) return 'routing.exclude names it';
  return isModelOf(provider, capability, model) ? null : `its model is another than ${model}`;
}

function isModelOf({ id, capabilities }: Provider, capability: MediaCapability, model = 'auto'): boolean {
  const offered = capabilities[capability]?.model;
  return (
    offered !== undefined &&
    (model === 'auto' || model === offered || model === `${id}/${offered}` || model === `${id}/auto`)
  );
}

function assertModel(catalogue: readonly Provider[], capability: MediaCapability, model?: string): void {
  const offering = catalogue.filter((provider) => provider.capabilities[capability] !== undefined);
  if (offering.length === 0 || offering.some((provider) => isModelOf(provider, capability, model))) return;
  const known = offering.map(({ id, capabilities }) => `${id}/${capabilities[capability]?.model}`);
  throw new AppError(
    'invalid_request',
    `body.model: expected auto or a model that offers ${capability} (${known.slice(0, 20).join(', ')}), got ${JSON.stringify(model)}.`,
    { field: 'body.model', value: model },
  );
}

function tooExpensive({ cost }: Route, maxUsd: number | undefined): string {
  return `it is quoted at ${cost / 1e6} dollars, and routing.max_cost_usd is ${maxUsd}`;
}

function exhausted(
  capability: MediaCapability,
  providers: readonly { provider: string; reason: string }[],
  waitsMs: readonly (number | undefined)[],
): AppError {
  const reasons = providers.map(({ provider, reason }) => `${provider} (${reason})`).join(', ');
  return new AppError(
    'providers_exhausted',
    `expected a provider that can be called for ${capability}, got none: ${reasons}.`,
    { providers, ...retryAfter(waitsMs) },
  );
}
