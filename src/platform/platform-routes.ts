import type { FastifyInstance } from 'fastify';
import type { Orchestrate } from '#src/governance/orchestration.ts';
import type { Hub } from '#src/http/hub.ts';
import type { Context } from '#src/system/context.ts';
import { capabilityRoutes } from './capability-routes.ts';
import { chatRoutes } from './chat/chat-routes.ts';
import { discoveryRoutes } from './discovery-routes.ts';
import { docsRoutes } from './docs-routes.ts';
import { type Governance, govRoutes } from './gov-routes.ts';
import type { MachineOffer } from './integrations.ts';
import { orchestrateRoutes } from './orchestrate-routes.ts';
import { personaRoutes } from './persona-routes.ts';
import { platformScope } from './platform-plugin.ts';
import { responseRoutes } from './response-routes.ts';

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
  await platformScope(app, async (scope) => {
    await scope.register(discoveryRoutes, edge);
    await scope.register(capabilityRoutes, edge);
    await scope.register(personaRoutes, edge);
    await scope.register(govRoutes, edge);
    await scope.register(orchestrateRoutes, edge);
    await scope.register(chatRoutes, edge);
    await scope.register(responseRoutes, edge);
  });
  await app.register(docsRoutes, edge);
}
