import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { MediaCapability } from '#queues/providers.ts';
import { providerStyles } from '#src/providers/catalogue/catalogue.ts';
import { catalogueOf } from '#src/providers/catalogue/catalogue-load.ts';
import { healthOf } from '#src/providers/routing/health.ts';
import { healthView, offerView } from '#src/providers/routing/provider-view.ts';
import type { Context } from '#src/system/context.ts';
import {
  CapabilityDescriptor,
  CapabilitySummary,
  capabilityDescriptor,
  capabilitySummaries,
  HealthView,
  Offering,
  offeringOf,
  slugsOf,
} from './capability-views.ts';
import { families, familyNames } from './families.ts';
import { Model, modelOf, modelsOf } from './models.ts';

const config = { access: 'public', anyOrigin: true } as const;
const tags = ['platform'];
const listOf = <T extends Type.TSchema>(item: T) =>
  Type.Object({ object: Type.Literal('list'), data: Type.Array(item) });
const list = <T>(data: readonly T[]) => ({ object: 'list' as const, data: [...data] });

const ProviderView = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    style: Type.Enum([...providerStyles], { type: 'string', description: 'Protocol of the provider' }),
    health: HealthView,
    concurrency: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Calls at once; null where it has no limit',
    }),
    capabilities: Type.Array(Type.Object({ slug: Type.String(), ...Offering.properties })),
  },
  { title: 'PlatformProvider' },
);

/** Lists what can be made, by which provider and at what price: for anybody. */
export const capabilityRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.get(
    '/capabilities',
    {
      config,
      schema: {
        tags,
        summary: 'List capabilities',
        description: 'Each with its routes, and the providers that have it: price, latency, health.',
        operationId: 'listPlatformCapabilities',
        response: { 200: listOf(CapabilitySummary) },
      },
    },
    async () => list(await capabilitySummaries(app, context)),
  );

  app.get(
    '/capabilities/:slug',
    {
      config,
      schema: {
        tags,
        summary: 'Read a capability: routes, input, providers, policies',
        operationId: 'readPlatformCapability',
        params: Type.Object({ slug: Type.String({ description: 'Such as `image.generate`' }) }),
        response: { 200: CapabilityDescriptor },
      },
    },
    async (request) => await capabilityDescriptor(app, context, request.params.slug),
  );

  app.get(
    '/families',
    {
      config,
      schema: {
        tags,
        summary: 'List families of intents',
        description: 'Families of what clients may want, and the capabilities of each.',
        operationId: 'listFamilies',
        response: {
          200: listOf(
            Type.Object({
              id: Type.Enum([...familyNames], { type: 'string' }),
              title: Type.String(),
              description: Type.String(),
              status: CapabilitySummary.properties.status,
              capabilities: Type.Array(Type.String({ description: 'A slug' })),
            }),
          ),
        },
      },
    },
    async () => {
      const available = (await capabilitySummaries(app, context))
        .filter(({ status }) => status === 'available')
        .map(({ slug }) => slug);
      return list(
        familyNames.map((id) => {
          const capabilities = slugsOf(id);
          const isAvailable = capabilities.some((slug) => available.includes(slug));
          return { id, ...families[id], status: isAvailable ? 'available' : 'unavailable', capabilities } as const;
        }),
      );
    },
  );

  app.get(
    '/providers',
    {
      config,
      schema: {
        tags,
        summary: 'List providers',
        description:
          'The providers of the catalogue, in its order, with their health and circuit; never their credentials.',
        operationId: 'listProviders',
        response: { 200: listOf(ProviderView) },
      },
    },
    async () => {
      const health = await healthOf(context);
      return list(
        catalogueOf(context).map((provider) => {
          const { id, title, style, concurrency = null, capabilities } = provider;
          const state = health.get(id);
          return {
            id,
            title,
            style,
            health: healthView(state),
            concurrency,
            capabilities: (Object.keys(capabilities) as MediaCapability[]).map((slug) => ({
              slug,
              ...offeringOf(offerView(provider, slug, state)),
            })),
          };
        }),
      );
    },
  );

  app.get(
    '/models',
    {
      config,
      schema: {
        tags: ['openai'],
        summary: 'List models',
        operationId: 'listModels',
        response: { 200: listOf(Model) },
      },
    },
    async () => list(modelsOf(catalogueOf(context))),
  );

  app.get(
    '/models/:id',
    {
      config,
      schema: {
        tags: ['openai'],
        summary: 'Read a model',
        operationId: 'readModel',
        params: Type.Object({ id: Type.String({ description: 'Id as listed; its slashes may be escaped or not' }) }),
        response: { 200: Model },
      },
    },
    async (request) => modelOf(catalogueOf(context), request.params.id),
  );

  // ids have slashes, and not every client escapes them
  app.get(
    '/models/*',
    { config, schema: { hide: true, params: Type.Object({ '*': Type.String() }) } },
    async (request) => modelOf(catalogueOf(context), request.params['*']),
  );
};
