import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { cookieName } from '#src/access/sessions/cookie.ts';
import { Problem, problemResponses } from '#src/http/errors/problem.ts';
import { FleetView, QueueView } from '#src/http/views/operations-view.ts';
import { JobSummaryView, JobView } from '#src/jobs/model/job-view.ts';
import { version } from '#src/system/config/version.ts';
import type { Context } from '#src/system/context.ts';
import { addQueues } from './add-queues.ts';
import { unlimited } from './describe-headers.ts';
import { shapeDocument } from './shape-document.ts';

const tags = [
  { name: 'service', description: 'The service itself' },
  { name: 'people', description: 'People who sign in, and their sessions' },
  { name: 'jobs', description: 'Accepted work: read, list, cancel, follow' },
  { name: 'operations', description: 'Status of queues and fleets, and pauses of queues' },
  { name: 'queues', description: 'Queues that callers register, and the namespaces that these belong to' },
  { name: 'limits', description: 'How many jobs and requests of a caller are let in' },
  { name: 'mcp', description: 'Machine clients (Model Context Protocol)' },
  { name: 'humans', description: 'Verified humans, and the keys they stand behind' },
  { name: 'artefacts', description: 'Bytes of assets' },
  { name: 'analytics', description: 'Dealer positioning of option chains' },
  { name: 'missions', description: 'Goals that are planned, approved, carried out, and leave sealed receipts' },
  { name: 'providers', description: 'Notices of media providers about their tasks' },
  { name: 'platform', description: 'The generation platform (V2): text, pictures, films, speech, music, batches' },
  { name: 'openai', description: 'The same under the paths that clients of OpenAI’s kind use' },
  { name: 'studio', description: 'The creative studio: from brief to published package' },
  { name: 'receipts', description: 'Sealed proof of what was done, and its anchors on a chain' },
];

const credentials: Record<string, string[]>[] = [{ bearer: [] }, { apiKey: [] }, { session: [] }];

/** `/v1/openapi.json` (OpenAPI 3.1), written from the routes' own schemas. To be called before the routes are made. */
export async function describeRoutes(app: FastifyInstance, context: Context): Promise<void> {
  const settings = context.config;
  for (const schema of [Problem, JobSummaryView, JobView, QueueView, FleetView]) app.addSchema(schema);

  app.addHook('onRoute', ({ method, schema, config }) => {
    // the HEAD that is made of a GET has the very schema of it, which is described by then
    if (!schema || schema.hide || method === 'HEAD') return;
    schema.response = { ...(schema.response as object | undefined), ...problemResponses };
    if (config?.unlimited) Object.assign(schema, { [unlimited]: true });
    if (config?.access === 'public') schema.security = [];
    if (config?.access === 'optional') schema.security = [{}, ...credentials];
    if (config?.scope)
      schema.description = [
        schema.description,
        config.access === 'optional'
          ? `A key that is shown must hold the scope \`${config.scope}\`.`
          : `Needs a key with scope \`${config.scope}\`.`,
      ]
        .filter(Boolean)
        .join('\n\n');
  });

  await app.register(swagger, {
    transformObject: (made) => ('openapiObject' in made ? shapeDocument(made.openapiObject) : made.swaggerObject),
    convertConstToEnum: false,
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) => (json['$id'] as string | undefined) ?? `def-${index}`,
    },
    openapi: {
      openapi: '3.1.1',
      info: {
        title: 'Proofline',
        version,
        description:
          'Governed work: accepted as jobs, run by fleets, followed live. Errors are problem details (RFC 9457). Parameters and properties that are not described are refused. Streams are described at /v1/asyncapi.json.',
      },
      tags,
      security: credentials,
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'A key of this service (`sk-platform-…`)' },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: cookieName(settings),
            description:
              'A browser that is signed in (`/auth/sign-in`); what changes something needs `x-csrf-token` too',
          },
          apiKey: {
            type: 'apiKey',
            in: 'header',
            name: 'X-API-Key',
            description: 'The same key, in a header of its own',
          },
        },
      },
    },
  });

  // public, and to callers who show who they are it names the queues that they may submit to
  app.get('/v1/openapi.json', { config: { access: 'optional' }, schema: { hide: true } }, async (request, reply) => {
    const servers = [{ url: settings.PUBLIC_URL ?? `${request.protocol}://${request.host}` }];
    const document = addQueues(app.swagger(), context, request.principal);
    return reply.type('application/json').send(JSON.stringify({ ...document, servers }));
  });
}
