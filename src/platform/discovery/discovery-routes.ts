import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { baseOf } from '#src/http/request/base-url.ts';
import { catalogueOf } from '#src/providers/catalogue/catalogue-load.ts';
import type { Context } from '#src/system/context.ts';
import { Contract, platformContractOf } from './contract.ts';
import { PlatformHealth, platformHealth } from './health.ts';
import { Integrations, integrationsOf, type MachineOffer } from './integrations.ts';
import { modelsOf } from './models.ts';

const config = { access: 'public', anyOrigin: true } as const;
const tags = ['platform'];

/** Describes the platform and its capabilities, for anybody. */
export const discoveryRoutes: FastifyPluginAsyncTypebox<{ context: Context; machines: MachineOffer }> = async (
  app,
  { context, machines },
) => {
  const base = (request: FastifyRequest) => baseOf(request, context.config, 'platform');

  app.get(
    '',
    {
      config,
      schema: {
        tags,
        summary: 'Read the contract: routes, addresses, how to call',
        operationId: 'readContract',
        response: { 200: Contract },
      },
    },
    async (request) =>
      platformContractOf(app.routeList, { platform: base(request), studio: baseOf(request, context.config, 'studio') }),
  );

  app.get(
    '/health',
    {
      config,
      schema: {
        tags,
        summary: 'Health of the platform: its queue, and its providers by capability',
        operationId: 'readPlatformHealth',
        response: { 200: PlatformHealth, 503: PlatformHealth },
      },
    },
    async (_request, reply) => {
      const health = await platformHealth(context)();
      return await reply.code(health.status === 'unavailable' ? 503 : 200).send(health);
    },
  );

  app.get(
    '/integrations/catalog',
    {
      config,
      schema: {
        tags,
        summary: 'Everything that other programs can call: routes, tools, resources',
        description: 'Integrations of all surfaces that this process serves.',
        operationId: 'readIntegrations',
        response: { 200: Integrations },
      },
    },
    async (request) => {
      const catalogue = catalogueOf(context);
      return integrationsOf({
        routes: app.routeList,
        machines,
        config: context.config,
        base: base(request),
        providers: catalogue.length,
        models: modelsOf(catalogue).length,
      });
    },
  );
};
