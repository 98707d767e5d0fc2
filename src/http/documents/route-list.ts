import type { FastifyInstance } from 'fastify';
import type { Scope } from '#src/lib/principal.ts';

/** A route as it is served, for catalogues of what there is. */
export const routeMethods = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'] as const;
type RouteMethod = (typeof routeMethods)[number];
const isRouteMethod = (method: string): method is RouteMethod => routeMethods.some((one) => one === method);

export interface ListedRoute {
  readonly method: RouteMethod;
  /** As OpenAPI writes it: `/v1/jobs/{id}`. */
  readonly path: string;
  /** Purpose of the route, in a line. */
  readonly purpose: string;
  readonly tags: readonly string[];
  /** `none`: anybody; `optional`: who shows a key sees more; `key`: a key, or a browser that is signed in. */
  readonly auth: 'none' | 'optional' | 'key';
  /** Scope that a key must hold; null where any will do. */
  readonly scope: Scope | null;
  /** True where the key must be bound to a verified human. */
  readonly human: boolean;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route that is described, in the order in which they were made. */
    routeList: readonly ListedRoute[];
  }
}

/** Notes every route that is described. To be called before the routes are made. */
export function listRoutes(app: FastifyInstance): void {
  const listed: ListedRoute[] = [];
  app.decorate('routeList', listed);
  app.addHook('onRoute', ({ method, url, schema, config }) => {
    if (!schema || schema.hide) return;
    const { summary = '', tags = [] } = schema as { summary?: string; tags?: readonly string[] };
    const auth = config?.access === 'public' ? 'none' : (config?.access ?? 'key');
    const path = url.replaceAll(/:(\w+)/g, '{$1}');
    for (const one of [method].flat().filter(isRouteMethod))
      listed.push({
        method: one,
        path,
        purpose: summary,
        tags: [...tags],
        auth,
        scope: config?.scope ?? null,
        human: config?.human ?? false,
      });
  });
}
