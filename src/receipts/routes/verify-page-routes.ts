import { readFileSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { consoleFolder, verifyScript } from '#src/http/content/built-files.ts';
import { refuseUnbuilt } from '#src/http/content/console-routes.ts';
import { refuseOtherOrigins } from '#src/http/edge/cors.ts';

const folder = join(import.meta.dirname, '../../../dashboards/verify');

/** Scripts and styles from here alone. Endpoints of chains are anywhere, on this machine too. */
const headers = {
  'cache-control': 'public, max-age=300',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    'img-src data:',
    "connect-src 'self' https: http://127.0.0.1:* http://localhost:*",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; '),
};

/** The page where a person checks a receipt, at `/verify`; `?receipt=<id>` shows it one of this service. */
export const verifyPageRoutes: FastifyPluginAsyncTypebox<{ built?: string }> = async (
  app,
  { built = consoleFolder },
) => {
  refuseOtherOrigins(app);
  const route = { config: { access: 'public' }, schema: { hide: true } } as const;
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const style = readFileSync(join(folder, 'page.css'), 'utf8');
  await app.register(fastifyStatic, { root: built, serve: false, preCompressed: true, cacheControl: false });

  const querystring = Type.Object({ receipt: Type.Optional(Type.String({ maxLength: 200 })) });
  app.get('/verify', { ...route, schema: { hide: true, querystring } }, async (_request, reply) =>
    reply.headers(headers).type('text/html; charset=utf-8').send(page),
  );
  app.get('/verify/page.css', route, async (_request, reply) =>
    reply.headers(headers).type('text/css; charset=utf-8').send(style),
  );
  app.get('/verify/page.js', route, async (_request, reply) => {
    await access(join(built, verifyScript)).catch(refuseUnbuilt);
    return reply.headers(headers).sendFile(verifyScript);
  });
};
