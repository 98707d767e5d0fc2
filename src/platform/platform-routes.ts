import type { FastifyInstance } from 'fastify';
import type { Hub } from '#src/http/hub.ts';
import type { Context } from '#src/system/context.ts';
import { discoveryRoutes } from './discovery-routes.ts';
import { personaRoutes } from './persona-routes.ts';
import { platformScope } from './platform-plugin.ts';

/** Everything that the platform serves. */
export async function platformRoutes(app: FastifyInstance, edge: { context: Context; hub: Hub }): Promise<void> {
  await platformScope(app, async (scope) => {
    await scope.register(discoveryRoutes, edge);
    await scope.register(personaRoutes, edge);
  });
}
