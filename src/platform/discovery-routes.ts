import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { Context } from '#src/system/context.ts';
import { version } from '#src/system/version.ts';

const open = { access: 'public', anyOrigin: true } as const;

/** What the platform is and can do, for anybody. */
export const discoveryRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app) => {
  app.get(
    '/health',
    {
      config: open,
      schema: {
        tags: ['platform'],
        summary: 'Whether the platform answers',
        operationId: 'readPlatformHealth',
        response: {
          200: Type.Object({
            status: Type.Enum(['ok'], { type: 'string' }),
            version: Type.String({ description: 'Of this release' }),
          }),
        },
      },
    },
    async () => ({ status: 'ok' as const, version }),
  );
};
