import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Access, resolvePrincipal } from '#src/access/access.ts';
import { assertHuman, assertOperator, assertScope } from '#src/access/keys/grants.ts';
import type { Budget, Limits } from '#src/access/limits/request-limits.ts';
import { assertNotForged } from '#src/access/sessions/forgery.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Principal, Scope } from '#src/lib/principal.ts';
import { counted } from '#src/lib/text/counted.ts';
import type { InexactInItem } from '#src/lib/text/inexact-integer.ts';

/**
 * `RateLimit-Policy` and `RateLimit`, each a list of quoted policy names with parameters.
 *
 * @see draft-ietf-httpapi-ratelimit-headers-11, sections 3 and 4
 */
function rateLimitHeaders(budgets: readonly Budget[]): Record<string, string> {
  return {
    'ratelimit-policy': budgets
      .map(({ policy, quota, windowSeconds }) => `"${policy}";q=${quota};w=${windowSeconds}`)
      .join(', '),
    ratelimit: budgets
      .map(({ policy, remaining, resetSeconds }) => `"${policy}";r=${remaining};t=${resetSeconds}`)
      .join(', '),
  };
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Access of the route. Without it, a caller with a valid key or a signed-in browser. `public` is for everyone;
     * `optional` too, and tells more to callers who show who they are.
     */
    access?: 'public' | 'optional';
    /** The scope a key must hold; where `access` is optional, one that is shown. */
    scope?: Scope;
    operator?: boolean;
    /** Only for keys that are bound to a verified human. */
    human?: boolean;
    /** The handler gets the body's bytes: those of an option chain, or of lines of JSON. */
    rawBody?: 'chain' | 'lines';
    /**
     * Integers of the body that no double holds are refused and not changed: below this way (`.params`), all of them where
     * it is empty.
     */
    exactNumbers?: string;
    /** Name of the list of the body whose items the route refuses one by one for such integers: `inexactItems` has them. */
    exactItems?: string;
    /** Not counted against the caller's limits of requests: a lease or a bound of its own limits it. */
    uncounted?: boolean;
    /** The answer goes on for as long as the client stays. */
    stream?: boolean;
    /** Parameter of the path by which a stream token is for this stream, and the kinds of tokens that open it. */
    streamToken?: { readonly kinds: readonly string[]; readonly parameter: string | null };
    /** Pages of any origin may read the answer, whatever CORS_ORIGINS says. Only where anybody may call. */
    anyOrigin?: boolean;
    /** No page of another origin is let in: what a session or its cookie is for, and what has rules of its own. */
    sameOrigin?: boolean;
    /** Credentials are not looked at, so that a wrong key does not shut out who asks how to bring a right one. */
    anonymous?: boolean;
    /** Takes parameters that are not described here: those that another service sends. */
    anyQuery?: boolean;
    /** Name of the capability in the usage of keys (`studio.brief`): each call is noted. */
    capability?: string;
    /** Not counted and not limited: probes. */
    unlimited?: boolean;
  }
  interface FastifyRequest {
    principal: Principal | null;
    /** The first such integer of each item of the list that `exactItems` names, by the place of the item. */
    inexactItems: ReadonlyMap<number, InexactInItem> | null;
    /** Trace id, where there is one. */
    trace: string | null;
  }
}

/**
 * Finds out who calls, counts it against their limits, and refuses what they may not do. Before anything of the body is
 * read.
 */
export function guardRoutes(app: FastifyInstance, access: Access, limits: Limits): void {
  app.decorateRequest('principal', null);
  app.decorateRequest('trace', null);
  app.decorateRequest('inexactItems', null);

  app.addHook('onRequest', async (request, reply) => {
    const { config } = request.routeOptions;
    if (config.unlimited) return;
    if (config.anonymous) {
      spend(reply, await limits.ofAddress(request.ip));
      return;
    }
    request.principal = config.uncounted
      ? await resolveUncounted(request, reply, access, limits)
      : await resolveOrCount(request, reply, access, limits);
    if (request.principal?.stream) assertStream(request, request.principal.stream);
    if (request.principal) assertNotForged(access.context.config, request, request.principal);
    const isPublic = config.access === 'public' || (config.access === 'optional' && !request.principal);
    if (isPublic || request.is404) return;
    const principal = principalOf(request);
    if (config.scope) assertScope(principal, config.scope);
    if (config.operator) assertOperator(principal);
    if (config.human) assertHuman(principal);
  });
}

/**
 * Lets a stream token open its one stream and nothing else.
 *
 * @throws AppError `forbidden`
 */
function assertStream(
  { params, routeOptions }: FastifyRequest,
  { kind, subject }: NonNullable<Principal['stream']>,
): void {
  const { streamToken } = routeOptions.config;
  const parameter = streamToken?.parameter;
  const named = parameter ? String((params as Record<string, unknown>)[parameter]) : subject;
  if (streamToken?.kinds.includes(kind) && named.toLowerCase() === subject.toLowerCase()) return;
  throw new AppError(
    'forbidden',
    `expected a request for the stream of ${kind} ${subject}, which this token opens, got another.`,
    {
      reason: 'scope',
    },
  );
}

/** Returns the caller. @throws AppError `unauthorized` when the request has no credentials. */
export function principalOf({ principal }: Pick<FastifyRequest, 'principal'>): Principal {
  if (principal) return principal;
  throw new AppError(
    'unauthorized',
    'expected a key in the header Authorization (Bearer) or X-API-Key, or a browser that is signed in (GET /auth/sign-in), got none.',
  );
}

async function resolveOrCount(
  request: FastifyRequest,
  reply: FastifyReply,
  access: Access,
  limits: Limits,
): Promise<Principal | null> {
  const principal = await resolveUncounted(request, reply, access, limits);
  spend(reply, principal ? await limits.ofCaller(spenderOf(principal), principal) : await limits.ofAddress(request.ip));
  return principal;
}

async function resolveUncounted(
  request: FastifyRequest,
  reply: FastifyReply,
  access: Access,
  limits: Limits,
): Promise<Principal | null> {
  try {
    return await resolvePrincipal(access, request);
  } catch (error) {
    // guesses at keys are counted as well, else they would be free
    if (error instanceof AppError && error.code === 'unauthorized') spend(reply, await limits.ofAddress(request.ip));
    throw error;
  }
}

/**
 * All keys and sessions of a human share one budget, and all sessions of an owner: else each new one would be another.
 */
function spenderOf({ owner, keyId, human }: Principal): string {
  return human ?? keyId ?? `owner:${owner}`;
}

function spend(reply: FastifyReply, budgets: readonly Budget[]): void {
  reply.headers(rateLimitHeaders(budgets));
  const [longest] = budgets
    .filter(({ exceeded }) => exceeded)
    .toSorted((left, right) => right.resetSeconds - left.resetSeconds);
  if (!longest) return;
  const { policy, quota, windowSeconds, used, resetSeconds } = longest;
  throw new AppError(
    'rate_limited',
    `expected at most ${counted(quota, 'request')} in ${windowSeconds} s (${policy}), got ${used}; try again in ${resetSeconds} s.`,
    {
      retry_after_seconds: resetSeconds,
      policy,
      limit: quota,
      used,
      'violated-policies': budgets.filter(({ exceeded }) => exceeded).map((one) => one.policy),
    },
  );
}
