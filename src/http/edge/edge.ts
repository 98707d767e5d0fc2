import { type SerializerFactory, SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import websocket from '@fastify/websocket';
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify';
import { type Access, openAccess } from '#src/access/access.ts';
import { openLimits } from '#src/access/limits/request-limits.ts';
import { describeStreams } from '#src/http/documents/asyncapi.ts';
import { describeRoutes } from '#src/http/documents/openapi.ts';
import { listRoutes } from '#src/http/documents/route-list.ts';
import { allowOwnErrors, answerClientError, answerError, answerErrorAt } from '#src/http/errors/error-handler.ts';
import { answerUnknownRoutes } from '#src/http/errors/unknown-route.ts';
import { baseOf } from '#src/http/request/base-url.ts';
import { takeBodies } from '#src/http/request/bodies.ts';
import { guardRoutes } from '#src/http/request/guard.ts';
import { noteCalls } from '#src/http/request/note-calls.ts';
import { readQueries } from '#src/http/request/queries.ts';
import { nameRequests, requestId } from '#src/http/request/request-id.ts';
import { whenUsed } from '#src/lib/async/when-used.ts';
import { buildValidators } from '#src/lib/validation/validators.ts';
import type { Context } from '#src/system/context.ts';
import { allowOtherOrigins } from './cors.ts';
import { measureRequests } from './http-metrics.ts';
import { traceRequests } from './traces.ts';
import { becomesWebSocket, checkUpgrades } from './upgrades.ts';

/**
 * Once the process stops, every answer closes its connection. Node sweeps idle connections only once, at the beginning;
 * one that falls idle later would hold the process up until its keep-alive ends (over a minute).
 */
function closeAfterAnswers(app: FastifyInstance): void {
  let stopping = false;
  app.addHook('preClose', (done) => {
    stopping = true;
    done();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (stopping) reply.header('connection', 'close');
    done(null, payload);
  });
}

/** For answers that are data: never sniffed, framed, cached or run. A page (a console, say) sets its own over these. */
const headers = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
};

/** Header of public answers, which pages of any origin may embed. */
const publicly = { 'cross-origin-resource-policy': 'cross-origin' };

function secureAnswers(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers);
    if (request.routeOptions.config.anyOrigin) reply.headers(publicly);
    done();
  });
}

const pluginName = Symbol.for('fastify.display-name');

/**
 * Names each plugin after its function. Without a name Fastify looks for the plugin in every module that was ever
 * required, which took most of the time in which an app is built.
 */
function namePlugins(app: FastifyInstance): void {
  const { register } = app;
  const named = (plugin: object & { readonly name?: string }, options: unknown) => {
    if (plugin.name && !(pluginName in plugin)) Object.assign(plugin, { [pluginName]: plugin.name });
    return register(plugin as never, options as never);
  };
  app.register = named as never;
}

const factory = SerializerSelector();

/**
 * Fastify's serializer factory, with each answer's writer compiled by the first answer that needs it: all of them
 * together took a second of each start.
 */
const buildSerializers: SerializerFactory = (shared, options) => (route) => {
  // one compiler each: it strikes what has the schema's own id from its list, and forgets to put it back
  const write = whenUsed(() => factory(shared, options)(route));
  return (value) => write()(value);
};

/**
 * Opens the app with everything that routes need: names, traces, headers, bodies, validation, errors, access. Routes
 * come after it.
 */
export async function openEdge(context: Context, access: Access = openAccess(context)): Promise<FastifyInstance> {
  const { config } = context;
  // by this type the app is what plugins expect: an app with any logger
  const logger: FastifyBaseLogger = context.log;
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: requestId,
    // the nearest proxies, counted from our own socket; what lies behind them anybody can write
    trustProxy: (_address, hop) => hop < config.TRUST_PROXY_HOPS,
    bodyLimit: config.BODY_LIMIT_BYTES,
    // slow senders of bodies are let go; streams are answers and not affected
    requestTimeout: 60_000,
    http: { shouldUpgradeCallback: becomesWebSocket },
    routerOptions: { maxParamLength: 500 },
    schemaController: {
      compilersFactory: { buildValidator: buildValidators as never, buildSerializer: buildSerializers as never },
    },
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      answerErrorAt(app, error, request, reply);
    },
    clientErrorHandler: (error, socket) => answerClientError(error, socket),
  });

  namePlugins(app);
  app.decorate('baseOf', (request, surface) => baseOf(request, config, surface));
  app.setErrorHandler(answerError);
  allowOwnErrors(app);
  nameRequests(app);
  secureAnswers(app);
  closeAfterAnswers(app);
  traceRequests(app);
  measureRequests(app, context);
  takeBodies(app);
  readQueries(app);
  await app.register(websocket, {
    options: { maxPayload: config.BODY_LIMIT_BYTES, perMessageDeflate: false },
    errorHandler: (error, socket, request) => {
      request.log.debug({ err: error }, 'a WebSocket failed');
      socket.terminate();
    },
    // the hub ends the streams; the plugin would close them without a code
    preClose: (done) => done(),
  });
  allowOtherOrigins(app, config);
  guardRoutes(app, access, openLimits(context));
  checkUpgrades(app);
  noteCalls(app, context);
  answerUnknownRoutes(app);
  listRoutes(app);
  await describeRoutes(app, context);
  describeStreams(app, config.PUBLIC_URL);
  return app;
}
