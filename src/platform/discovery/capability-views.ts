import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import type { MediaCapability } from '#queues/providers.ts';
import { ScopeOrNull } from '#src/access/scope-schema.ts';
import type { ListedRoute } from '#src/http/documents/route-list.ts';
import { routeMethods } from '#src/http/documents/route-list.ts';
import { AppError } from '#src/lib/errors.ts';
import { platformPath } from '#src/platform/edge/platform-plugin.ts';
import { catalogueOf } from '#src/providers/catalogue/catalogue-load.ts';
import { healthFor, healthOf, type ProviderHealth } from '#src/providers/routing/health.ts';
import { healthView, offerView } from '#src/providers/routing/provider-view.ts';
import { policyWeights, routePolicies } from '#src/providers/routing/routing.ts';
import type { Context } from '#src/system/context.ts';
import { type CapabilitySlug, capabilitySlugs, capabilityTable, type FamilyName, familyNames } from './families.ts';
import { inputSchemaOf } from './input-schemas.ts';

const figures = (description: string) => Type.Record(Type.String(), Type.Number(), { description });

export const HealthView = Type.Object(
  {
    state: Type.Enum(['healthy', 'degraded', 'unhealthy'], {
      type: 'string',
      description: 'An unhealthy provider is not called',
    }),
    circuit: Type.Enum(['closed', 'open', 'half_open'], {
      type: 'string',
      description:
        'Its circuit breaker, as all processes share it; open after failures in a row. Each capability has its own: for a whole provider the value is that of the circuit furthest open',
    }),
    reason: Type.String({ description: 'Why, in a sentence' }),
  },
  { title: 'ProviderHealth', description: 'Current health of a provider' },
);

/** A provider's offer of one capability. */
export const Offering = Type.Object(
  {
    model: Type.String({ description: 'In the provider’s own words' }),
    available: Type.Boolean({ description: 'True where it can be called now' }),
    unavailable_because: Type.Union([Type.String(), Type.Null()], { description: 'Why it cannot; null where it can' }),
    price_usd: figures('US dollars by unit: `per_call`, `per_second`, `per_image`, `per_million_input`, …'),
    latency_ms: Type.Object(
      { base: Type.Number(), per_second: Type.Number({ description: 'For each second of film or sound' }) },
      { description: 'Cost and time of a usual call' },
    ),
    quality: Type.Number({ minimum: 0, maximum: 1, description: 'In the operator’s judgement' }),
    limits: figures('Most `seconds` or `characters` at once'),
  },
  { title: 'CapabilityOffering', description: 'A provider’s offer of a capability' },
);

const RouteOf = Type.Object({
  method: Type.Enum([...routeMethods], { type: 'string' }),
  path: Type.String(),
  purpose: Type.String({ description: 'Purpose, in a line' }),
  scope: ScopeOrNull('Scope that a key must have'),
  openai: Type.Boolean({ description: 'True for a route for clients of OpenAI’s kind' }),
});

/** A capability in a list. */
export const CapabilitySummary = Type.Object(
  {
    slug: Type.Enum([...capabilitySlugs], { type: 'string' }),
    title: Type.String(),
    description: Type.String(),
    family: Type.Enum([...familyNames], { type: 'string' }),
    status: Type.Enum(['available', 'unavailable'], {
      type: 'string',
      description: 'Says whether a provider can be called for it now',
    }),
    routes: Type.Array(RouteOf, {
      description: 'Routes of it that this process serves; none where only the studio uses it',
    }),
    providers: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          title: Type.String(),
          health: HealthView,
          ...Offering.properties,
        },
        { title: 'CapabilityProvider' },
      ),
      { description: 'Providers that offer it, in the order of the catalogue' },
    ),
  },
  { title: 'CapabilitySummary' },
);
export type CapabilitySummary = Static<typeof CapabilitySummary>;

