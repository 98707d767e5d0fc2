import type { FastifyInstance } from 'fastify';
import type { Hub } from '#src/http/hub.ts';
import type { Context } from '#src/system/context.ts';
import { batchRoutes } from './batches/batch-routes.ts';
import { discoveryRoutes } from './discovery-routes.ts';
import { fileRoutes } from './files/file-routes.ts';
import { Pending } from './lifecycle.ts';
import { mediaRoutes } from './media/media-routes.ts';
import { platformScope } from './platform-plugin.ts';
import { webhookRoutes } from './webhooks/webhook-routes.ts';

/** Everything that the platform serves. */
export async function platformRoutes(app: FastifyInstance, edge: { context: Context; hub: Hub }): Promise<void> {
  app.addSchema(Pending);
  await platformScope(app, async (scope) => {
    await scope.register(discoveryRoutes, edge);
    await scope.register(mediaRoutes, edge);
    await scope.register(webhookRoutes, edge);
    await scope.register(fileRoutes, edge);
    await scope.register(batchRoutes, edge);
  });
}
