import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { openGuesses } from '#src/access/guesses.ts';
import { sessionId } from '#src/access/sessions/cookie.ts';
import { assertOwnPage } from '#src/access/sessions/forgery.ts';
import { noteLinkSession, useOperatorLink } from '#src/access/sessions/operator-link.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';
import { assertReached } from './browser-sessions.ts';
import { linkPage, linkPagePolicy } from './operator-link-page.ts';

/** Signing in as an operator by a one-time link. Needs the sessions of the scope that it is registered in. */
export const operatorLinkRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  const { config } = context;
  const guesses = openGuesses(config, 'links');

  app.get('/auth/link', { config: { access: 'public' }, schema: { hide: true } }, async (_request, reply) =>
    reply
      .headers({ 'content-security-policy': linkPagePolicy, 'cross-origin-opener-policy': 'same-origin' })
      .type('text/html; charset=utf-8')
      .send(linkPage),
  );

  app.post(
    '/auth/link',
    {
      config: { access: 'public' },
      bodyLimit: 1_000,
      schema: {
        tags: ['people'],
        summary: 'Sign in as an operator with the code of a one-time link',
        description:
          'For the page `/auth/link`, and from pages of this service alone. `proofline operator link` prints a link; it can be used once, within 15 minutes.',
        operationId: 'signInByLink',
        body: Type.Object(
          { code: Type.String({ pattern: '^[\\w-]{20,100}$', description: 'Text after the # of the link' }) },
          { additionalProperties: false },
        ),
        response: { 204: Type.Null({ description: 'Signed in: the answer sets the cookie of a session' }) },
      },
    },
    async (request, reply) => {
      assertReached(request, context);
      assertOwnPage(request.headers.origin, config);
      await guesses.check(request.ip);
      const { person, owner } = await useOperatorLink(context, request.body.code, {
        changedBy: `browser ${request.ip}`,
        requestId: request.id,
      }).catch(async (error: unknown) => {
        if (error instanceof AppError && error.code === 'forbidden') await guesses.count(request.ip);
        throw error;
      });
      // under a new name, so that a holder of the old one is not signed in with them
      await request.session.regenerate();
      const since = Date.now();
      request.session.person = { ...person, since, until: since + config.SESSION_HOURS * 3_600_000 };
      await noteLinkSession(context, person, sessionId(request.session.sessionId));
      request.log.warn({ owner, address: request.ip }, 'an operator signed in by a one-time link');
      return await reply.code(204).send(null);
    },
  );
};
