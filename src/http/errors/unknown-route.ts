import type { FastifyInstance, RouteOptions } from 'fastify';
import findMyWay from 'find-my-way';
import { AppError } from '#src/lib/errors.ts';
import { answerError } from './error-handler.ts';

/** Routes of one path, by method. */
type Path = ReadonlyMap<string, RouteOptions>;

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Makes the error of a request that no route takes; names the methods that are taken in `Allow`, and the
     * description.
     */
    describeUnknown: (request: FastifyRequest, reply: FastifyReply) => AppError;
    /** The document that lists the routes below a path, by that path, where it is not `/v1/openapi.json`. */
    ownDescriptions: Map<string, string>;
    /** The routes at the path of a request; null where there is no such path. */
    pathAt: (request: Pick<FastifyRequest, 'url'>) => Path | null;
  }
}

/**
 * Answers what no route takes: 404, or 405 with `Allow` where only the method is wrong (Fastify says 404 for both),
 * before anything of the body is looked at. To be called before the routes are made, and after the guard, which counts
 * callers.
 */
export function answerUnknownRoutes(app: FastifyInstance): void {
  const paths = new Map<string, Map<string, RouteOptions>>();
  const router = findMyWay({ maxParamLength: 500 });

  app.addHook('onRoute', (route) => {
    const { url, method } = route;
    // parameters may be named differently per method
    const pattern = url.replace(/:\w+/g, ':part');
    const methods = paths.get(pattern) ?? new Map<string, RouteOptions>();
    for (const one of [method].flat()) methods.set(one, route);
    if (!paths.has(pattern)) router.on('GET', pattern, () => {}, methods);
    paths.set(pattern, methods);
  });

  app.decorate('pathAt', ({ url }) => {
    const found = router.find('GET', url.split('?')[0] ?? '/');
    return (found?.store as Path | undefined) ?? null;
  });
  app.decorate('ownDescriptions', new Map<string, string>());
  app.decorate('describeUnknown', (request, reply) => {
    const path = app.pathAt(request);
    if (!path) {
      const unknown = request.url.split('?')[0]?.slice(0, 200) ?? '/';
      const [, own] = [...app.ownDescriptions].find(([prefix]) => unknown.startsWith(`${prefix}/`)) ?? [];
      const description = own ?? '/v1/openapi.json';
      return new AppError('not_found', `expected a path of this API (${description} lists them), got ${unknown}.`);
    }
    const methods = [...path.keys()].toSorted();
    const allow = methods.join(', ');
    reply.header('allow', allow);
    return new AppError('method_not_allowed', `expected ${allow}, got ${request.method}.`, { allow: methods });
  });

  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) throw app.describeUnknown(request, reply);
  });
  app.setNotFoundHandler((request, reply) => answerError(app.describeUnknown(request, reply), request, reply));
}
