import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import type { Context } from '#src/system/context.ts';
import { openapiPart } from './openapi-part.ts';

/** Everything of the page comes from this service; it may call it, and nothing else. */
const pagePolicy = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': ["'self'", 'data:'],
  'font-src': "'self'",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

/** The description of the platform, for programs (`/api/openapi.json`) and for people (`/api/docs`). */
export async function docsRoutes(app: FastifyInstance, { context }: { context: Context }): Promise<void> {
  const describe = openapiPart(app, context.config);
  app.get(
    '/api/openapi.json',
    { config: { access: 'public', anyOrigin: true }, schema: { hide: true } },
    async (request, reply) =>
      // as bytes: it follows the schema of OpenAPI, which is none of ours
      await reply.type('application/json').send(Buffer.from(JSON.stringify(describe(request)))),
  );

  // the page's routes are the package's: whom they are for has to be said here
  app.addHook('onRoute', (route) => {
    if (route.url.startsWith('/api/docs')) route.config = { ...route.config, access: 'public', sameOrigin: true };
  });
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP: pagePolicy,
    theme: { title: 'Proofline generation platform' },
    uiConfig: { layout: 'BaseLayout', docExpansion: 'none', defaultModelsExpandDepth: -1, persistAuthorization: false },
    transformSpecification: (_document, request) => describe(request),
    transformSpecificationClone: false,
  });
}
