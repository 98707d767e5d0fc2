import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { AppError } from '#src/lib/errors.ts';
import { shown } from '#src/lib/validation/describe-validation.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route is a WebSocket stream. Set for every route with a `wsHandler`. */
    isWebSocket?: boolean;
  }
}

/**
 * Decides whether Node hands a connection over to the WebSocket server. A client may offer other protocols with any
 * request (the JDK's client and `curl --http2` offer `h2c`); a server that does not speak them ignores the offer and
 * answers (RFC 9110 §7.8). Only GET of HTTP/1.1 can become a WebSocket (RFC 6455 §4.1).
 */
export function becomesWebSocket({ method, httpVersion, headers }: IncomingMessage): boolean {
  if (method !== 'GET' || httpVersion !== '1.1' || !protocols(headers.upgrade).includes('websocket')) return false;
  // of several protocols this one is chosen; the WebSocket server refuses a list
  headers.upgrade = 'websocket';
  return true;
}

function protocols(header: string | undefined): string[] {
  return (header ?? '').split(',').map((one) => one.trim().toLowerCase());
}

/**
 * Refuses, before the upgrade and as problem details, what the WebSocket server would refuse by text without a request
 * id: handshakes that do not hold, upgrades of a path without a stream, and ordinary requests for a stream.
 */
export function checkUpgrades(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.wsHandler) route.config = { ...route.config, isWebSocket: true };
  });
  app.addHook('onRequest', async ({ ws, is404, routeOptions, headers }, reply) => {
    if (is404) return;
    const isStream = routeOptions.config.isWebSocket === true;
    if (!ws && !isStream) return;
    const failure = ws
      ? isStream
        ? handshakeFailure(headers)
        : notHere(headers.upgrade)
      : notUpgraded(headers.upgrade);
    if (failure?.code === 'upgrade_required') {
      reply.headers({ connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' });
    }
    if (failure) throw failure;
  });
  // the socket of a refused handshake is not used again
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.ws) reply.header('connection', reply.hasHeader('upgrade') ? 'upgrade, close' : 'close');
    done(null, payload);
  });
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Tokens between commas (RFC 6455 §4.1, RFC 9110 §5.6.2); an empty one is no token. */
const subprotocols = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+(?:[\t ]*,[\t ]*[!#$%&'*+\-.^_`|~\dA-Za-z]+)*$/;

function handshakeFailure({
  'sec-websocket-version': version,
  'sec-websocket-key': key,
  'sec-websocket-protocol': offered,
}: Headers): AppError | null {
  // the WebSocket server takes 8 too, a draft's number, though it is not what the answer of a refusal names
  if (version !== '13') {
    const message = `header.sec-websocket-version: expected 13, got ${shown(version)}.`;
    return new AppError('upgrade_required', message, { field: 'header.sec-websocket-version', value: version ?? null });
  }
  if (typeof key !== 'string' || !/^[A-Za-z0-9+/]{22}==$/.test(key)) {
    const message = `header.sec-websocket-key: expected 16 bytes in base64, got ${shown(key)}.`;
    return new AppError('invalid_request', message, { field: 'header.sec-websocket-key', value: key ?? null });
  }
  if (offered !== undefined && !areSubprotocols(offered)) {
    const message = `header.sec-websocket-protocol: expected names between commas, each once, got ${shown(offered)}.`;
    return new AppError('invalid_request', message, { field: 'header.sec-websocket-protocol', value: offered });
  }
  return null;
}

function areSubprotocols(header: string | readonly string[]): boolean {
  if (typeof header !== 'string' || !subprotocols.test(header)) return false;
  const names = header.split(',').map((name) => name.trim());
  return new Set(names).size === names.length;
}

function notHere(value: string | undefined): AppError {
  const message =
    'header.upgrade: expected an ordinary request, got a WebSocket upgrade of a path that is no stream (/v1/asyncapi.json lists the streams).';
  return new AppError('invalid_request', message, { field: 'header.upgrade', value });
}

function notUpgraded(value: string | undefined): AppError {
  const message = `header.upgrade: expected a WebSocket upgrade, got ${value === undefined ? 'an ordinary request' : shown(value)}.`;
  return new AppError('upgrade_required', message, { field: 'header.upgrade', value: value ?? null });
}
