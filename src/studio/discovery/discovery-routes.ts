import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { documentOf, type OpenApiDocument } from '#src/http/documents/document.ts';
import { partOf } from '#src/http/documents/part-of-openapi.ts';
import { baseOf } from '#src/http/request/base-url.ts';
import { principalOf } from '#src/http/request/guard.ts';
import { monitoring } from '#src/studio/activity/monitoring.ts';
import { product } from '#src/studio/domain/product.ts';
import { studioPath } from '#src/studio/edge/studio-plugin.ts';
import { capabilityViews } from '#src/studio/model/provider-views.ts';
import { routeEnvelope } from '#src/studio/plan/brief-routes.ts';
import type { Context } from '#src/system/context.ts';
import { manifest } from './manifest.ts';
import { mcpPath } from './mcp-metadata.ts';

const tags = ['studio'];
const envelope = (description: string) => ({ 200: Type.Ref('StudioEnvelope', { description }) });

/** Describes the studio and its capabilities, for anybody; its records are for their owners. */
export const discoveryRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.get(
    '',
    {
      config: { access: 'public', anyOrigin: true },
      schema: {
        tags,
        summary: 'Discover the studio',
        description: 'The manifest is the output of the envelope.',
        operationId: 'discoverStudio',
        response: envelope('The manifest, in `output`'),
      },
    },
    async (request) =>
      routeEnvelope(
        'studio_explore',
        manifest(baseOf(request, context.config, 'studio'), baseOf(request, context.config, 'platform')),
      ),
  );

  app.get(
    '/capabilities',
    {
      config: { access: 'public', anyOrigin: true },
      schema: {
        tags,
        summary: 'List capabilities',
        description: 'Each with the providers that have it: health, price, latency; and the modes that use it.',
        operationId: 'listCapabilities',
        response: envelope('`capabilities`, in `output`'),
      },
    },
    async () =>
      routeEnvelope('studio_explore', {
        output: { capabilities: await capabilityViews(context) },
        resources: ['studio://capabilities/media', 'studio://providers/catalog'],
      }),
  );

  app.get(
    '/monitoring',
    {
      config: { scope: 'studio.read', capability: 'studio.monitoring' },
      schema: {
        tags,
        summary: 'Read what is recorded of your work',
        description: 'Recent projects, jobs, approvals and calls of tools, as they are stored.',
        operationId: 'monitorStudio',
        response: envelope('`persistence`, `recentProjects`, `jobs`, `approvals` and `toolCalls`, in `output`'),
      },
    },
    async (request) => routeEnvelope('studio_analyze', await monitoring(context, principalOf(request).owner)),
  );

  app.get(
    '/openapi',
    {
      config: { access: 'public', anyOrigin: true },
      schema: {
        tags,
        summary: 'Read the OpenAPI description of the studio',
        operationId: 'describeStudio',
        response: { 200: Type.Object({}, { additionalProperties: true, description: 'An OpenAPI 3.1 document' }) },
      },
    },
    async (request, reply) => {
      const document = openapiOf(documentOf(app), baseOf(request, context.config, 'studio'));
      // as bytes: it follows the schema of OpenAPI, which is none of ours
      return await reply.type('application/json').send(Buffer.from(JSON.stringify(document)));
    },
  );
};

function openapiOf(document: OpenApiDocument, base: string) {
  return {
    ...partOf(document, (path) => path.startsWith(studioPath) || path === mcpPath),
    openapi: '3.1.0',
    info: {
      title: product.name,
      version: product.version,
      license: { name: 'Unlicensed', identifier: 'LicenseRef-Unlicensed' },
      description:
        'From a creative brief to published packages. Nothing is spent or posted without an approval for exactly that effect. Properties and parameters that are not described are refused.',
    },
    servers: [{ url: base }],
  };
}
