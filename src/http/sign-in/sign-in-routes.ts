import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { ScopeName } from '#src/access/scope-schema.ts';
import { cookieName, isSecure, sessionId } from '#src/access/sessions/cookie.ts';
import { forgeryToken } from '#src/access/sessions/forgery.ts';
import { keepIdentity } from '#src/access/sessions/identity-store.ts';
import { isOperator, mayEnter } from '#src/access/sessions/people.ts';
import { finishSignIn, providerOf, startSignIn } from '#src/access/sessions/provider.ts';
import { returnAddress } from '#src/access/sessions/return-to.ts';
import { keepSignIn, takeSignIn } from '#src/access/sessions/sign-ins.ts';
import { refuseOtherOrigins } from '#src/http/edge/cors.ts';
import { wishFor } from '#src/http/request/negotiate.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Principal } from '#src/lib/principal.ts';
import { publicUrlOf } from '#src/system/config/public-url.ts';
import type { Context } from '#src/system/context.ts';
import { assertReached, giveSessions } from './browser-sessions.ts';
import { operatorLinkRoutes } from './operator-link-routes.ts';

const tags = ['people'];

const Entry = Type.Object({
  return_to: Type.Optional(
    Type.String({ maxLength: 2_000, description: 'Path of this service to come to; what is known of you otherwise' }),
  ),
  prompt: Type.Optional(
    Type.Enum(['login', 'select_account'], {
      type: 'string',
      description: 'Asks the provider not to go by who is signed in there already',
    }),
  ),
});

const SessionView = Type.Object(
  {
    email: Type.String({ description: 'As the provider has verified it' }),
    owner: Type.String({ description: 'Owner of your keys, briefs and jobs' }),
    operator: Type.Boolean(),
    human: Type.Boolean({ description: 'Whether you have proven to be a verified human' }),
    scopes: Type.Array(ScopeName),
    csrf_token: Type.String({ description: 'To be sent as `x-csrf-token` with everything that changes something' }),
    ends_at: Type.String({ format: 'date-time', description: 'When the session ends, however much it is used' }),
  },
  { title: 'SignedIn' },
);

const VisitorView = Type.Object(
  {
    session: Type.Union([SessionView, Type.Null()], { description: 'The signed-in person; null where there is none' }),
    sign_in: Type.Boolean({ description: 'Whether there is a provider to sign in at' }),
  },
  { title: 'Visitor' },
);

/** Signing in and out (OpenID Connect, code flow with PKCE), and who one is. */
export const signInRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  const { config } = context;
  const base = publicUrlOf(config);
  const callback = new URL('/auth/callback', base).href;
  refuseOtherOrigins(app);
  await giveSessions(app, context);
  await app.register(operatorLinkRoutes, { context });

  app.get(
    '/auth/sign-in',
    {
      // a HEAD would begin a sign-in that never ends
      exposeHeadRoute: false,
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'Sign in: goes to the identity provider, and comes back',
        operationId: 'signIn',
        querystring: Entry,
        response: { 302: Type.Null({ description: 'To the provider' }) },
      },
    },
    async (request, reply) => {
      const { return_to: path, prompt } = request.query;
      // a person is shown how to come in all the same, a program reads why not
      if (config.OIDC_ISSUER === undefined && wishFor('text/html', request.headers.accept) > 0)
        return await reply.redirect(new URL('/auth/link', base).href, 302);
      const returnTo = returnAddress(base, path);
      assertReached(request, context);
      const { url, state, ...secrets } = await startSignIn(await providerOf(context)(), callback, prompt);
      // a person who is signed in stays so until they come back: their session is not touched
      if (request.session.person === undefined) request.session.person = null;
      await keepSignIn(context, state, { ...secrets, returnTo, browser: sessionId(request.session.sessionId) });
      return await reply.redirect(url, 302);
    },
  );

  app.get(
    '/auth/callback',
    {
      exposeHeadRoute: false,
      config: { access: 'public', anyQuery: true },
      schema: {
        tags,
        summary: 'Finish a sign-in, when the provider sends the browser back',
        operationId: 'signInCallback',
        querystring: Type.Object({ state: Type.String({ maxLength: 200 }) }),
        response: { 302: Type.Null({ description: 'To where they wanted to go' }) },
      },
    },
    async (request, reply) => {
      const { state } = request.query;
      const signIn = await takeSignIn(context, state, sessionId(request.session.sessionId));
      if (!signIn) throw unknownState();
      const answer = new URL(callback);
      answer.search = request.url.slice(request.url.indexOf('?'));
      const person = await finishSignIn(await providerOf(context)(), answer, state, signIn);
      if (!mayEnter(config, person.email))
        throw new AppError(
          'forbidden',
          `expected a person who may sign in here, got ${person.email}, who is not on the list.`,
          { reason: 'not_listed' },
        );
      const owner = await keepIdentity(context, person, isOperator(config, person.email));
      // under a new name, so that a holder of the old one is not signed in with them
      await request.session.regenerate();
      const since = Date.now();
      request.session.person = { ...person, since, until: since + config.SESSION_HOURS * 3_600_000 };
      request.log.info({ owner, issuer: person.issuer }, 'signed in');
      return await reply.redirect(signIn.returnTo, 302);
    },
  );

  app.post(
    '/auth/sign-out',
    {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'Sign out of this browser',
        description: 'The session ends for every process at once. Who is not signed in may call it too.',
        operationId: 'signOut',
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await request.session.destroy();
      return await reply
        .clearCookie(cookieName(config), { path: '/', secure: isSecure(config) })
        .code(204)
        .send(null);
    },
  );

  app.get(
    '/auth/session',
    {
      schema: {
        tags,
        summary: 'Read who is signed in, and the token for requests that change something',
        operationId: 'readSession',
        response: { 200: SessionView },
      },
    },
    async ({ principal }) => sessionView(context, principal),
  );

  app.get(
    '/auth/visitor',
    {
      config: { access: 'optional' },
      schema: {
        tags,
        summary: 'Read who is signed in, if anyone: for public pages',
        operationId: 'readVisitor',
        response: { 200: VisitorView },
      },
    },
    async ({ principal }) => ({
      session: principal?.session ? sessionView(context, principal) : null,
      sign_in: config.OIDC_ISSUER !== undefined,
    }),
  );
};

function sessionView({ config }: Context, principal: Principal | null): Static<typeof SessionView> {
  if (!principal?.session)
    throw new AppError('unauthorized', 'expected a browser that is signed in (GET /auth/sign-in), got a key.');
  const { owner, operator, human, scopes, session } = principal;
  return {
    email: session.email,
    owner,
    operator,
    human: human !== null,
    scopes: [...scopes],
    csrf_token: forgeryToken(config, session.id),
    ends_at: session.until.toISOString(),
  };
}

function unknownState(): AppError {
  return new AppError(
    'invalid_request',
    'expected the state of a sign-in that this browser began in the last 10 minutes, got another, or one that was used; start again at /auth/sign-in.',
    { field: 'query.state', value: null },
  );
}
