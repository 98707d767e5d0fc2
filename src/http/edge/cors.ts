import type { FastifyContextConfig, FastifyInstance } from 'fastify';
import { describedHeaders } from '#src/http/documents/describe-headers.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Config } from '#src/system/config/config-type.ts';

/** Headers that callers send. A page may send others too: none of them is anything that a browser adds by itself. */
const sent = [
  'authorization',
  'x-api-key',
  'content-type',
  'accept',
  'idempotency-key',
  'prefer',
  'last-event-id',
  'range',
  'if-range',
  'if-none-match',
  'mcp-protocol-version',
  'mcp-session-id',
  'mcp-method',
  'mcp-name',
  'traceparent',
  'tracestate',
  'x-request-id',
];

/**
 * Headers of answers that a page may read beside those that every page may: all that are described, and those of HTTP.
 */
const exposed = [
  ...Object.keys(describedHeaders).map((name) => name.toLowerCase()),
  'x-parameters-ignored',
  'allow',
  'etag',
  'accept-ranges',
  'content-length',
  'link',
  'mcp-session-id',
  'mcp-protocol-version',
  'www-authenticate',
].join(', ');

/** Two hours: the longest that browsers remember it. */
const MAX_AGE_S = 7_200;

/**
 * Lets pages of other origins call with a key that they send themselves (CORS), and answers their preflight requests.
 * What is public may be read from any page, the rest by pages of CORS_ORIGINS. Cookies never count for either: no
 * answer says `Access-Control-Allow-Credentials`. Routes with `sameOrigin` are out of it. To be called before the
 * guard: a preflight brings no credentials and is not counted.
 */
export function allowOtherOrigins(app: FastifyInstance, settings: Pick<Config, 'CORS_ORIGINS'>): void {
  app.addHook('onRequest', async (request, reply) => {
    const { origin, 'access-control-request-method': wanted } = request.headers;
    const isPreflight = request.method === 'OPTIONS' && request.is404 && origin !== undefined && wanted !== undefined;
    if (!isPreflight) {
      reply.headers(leaveFor(origin, request.routeOptions.config, settings));
      return;
    }
    const path = app.pathAt(request);
    // answered as what it is: a path that does not exist
    if (!path) return;
    const route = path.get(wanted) ?? [...path.values()][0];
    const leave = leaveFor(origin, route?.config ?? {}, settings);
    if (!('access-control-allow-origin' in leave)) throw notAllowed(origin);
    const methods = [...path.keys()].toSorted().join(', ');
    await reply
      .code(204)
      .headers({
        ...leave,
        'access-control-allow-methods': methods,
        'access-control-allow-headers': allowedHeaders(request.headers['access-control-request-headers']),
        'access-control-max-age': MAX_AGE_S,
        vary: 'origin, access-control-request-method, access-control-request-headers',
      })
      .send();
  });
}

function leaveFor(
  origin: string | undefined,
  { anyOrigin, sameOrigin }: FastifyContextConfig,
  { CORS_ORIGINS: allowed }: Pick<Config, 'CORS_ORIGINS'>,
): Record<string, string> {
  if (sameOrigin) return {};
  if (anyOrigin || allowed.includes('*')) return leave('*');
  const vary = { vary: 'origin' };
  return origin !== undefined && allowed.includes(origin) ? { ...leave(origin), ...vary } : vary;
}

const leave = (origin: string) => ({
  'access-control-allow-origin': origin,
  'access-control-expose-headers': exposed,
});

/**
 * Keeps pages of other origins away from every route of a scope: what is there is for sessions, or is a page itself.
 */
export function refuseOtherOrigins(scope: FastifyInstance): void {
  scope.addHook('onRoute', (route) => {
    route.config = { ...route.config, sameOrigin: true };
  });
}

/** Names that are tokens (RFC 9110 §5.6.2) and not too many; the rest of the header is left out. */
function allowedHeaders(requested: string | undefined): string {
  const names = (requested ?? '')
    .slice(0, 2_000)
    .split(',')
    .map((name) => name.trim().toLowerCase());
  return [...new Set([...sent, ...names.filter((name) => /^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name))])].join(', ');
}

function notAllowed(origin: string): AppError {
  const shown = JSON.stringify(origin.slice(0, 200));
  return new AppError('forbidden', `expected a page of an origin in CORS_ORIGINS, got ${shown}.`, {
    origin,
    reason: 'origin',
  });
}
