import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { version } from '#src/system/config/version.ts';

const Health = Type.Object({
  status: Type.Literal('ok', { description: 'This process answers; whether it can work is for /readyz' }),
  version: Type.String({ description: 'Semantic version of this API' }),
  uptime_seconds: Type.Integer({ minimum: 0, description: 'Age of this process' }),
});

/** For people (`/v1/health`) and for orchestrators (`/livez`, `/readyz`). `whyUnready` says why not, or null. */
export const healthRoutes: FastifyPluginAsyncTypebox<{ whyUnready: () => Promise<string | null> }> = async (
  app,
  { whyUnready },
) => {
  app.get(
    '/v1/health',
    {
      config: { access: 'public' },
      schema: {
        tags: ['service'],
        summary: 'Version and status',
        operationId: 'readHealth',
        security: [],
        response: { 200: Health },
      },
    },
    async () => ({ status: 'ok' as const, version, uptime_seconds: Math.floor(process.uptime()) }),
  );

  const probe = { config: { access: 'public', unlimited: true }, schema: { hide: true } } as const;
  app.get('/livez', probe, async (_request, reply) => reply.type('text/plain').send('alive\n'));
  app.get('/readyz', probe, async (_request, reply) => {
    const why = await whyUnready();
    return reply
      .code(why === null ? 200 : 503)
      .type('text/plain')
      .send(`${why ?? 'ready'}\n`);
  });
};
