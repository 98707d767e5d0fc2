import type { FastifyInstance } from 'fastify';
import { assertStorable } from '#src/lib/assert-storable.ts';
import { answerStudioError, StudioError, studioErrorResponses } from './studio-error.ts';

/** Path under which all routes of the studio are. */
export const studioPath = '/api/studio/v1';

/**
 * Registers routes of the studio, below its path: whatever goes wrong there, a path or method that is not known
 * included, is answered in the studio's own envelope, and documented so. To be called once, with all of them.
 */
export async function studioScope(
  app: FastifyInstance,
  routes: (scope: FastifyInstance) => Promise<void>,
): Promise<void> {
  app.addSchema(StudioError);
  app.ownErrors.set(studioPath, answerStudioError);
  await app.register(
    async (scope) => {
      answerInEnvelope(scope);
      scope.setNotFoundHandler((request, reply) =>
        answerStudioError(scope.describeUnknown(request, reply), request, reply),
      );
      scope.addHook('preHandler', async ({ body }) => assertStorable(body));
      await routes(scope);
    },
    { prefix: studioPath },
  );
}

/** Answers what goes wrong in a scope's routes in the studio's own envelope, and documents it so. */
export function answerInEnvelope(scope: FastifyInstance): void {
  scope.setErrorHandler(answerStudioError);
  scope.addHook('onRoute', ({ schema }) => {
    if (!schema || schema.hide) return;
    // those of all other routes are problem details
    const { '4xx': _client, '5xx': _server, ...own } = (schema.response ?? {}) as Record<string, unknown>;
    schema.response = { ...own, ...studioErrorResponses };
  });
}
