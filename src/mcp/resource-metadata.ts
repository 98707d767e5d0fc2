import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { baseOf } from '#src/http/request/base-url.ts';
import { studioKeyScopes } from '#src/lib/principal.ts';
import { metadataPath } from '#src/mcp/model/caller.ts';
import type { PublicUrls } from '#src/system/config/public-url.ts';

const Metadata = Type.Object(
  {
    resource: Type.String({ description: 'The address that machine clients call' }),
    resource_name: Type.String({ description: 'Name of the resource' }),
    bearer_methods_supported: Type.Array(Type.String(), { description: 'Ways to send a key' }),
    scopes_supported: Type.Array(Type.String(), { description: 'Scopes that tools ask for' }),
  },
  { title: 'ResourceMetadata', description: 'Protected resource metadata' },
);

/**
 * Serves the document on how to get access (RFC 9728). It names no authorization server, because there is none: keys
 * are minted by a human and given to the client.
 */
export function describeResource(app: FastifyInstance, config: PublicUrls): void {
  for (const [url, operationId] of [
    [metadataPath, 'readMcpMetadata'],
    ['/.well-known/oauth-protected-resource', 'readResourceMetadata'],
  ] as const) {
    app.get(
      url,
      {
        config: { access: 'public', anyOrigin: true, anonymous: true },
        schema: {
          tags: ['mcp'],
          summary: 'Read how machine clients get access (RFC 9728)',
          operationId,
          response: { 200: Metadata },
        },
      },
      async (request) => ({
        resource: `${baseOf(request, config)}/api/mcp`,
        resource_name: 'Proofline',
        bearer_methods_supported: ['header'],
        scopes_supported: [...studioKeyScopes],
      }),
    );
  }
}
