import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { StudioKeyScopeName } from '#src/access/scope-schema.ts';
import { baseOf } from '#src/http/request/base-url.ts';
import { studioKeyScopes } from '#src/lib/principal.ts';
import { product } from '#src/studio/domain/product.ts';
import { toolTable } from '#src/studio/domain/tool-table.ts';
import { answerInEnvelope } from '#src/studio/edge/studio-plugin.ts';
import type { Context } from '#src/system/context.ts';

export const mcpPath = '/.well-known/mcp.json';

const text = (description: string) => Type.String({ description });

/** Address at which machine clients of the studio connect. */
const McpMetadata = Type.Object(
  {
    name: text('Name of the server'),
    description: Type.String(),
    version: Type.String(),
    protocolVersions: Type.Array(Type.String(), { description: 'Versions of the Model Context Protocol' }),
    transport: Type.Object({ type: Type.Literal('streamable-http'), url: text('The address that clients call') }),
    mcpServers: Type.Record(
      Type.String(),
      Type.Object({
        type: Type.Literal('http'),
        url: Type.String(),
        headers: Type.Record(Type.String(), Type.String()),
      }),
      { description: 'The same as clients’ own configuration has it' },
    ),
    authentication: Type.Object({
      schemes: Type.Array(Type.String(), { description: 'Headers that carry a key' }),
      scopes: Type.Array(StudioKeyScopeName, { description: 'Scopes that tools ask for' }),
      resourceMetadata: text('Metadata for authorization (RFC 9728)'),
    }),
    discovery: Type.Object({
      tool: Type.String(),
      arguments: Type.Record(Type.String(), Type.String(), { description: 'Arguments of the call' }),
    }),
    tools: Type.Array(Type.String(), { description: 'The tools of the studio' }),
    links: Type.Record(Type.String(), Type.String()),
  },
  { additionalProperties: false },
);

/** Serves the address at which machine clients connect; not below the studio's path, and part of it all the same. */
export const mcpMetadataRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  answerInEnvelope(app);
  app.get(
    mcpPath,
    {
      config: { access: 'public', anyOrigin: true },
      schema: {
        tags: ['studio'],
        summary: 'Find the transport for machine clients',
        operationId: 'readMcpClientMetadata',
        response: { 200: McpMetadata },
      },
    },
    async (request) => mcpMetadata(baseOf(request, context.config, 'studio')),
  );
};

/** @param base address of the service without a path */
function mcpMetadata(base: string): Static<typeof McpMetadata> {
  const url = `${base}/api/mcp`;
  return {
    name: product.name,
    description: 'Creative work from brief to package; nothing is spent or posted without an approval.',
    version: product.version,
    protocolVersions: ['2025-06-18', '2025-11-25', '2026-07-28'],
    transport: { type: 'streamable-http', url },
    mcpServers: {
      proofline: { type: 'http', url, headers: { Authorization: 'Bearer sk-platform-<API_KEY>' } },
    },
    authentication: {
      schemes: ['Authorization: Bearer sk-platform-<API_KEY>', 'X-API-Key: <API_KEY>'],
      scopes: [...studioKeyScopes],
      resourceMetadata: `${base}/.well-known/oauth-protected-resource/api/mcp`,
    },
    discovery: { tool: 'explore', arguments: { domain: 'studio' } },
    tools: toolTable.map(({ name }) => name),
    links: { manifest: `${base}/api/studio/v1`, openapi: `${base}/api/studio/v1/openapi` },
  };
}
