import { randomBytes } from 'node:crypto';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { refuseOtherOrigins } from '#src/http/edge/cors.ts';
import { AppError } from '#src/lib/errors.ts';
import { consoleFolder, noncePlace } from './built-files.ts';

/** Paths of the console's pages; everything below each is one of them too. */
const sections = [
  '/jobs',
  '/flows',
  '/queues',
  '/schedules',
  '/studio',
  '/providers',
  '/developers',
  '/notifications',
  '/limits',
  '/market',
  '/missions',
];

/**
 * The web console: one page for all of its paths, which calls this API as the signed-in person. None of its files
 * depends on who that is, so neither page nor files count against limits.
 */
export const consoleRoutes: FastifyPluginAsyncTypebox<{ folder?: string }> = async (
  app,
  { folder = consoleFolder },
) => {
  refuseOtherOrigins(app);
  const route = { config: { access: 'public', unlimited: true }, schema: { hide: true } } as const;
  await app.register(fastifyStatic, { root: join(folder, 'console'), serve: false, preCompressed: true });

  for (const path of ['/', ...sections.flatMap((section) => [section, `${section}/*`])])
    app.get(path, route, async (_request, reply) => {
      const page = await readFile(join(folder, 'index.html'), 'utf8').catch(refuseUnbuilt);
      const nonce = randomBytes(16).toString('base64url');
      return reply
        .headers({ 'content-security-policy': policy(nonce), 'cross-origin-opener-policy': 'same-origin' })
        .type('text/html; charset=utf-8')
        .send(page.replaceAll(noncePlace, nonce));
    });

  const params = Type.Object({ file: Type.String() });
  app.get('/console/:file', { ...route, schema: { hide: true, params } }, async (request, reply) => {
    const { file } = request.params;
    if (!(await isThere(join(folder, 'console'), file)))
      throw new AppError('not_found', `expected a file of the console as it is built now, got ${file.slice(0, 200)}.`);
    return reply.sendFile(file, { immutable: true, maxAge: '365d' });
  });
};

/** Checks whether the name is that of a file in the folder itself. */
async function isThere(folder: string, name: string): Promise<boolean> {
  if (!/^\w[\w.-]*$/.test(name)) return false;
  return await access(join(folder, name)).then(
    () => true,
    () => false,
  );
}

/**
 * For a file of the build that is not there.
 *
 * @throws AppError `unavailable` with what to run.
 */
export function refuseUnbuilt(error: unknown): never {
  throw new AppError(
    'unavailable',
    'expected the console to be built, got no files of it: run `npm run proofline -- console` (npm start does it too); the API serves without it.',
    {},
    error,
  );
}

/** Scripts, styles and data from here alone; styles that scripts insert carry the nonce. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
