import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import { baseOf } from '#src/http/request/base-url.ts';
import { principalOf } from '#src/http/request/guard.ts';
import type { PublicUrls } from '#src/system/config/public-url.ts';
import type { McpCaller } from './tool.ts';

/** Path of the document on how to get access (RFC 9728: the well-known path, then that of the resource). */
export const metadataPath = '/.well-known/oauth-protected-resource/api/mcp';

/** Returns the caller in the shape in which the protocol's server carries it to tools. The key itself is not in it. */
export function authOf(request: FastifyRequest, config: PublicUrls): AuthInfo {
  const principal = principalOf(request);
  return {
    token: '',
    clientId: principal.keyId ?? principal.owner,
    scopes: [...principal.scopes],
    resourceMetadataUrl: baseOf(request, config) + metadataPath,
    extra: {
      principal,
      base: (surface) => baseOf(request, config, surface),
      ip: request.ip,
      requestId: request.id,
    } satisfies McpCaller,
  };
}

/** @throws Error when the request came by another way than our route, and so without a caller. */
export function callerOf({ http }: Pick<ServerContext, 'http'>): McpCaller {
  const caller = http?.authInfo?.extra as McpCaller | undefined;
  if (!caller) throw new Error('a call without a principal');
  return caller;
}
