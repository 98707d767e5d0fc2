import { microUsdText } from '#src/governance/budgets/budget-rows.ts';
import { AppError } from '#src/lib/errors.ts';
import { retryAfter } from '#src/platform/edge/retry-after.ts';
import { recentCircuit } from '#src/providers/calls/admission.ts';
import type { Offered, Provider } from '#src/providers/catalogue/catalogue.ts';
import { catalogueOf } from '#src/providers/catalogue/catalogue-load.ts';
import { healthFor, healthOf, type ProviderHealth } from '#src/providers/routing/health.ts';
import { assumed, offerOf } from '#src/providers/routing/quote.ts';
import { type Route, routeFor } from '#src/providers/routing/routing.ts';
import type { TextRequest } from '#src/providers/text/text.ts';
import type { Context } from '#src/system/context.ts';
import type { TextWork } from './text-work.ts';

/** One provider of a turn's route. */
export interface TextLeg {
  readonly provider: Provider;
  readonly offered: Offered;
  /** Most tokens that it may write. */
  readonly maxTokens: number;
  /** Millionths of a dollar. */
  readonly quoted: number;
  /** Time when its circuit was seen closed, by `performance.now()`; null where it was not. */
  readonly closedAt: number | null;
}

/** Reason why a provider was skipped or failed. */
export interface SkippedProvider {
  readonly provider: string;
  readonly reason: string;
  /** Milliseconds until it may be called again, where that is known. */
  readonly waitMs?: number;
}

/**
 * Lists the providers of a turn in the order in which they are called, at least one.
 *
 * @throws AppError `providers_exhausted` with the reason of each, `not_found` for a model that no provider offers.
 */
export async function routeText(context: Context, { request, model, routing }: TextWork): Promise<readonly TextLeg[]> {
  const offering = catalogueOf(context).filter(({ capabilities }) => capabilities['text.generate'] !== undefined);
  if (offering.length === 0) throw exhausted([]);
  const named = offering.filter((provider) => isNamed(provider, model));
  if (named.length === 0) {
    throw new AppError(
      'not_found',
      `expected a model that a provider offers, or none for whichever suits, got ${JSON.stringify(model?.slice(0, 200))}.`,
      { field: 'body.model' },
    );
  }
  const { providers, exclude = [], maxCost = Number.POSITIVE_INFINITY, policy } = routing;
  const isWanted = ({ id }: Provider) => !exclude.includes(id) && (providers?.includes(id) ?? true);
  const wanted = named.filter(isWanted).map((provider) => boundTo(provider, request));
  const images = countImages(request);
  const health = await healthOf(context, wanted, ['text.generate'], recentCircuit);
  const seenAt = performance.now();
  const { primary, backups, leftOut } = routeFor({
    catalogue: wanted,
    health,
    capability: 'text.generate',
    request: { prompt: promptOf(request), ...(images > 0 && { inputs: { images: Array<string>(images).fill('') } }) },
    policy,
  });
  const routes = primary ? [primary, ...backups] : [];
  const affordable = routes.filter(({ cost }) => cost <= maxCost);
  if (affordable.length === 0)
    throw exhausted([
      ...unwanted(named, isWanted),
      ...leftOut.map((one) => waiting(one, health)),
      ...tooExpensive(routes, maxCost),
    ]);
  const closedAt = (id: string) => (health.get(id)?.circuit === 'closed' ? seenAt : null);
  const legs = affordable.map((route) => legOf(wanted, route, closedAt(route.provider)));
  return routing.fallback ? legs : legs.slice(0, 1);
}

/** @param providers each provider that could not do it, and why */
export function exhausted(providers: readonly SkippedProvider[]): AppError {
  const reasons = providers.map(({ provider, reason }) => `${provider} (${reason.replace(/\.$/, '')})`).join(', ');
  const got = providers.length === 0 ? 'none is configured (PROVIDERS_FILE)' : `got none: ${reasons}`;
  return new AppError('providers_exhausted', `expected a provider that can write text, ${got}.`, {
    providers: providers.map(({ provider, reason }) => ({ provider, reason })),
    ...retryAfter(providers.map(({ waitMs }) => waitMs)),
  });
}

function waiting(one: SkippedProvider, health: ReadonlyMap<string, ProviderHealth>): SkippedProvider {
  const waitMs = healthFor(health.get(one.provider), 'text.generate')?.waitMs;
  return { ...one, ...(waitMs !== undefined && { waitMs }) };
}

function isNamed({ id, capabilities }: Provider, model: string | null): boolean {
  const offered = capabilities['text.generate']?.model;
  return model === null || model === offered || model === `${id}/${offered}`;
}

/** The same provider, with the bound of this turn as the one of its offer, by which it is quoted. */
function boundTo(provider: Provider, request: TextRequest): Provider {
  const offered = offerOf(provider, 'text.generate');
  const own = offered.parameters?.['max_completion_tokens'];
  const bounds = [request.maxTokens, typeof own === 'number' ? own : undefined].filter((bound) => bound !== undefined);
  const most = bounds.length > 0 ? Math.min(...bounds) : assumed.chatOutputTokens;
  const parameters = { ...offered.parameters, max_completion_tokens: most };
  return { ...provider, capabilities: { ...provider.capabilities, 'text.generate': { ...offered, parameters } } };
}

function legOf(providers: readonly Provider[], { provider: id, cost }: Route, closedAt: number | null): TextLeg {
  const provider = providers.find((one) => one.id === id);
  if (!provider) throw new Error(`expected a provider of the route, got ${id}`);
  const offered = offerOf(provider, 'text.generate');
  return {
    provider,
    offered,
    maxTokens: Number(offered.parameters?.['max_completion_tokens']),
    quoted: cost,
    closedAt,
  };
}

function unwanted(named: readonly Provider[], isWanted: (provider: Provider) => boolean): SkippedProvider[] {
  return named
    .filter((provider) => !isWanted(provider))
    .map(({ id }) => ({ provider: id, reason: 'the request leaves it out' }));
}

function tooExpensive(routes: readonly Route[], most: number): SkippedProvider[] {
  return routes
    .filter(({ cost }) => cost > most)
    .map(({ provider, cost }) => ({
      provider,
      reason: `it is quoted at ${microUsdText(cost)}, above the ${microUsdText(most)} allowed`,
    }));
}

/** All that a provider reads and charges for, as text. */
export function promptOf({ messages, tools = [], format }: TextRequest): string {
  const said = messages.flatMap(({ content, toolCalls = [] }) => [
    ...(typeof content === 'string'
      ? [content]
      : (content ?? []).map((part) => (part.type === 'text' ? part.text : ''))),
    ...toolCalls.map(({ name, arguments: text }) => name + text),
  ]);
  return [
    ...said,
    ...(tools.length > 0 ? [JSON.stringify(tools)] : []),
    ...(format ? [JSON.stringify(format)] : []),
  ].join('\n');
}

export function countImages({ messages }: TextRequest): number {
  const parts = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  return parts.filter(({ type }) => type === 'image').length;
}
