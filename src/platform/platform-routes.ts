import type { FastifyInstance } from 'fastify';
import type { Orchestrate } from '#src/governance/missions/orchestration.ts';
import type { Hub } from '#src/http/streams/hub.ts';
import { capabilityRoutes } from '#src/platform/discovery/capability-routes.ts';
import { discoveryRoutes } from '#src/platform/discovery/discovery-routes.ts';
import { docsRoutes } from '#src/platform/discovery/docs-routes.ts';
import type { MachineOffer } from '#src/platform/discovery/integrations.ts';
import { Pending } from '#src/platform/edge/lifecycle.ts';
import { platformScope } from '#src/platform/edge/platform-plugin.ts';
import { type Governance, govRoutes } from '#src/platform/gov/gov-routes.ts';
import { orchestrateRoutes } from '#src/platform/orchestrate/orchestrate-routes.ts';
import { personaRoutes } from '#src/platform/personas/persona-routes.ts';
import { responseRoutes } from '#src/platform/responses/response-routes.ts';
import type { Context } from '#src/system/context.ts';
import { batchRoutes } from './batches/batch-routes.ts';
import { chatRoutes } from './chat/chat-routes.ts';
import { fileRoutes } from './files/file-routes.ts';
import { mediaRoutes } from './media/media-routes.ts';
import { videoRoutes } from './media/video-routes.ts';
import { webhookRoutes } from './webhooks/webhook-routes.ts';

interface PlatformParts {
  readonly context: Context;
  readonly hub: Hub;
  /** Interfaces that this process offers to machine clients. */
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
