import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '#src/lib/errors.ts';
import type { Config } from '#src/system/config/config-type.ts';
import { type PublicUrls, publicOrigins } from '#src/system/config/public-url.ts';

type Settings = Pick<Config, 'ALLOWED_ORIGINS' | 'CORS_ORIGINS'> & PublicUrls;

const allowed = {
  'access-control-allow-methods': 'GET, POST, DELETE',
  'access-control-allow-headers':
    'authorization, x-api-key, content-type, accept, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, last-event-id, traceparent, x-request-id',
  'access-control-max-age': '600',
};
const exposed =
  'mcp-session-id, mcp-protocol-version, www-authenticate, x-request-id, retry-after, ratelimit, ratelimit-policy';

/**
 * Keeps out web pages that are not ours. A page whose name was pointed at this machine (DNS rebinding) shows by its
 * Host, a page of another site by its Origin: 403 for both. Pages that may call get the headers that let them read.
 */
export function guardBrowsers(app: FastifyInstance, settings: Settings): void {
  app.addHook('onRequest', async (request) => {
    assertHost(request, settings);
    assertOrigin(request, settings);
  });

  // refusals as well: a page that may call must be able to read why
  app.addHook('onSend', async ({ headers: { origin } }, reply) => {
    if (origin === undefined || !mayCall(origin, settings)) return;
    reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': exposed, vary: 'origin' });
  });

  app.options(
    '/api/mcp',
    { config: { access: 'public', sameOrigin: true }, schema: { hide: true } },
    async (_request, reply) => reply.headers(allowed).code(204).send(),
  );
}

function assertHost({ host }: FastifyRequest, settings: Settings): void {
  const name = hostnameOf(`http://${host}`);
  const ours = ['localhost', ...publicOrigins(settings).map(hostnameOf)];
  // an address is no name that an attacker could point here
  if (name !== null && (isAddress(name) || ours.includes(name))) return;
  throw new AppError(
    'forbidden',
    `expected the public address of this service as Host (set PUBLIC_URL), localhost or an IP address, got ${JSON.stringify(host)}.`,
    { host, reason: 'host' },
  );
}

function assertOrigin({ headers: { origin } }: FastifyRequest, settings: Settings): void {
  if (origin === undefined || mayCall(origin, settings)) return;
  throw new AppError(
    'forbidden',
    `expected a page of an allowed origin (CORS_ORIGINS, ALLOWED_ORIGINS), got ${JSON.stringify(origin)}.`,
    { origin, reason: 'origin' },
  );
}

/**
 * Pages of this machine may call as other programs of it do: with a key. Others by name only: `*` of CORS_ORIGINS names
 * none.
 */
function mayCall(origin: string, settings: Settings): boolean {
  const name = hostnameOf(origin);
  if (name === null) return false;
  return (
    ['localhost', '127.0.0.1', '[::1]'].includes(name) ||
    [...settings.ALLOWED_ORIGINS, ...settings.CORS_ORIGINS].includes(origin) ||
    publicOrigins(settings).includes(origin)
  );
}

function isAddress(name: string): boolean {
  return name.startsWith('[') || /^\d+(\.\d+){3}$/.test(name);
}

function hostnameOf(url: string | undefined): string | null {
  return url !== undefined && URL.canParse(url) ? new URL(url).hostname.toLowerCase() : null;
}
