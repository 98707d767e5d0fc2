import type { FastifyInstance, FastifyRequest } from 'fastify';
import findMyWay from 'find-my-way';
import { AppError } from '#src/lib/errors.ts';
import { answerError } from './error-handler.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** What to say of a request that no route takes; names the methods that are taken in `Allow`, and the description. */
    describeUnknown: (request: FastifyRequest, reply: FastifyReply, description?: string) => AppError;
  }
}

/**
 * Answers what no route takes: 404, or 405 with `Allow` where only the method is wrong (Fastify says 404 for both). To
 * be called before the routes are made.
 */
export function answerUnknownRoutes(app: FastifyInstance): void {
  const methodsAt = new Map<string, Set<string>>();
  const router = findMyWay({ maxParamLength: 500 });

  app.addHook('onRoute', ({ url, method }) => {
    // parameters may be named differently per method
    const pattern = url.replace(/:[^/]+/g, ':part');
    const methods = methodsAt.get(pattern) ?? new Set();
    for (const one of [method].flat()) methods.add(one);
    if (!methodsAt.has(pattern)) router.on('GET', pattern, () => {}, methods);
    methodsAt.set(pattern, methods);
  });

  const describe: FastifyInstance['describeUnknown'] = (request, reply, description = '/v1/openapi.json') => {
    const methods = allowedMethods(router, request);
    if (!methods) {
      const path = request.url.split('?')[0]?.slice(0, 200);
      return new AppError('not_found', `expected a path of this API (${description} lists them), got ${path}.`);
    }
    const allow = [...methods].toSorted().join(', ');
    reply.header('allow', allow);
    return new AppError('method_not_allowed', `expected ${allow}, got ${request.method}.`, { allow: [...methods] });
  };
  app.decorate('describeUnknown', describe);

  app.setNotFoundHandler((request, reply) => answerError(app.describeUnknown(request, reply), request, reply));
}

function allowedMethods(
  router: findMyWay.Instance<findMyWay.HTTPVersion.V1>,
  { url }: FastifyRequest,
): Set<string> | null {
  const found = router.find('GET', url.split('?')[0] ?? '/');
  return (found?.store as Set<string> | undefined) ?? null;
}
