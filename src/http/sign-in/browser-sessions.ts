import { randomBytes } from 'node:crypto';
import { callbackify } from 'node:util';
import cookie from '@fastify/cookie';
import session from '@fastify/session';
import type { FastifyInstance, FastifyRequest, Session } from 'fastify';
import { cookieName, cookieSigner, isSecure, sessionId } from '#src/access/sessions/cookie.ts';
import { endSession, readSession, type SignedIn, writeSession } from '#src/access/sessions/session-store.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Context } from '#src/system/context.ts';

declare module 'fastify' {
  interface Session {
    /** Person who has signed in; null while they are at the provider, missing where no sign-in has begun. */
    person?: SignedIn | null;
  }
}

/**
 * Gives and takes the cookies of sessions, for the routes of this scope. All other routes only read who is signed in.
 */
export async function giveSessions(scope: FastifyInstance, context: Context): Promise<void> {
  await scope.register(cookie);
  await scope.register(session, {
    secret: cookieSigner(context.config),
    cookieName: cookieName(context.config),
    // without an end: the browser forgets it when it closes, and the server before
    cookie: { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(context.config) },
    idGenerator: () => randomBytes(32).toString('base64url'),
    saveUninitialized: false,
    // reading it has made it longer already, and writing it could bring back one that has ended
    rolling: false,
    store: {
      get: callbackify(async (secret: string) => await readFor(context, secret)),
      set: callbackify(async (secret: string, { person = null }: Session) => {
        await writeSession(context, sessionId(secret), { person });
      }),
      destroy: callbackify(async (secret: string) => await endSession(context, sessionId(secret))),
    },
  });
}

async function readFor(context: Context, secret: string) {
  const kept = await readSession(context, sessionId(secret));
  return kept && { ...kept, cookie: { originalMaxAge: null } };
}

/** @throws AppError `invalid_configuration` where a browser would get no cookie, without a hint at the reason. */
export function assertReached({ protocol }: FastifyRequest, { config }: Context): void {
  if (!isSecure(config) || protocol === 'https') return;
  throw new AppError(
    'invalid_configuration',
    'TRUST_PROXY_HOPS: expected a proxy that is trusted and says X-Forwarded-Proto: https, as PUBLIC_URL does, got http.',
    { variable: 'TRUST_PROXY_HOPS' },
  );
}
