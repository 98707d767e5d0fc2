import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { isTier, quotaOf } from '#src/access/keys/tiers.ts';
import { StudioKeyScopeName } from '#src/access/scope-schema.ts';
import { principalOf } from '#src/http/request/guard.ts';
import type { Principal } from '#src/lib/principal.ts';
import { doctrine } from '#src/studio/domain/doctrine.ts';
import { publicUrlOf } from '#src/system/config/public-url.ts';
import type { Context } from '#src/system/context.ts';
import { studioScopesOf } from './studio-scopes.ts';

const AccessCheck = Type.Object({
  status: Type.Literal('ok'),
  principal: Type.Object(
    {
      type: Type.Enum(['session', 'key'], { type: 'string', description: 'Kind of credential of the call' }),
      owner: Type.String({ description: 'Owner of everything that the caller makes' }),
      keyId: Type.Union([Type.String(), Type.Null()]),
      email: Type.Union([Type.String(), Type.Null()], { description: 'Address of the signed-in person' }),
      scopes: Type.Array(StudioKeyScopeName),
      operator: Type.Boolean(),
      human: Type.Boolean({ description: 'True where the key is bound to a verified human' }),
      rateLimitTier: Type.String(),
      rateLimitPerMinute: Type.Integer({ minimum: 1 }),
      rateLimitPerDay: Type.Integer({ minimum: 1 }),
    },
    { description: 'The caller' },
  ),
  mcp: Type.Object(
    {
      transport: Type.String({ description: 'Address of the platform’s MCP server (Streamable HTTP)' }),
      read: Type.Boolean({ description: 'True where the caller may read there' }),
      execute: Type.Boolean({ description: 'True where the caller may execute there' }),
    },
    { description: 'Rights of the caller over tools' },
  ),
  governance: Type.Record(Type.String(), Type.String(), {
    description: 'Actions that need an approval, for every caller',
  }),
});

/** Tells a caller who they are here and what they may do. */
export const accessCheckRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.get(
    '/developer/access-check',
    {
      config: { capability: 'studio.access.check' },
      schema: {
        tags: ['studio'],
        summary: 'Read the caller and their rights',
        operationId: 'studioAccessCheck',
        response: { 200: AccessCheck },
      },
    },
    async (request) => {
      const principal = principalOf(request);
      return {
        status: 'ok' as const,
        principal: principalView(context, principal),
        mcp: {
          transport: new URL('/api/mcp', publicUrlOf(context.config, 'studio')).href,
          read: principal.scopes.includes('platform.mcp.read'),
          execute: principal.scopes.includes('platform.mcp.execute'),
        },
        governance: { ...doctrine },
      };
    },
  );
};

function principalView({ config }: Context, principal: Principal) {
  const { owner, keyId, session, operator, human, tier } = principal;
  const { perMinute, perDay } = quotaOf(config, isTier(tier) ? tier : 'standard');
  return {
    type: session ? ('session' as const) : ('key' as const),
    owner,
    keyId,
    email: session?.email ?? null,
    scopes: studioScopesOf(principal),
    operator,
    human: human !== null,
    rateLimitTier: tier,
    rateLimitPerMinute: perMinute,
    rateLimitPerDay: perDay,
  };
}
