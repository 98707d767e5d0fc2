import type { FastifyInstance } from 'fastify';
import type { Orchestrate } from '#src/governance/orchestration.ts';
import type { Hub } from '#src/http/hub.ts';
import type { Context } from '#src/system/context.ts';
import { batchRoutes } from './batches/batch-routes.ts';
import { capabilityRoutes } from './capability-routes.ts';
import { chatRoutes } from './chat/chat-routes.ts';
import { discoveryRoutes } from './discovery-routes.ts';
import { docsRoutes } from './docs-routes.ts';
import { fileRoutes } from './files/file-routes.ts';
import { type Governance, govRoutes } from './gov-routes.ts';
import type { MachineOffer } from './integrations.ts';
import { Pending } from './lifecycle.ts';
import { mediaRoutes } from './media/media-routes.ts';
import { videoRoutes } from './media/video-routes.ts';
import { orchestrateRoutes } from './orchestrate-routes.ts';
import { personaRoutes } from './persona-routes.ts';
import { platformScope } from './platform-plugin.ts';
import { responseRoutes } from './response-routes.ts';
import { webhookRoutes } from './webhooks/webhook-routes.ts';

interface PlatformParts {
  readonly context: Context;
  readonly hub: Hub;
  /** What machine clients are offered by this process. */
  readonly machines: MachineOffer;
  readonly governance: Governance;
  readonly orchestrate: Orchestrate;
}

/** Everything that the platform serves. */
export async function platformRoutes(app: FastifyInstance, edge: PlatformParts): Promise<void> {
  app.addSchema(Pending);
  await platformScope(app, async (scope) => {
    await scope.register(discoveryRoutes, edge);
    await scope.register(capabilityRoutes, edge);
    await scope.register(personaRoutes, edge);
    await scope.register(chatRoutes, edge);
    await scope.register(responseRoutes, edge);
    await scope.register(mediaRoutes, edge);
    await scope.register(videoRoutes, edge);
    await scope.register(fileRoutes, edge);
    await scope.register(batchRoutes, edge);
    await scope.register(webhookRoutes, edge);
    await scope.register(govRoutes, edge);
    await scope.register(orchestrateRoutes, edge);
  });
  await app.register(docsRoutes, edge);
}
