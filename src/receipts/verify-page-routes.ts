import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { rolldown } from 'rolldown';

const folder = join(import.meta.dirname, '../../dashboards/verify');

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

/** The page where a person checks a receipt. It is made once a process, when it is first asked for. */
export const verifyPageRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const route = { config: { access: 'public' }, schema: { hide: true } } as const;
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const style = readFileSync(join(folder, 'page.css'), 'utf8');
  let script: Promise<string> | null = null;

  app.get('/verify', route, async (_request, reply) =>
    reply.headers(headers).type('text/html; charset=utf-8').send(page),
  );
  app.get('/verify/page.css', route, async (_request, reply) =>
    reply.headers(headers).type('text/css; charset=utf-8').send(style),
  );
  app.get('/verify/page.js', route, async (_request, reply) => {
    script ??= bundle().catch((error: unknown) => {
      script = null; // the next one who asks may have more luck
      throw error;
    });
    const code = await script;
    return reply.headers(headers).type('text/javascript; charset=utf-8').send(code);
  });
};

async function bundle(): Promise<string> {
  const build = await rolldown({
    input: join(folder, 'page.ts'),
    platform: 'browser',
    logLevel: 'silent',
  });
  try {
    const { output } = await build.generate({ format: 'esm', minify: true, codeSplitting: false });
    return output[0].code;
  } finally {
    await build.close();
  }
}
