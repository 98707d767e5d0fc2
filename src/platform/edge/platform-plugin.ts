import type { FastifyInstance } from 'fastify';
import { assertShallow } from '#src/lib/assert-shallow.ts';
import { answerPlatformError, platformResponses } from './platform-error.ts';
import { PlatformProblem } from './platform-problem-schema.ts';

/** Path under which all routes of the platform are. */
export const platformPath = '/api/v2';

/**
 * Registers routes of the platform, below its path: whatever goes wrong there, a path or method that is not known
 * included, is answered as problem details that clients of OpenAI's kind understand too. To be called once, with all.
 */
export async function platformScope(
  app: FastifyInstance,
  routes: (scope: FastifyInstance) => Promise<void>,
): Promise<void> {
  app.addSchema(PlatformProblem);
  app.ownErrors.set(platformPath, answerPlatformError);
  app.ownDescriptions.set(platformPath, '/api/openapi.json');
  await app.register(
    async (scope) => {
      scope.setErrorHandler(answerPlatformError);
      // before the schemas, and all else that walks a body
      scope.addHook('preValidation', async ({ body }) => assertShallow(body));
      scope.addHook('onRoute', ({ schema }) => {
        if (!schema || schema.hide) return;
        const { '4xx': _client, '5xx': _server, ...own } = (schema.response ?? {}) as Record<string, unknown>;
        schema.response = { ...own, ...platformResponses };
      });
      scope.setNotFoundHandler((request, reply) =>
        answerPlatformError(scope.describeUnknown(request, reply), request, reply),
      );
      await routes(scope);
    },
    { prefix: platformPath },
  );
}
