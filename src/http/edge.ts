import websocket from '@fastify/websocket';
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify';
import { type Access, openAccess } from '#src/access/access.ts';
import { openLimits } from '#src/access/limits.ts';
import type { Context } from '#src/system/context.ts';
import { describeStreams } from './asyncapi.ts';
import { baseOf } from './base-url.ts';
import { takeBodies } from './bodies.ts';
import { answerClientError } from './client-error.ts';
import { allowOtherOrigins } from './cors.ts';
import { allowOwnErrors, answerErrorAt } from './error-answers.ts';
import { answerError } from './error-handler.ts';
import { guardRoutes } from './guard.ts';
import { measureRequests } from './http-metrics.ts';
import { closeAfterAnswers } from './last-answers.ts';
import { noteCalls } from './note-calls.ts';
import { describeRoutes } from './openapi.ts';
import { readQueries } from './queries.ts';
import { nameRequests, requestId } from './request-id.ts';
import { listRoutes } from './route-list.ts';
import { secureAnswers } from './security-headers.ts';
import { buildSerializers } from './serializers.ts';
import { traceRequests } from './traces.ts';
import { answerUnknownRoutes } from './unknown-route.ts';
import { becomesWebSocket, checkUpgrades } from './upgrades.ts';
import { buildValidators } from './validators.ts';

/** What every route stands on: names, traces, headers, bodies, validation, errors, who may call. Routes come after it. */
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
    options: { maxPayload: 4_096, perMessageDeflate: false },
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
  await describeRoutes(app, config);
  describeStreams(app, config.PUBLIC_URL);
  return app;
}