/** A capability by itself. */
export const CapabilityDescriptor = Type.Object(
  {
    ...CapabilitySummary.properties,
    routes: Type.Array(
      Type.Object({
        ...RouteOf.properties,
        input_schema: Type.Unsafe<Readonly<Record<string, unknown>> | null>({
          type: ['object', 'null'],
          additionalProperties: true,
          description: 'JSON Schema of the body, with all that it refers to',
        }),
      }),
    ),
    policies: Type.Array(
      Type.Object({
        name: Type.Enum([...routePolicies], { type: 'string' }),
        default: Type.Boolean(),
        weights: figures('Weight of each score; they sum to 1'),
      }),
      { description: 'Policies for choosing providers: `routing.policy` of a request' },
    ),
  },
  { title: 'CapabilityDescriptor' },
);
export type CapabilityDescriptor = Static<typeof CapabilityDescriptor>;

/** Every capability with its routes and providers, in the order of the families' table. */
export async function capabilitySummaries(app: FastifyInstance, context: Context): Promise<CapabilitySummary[]> {
  const health = await healthOf(context);
  return capabilitySlugs.map((slug) => summaryOf(app, context, slug, health));
}

/** @throws AppError `not_found` for what is none. */
export async function capabilityDescriptor(
  app: FastifyInstance,
  context: Context,
  slug: string,
): Promise<CapabilityDescriptor> {
  const known = capabilitySlugs.find((one) => one === slug);
  if (!known) {
    const message = `expected a capability (${capabilitySlugs.join(', ')}), got ${JSON.stringify(slug.slice(0, 100))}.`;
    throw new AppError('not_found', message, { field: 'path.slug', value: slug.slice(0, 100) });
  }
  const summary = summaryOf(app, context, known, await healthOf(context));
  return {
    ...summary,
    routes: summary.routes.map((route) => ({ ...route, input_schema: inputSchemaOf(app, route.method, route.path) })),
    policies: routePolicies.map((name) => ({
      name,
      default: name === 'balanced',
      weights: { ...policyWeights[name] },
    })),
  };
}

function summaryOf(
  app: FastifyInstance,
  context: Context,
  slug: CapabilitySlug,
  health: ReadonlyMap<string, ProviderHealth>,
): CapabilitySummary {
  const { title, description, family, paths } = capabilityTable[slug];
  const routes = routesAt(app.routeList, paths);
  const providers = slug === 'orchestrate.run' ? [] : providersOf(context, slug, health);
  const isAvailable = slug === 'orchestrate.run' ? routes.length > 0 : providers.some(({ available }) => available);
  return { slug, title, description, family, status: isAvailable ? 'available' : 'unavailable', routes, providers };
}

function routesAt(list: readonly ListedRoute[], paths: readonly string[]): CapabilitySummary['routes'] {
  return paths.flatMap((path) =>
    list
      .filter((route) => route.method === 'POST' && route.path === platformPath + path)
      .map((route) => ({
        method: route.method,
        path: route.path,
        purpose: route.purpose,
        scope: route.scope,
        openai: route.tags.includes('openai'),
      })),
  );
}

function providersOf(context: Context, capability: MediaCapability, health: ReadonlyMap<string, ProviderHealth>) {
  return catalogueOf(context)
    .filter(({ capabilities }) => capabilities[capability] !== undefined)
    .map((provider) => {
      const state = health.get(provider.id);
      const offering = offeringOf(offerView(provider, capability, state));
      return { id: provider.id, title: provider.title, health: healthView(healthFor(state, capability)), ...offering };
    });
}

/** An offer in the words of the platform's answers. */
export function offeringOf(offer: ReturnType<typeof offerView>): Static<typeof Offering> {
  const { model, available, unavailableBecause, priceUsd, latencyMs, quality, limits } = offer;
  return {
    model,
    available,
    unavailable_because: unavailableBecause,
    price_usd: snake(priceUsd),
    latency_ms: { base: latencyMs.base, per_second: latencyMs.perSecond },
    quality,
    limits: snake(limits),
  };
}

function snake(named: Readonly<Record<string, number>>): Record<string, number> {
  const worded = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(named).map(([name, value]) => [worded(name), value]));
}

/** Capabilities of each family, by their slugs. */
export function slugsOf(family: FamilyName): CapabilitySlug[] {
  return capabilitySlugs.filter((slug) => capabilityTable[slug].family === family);
}
