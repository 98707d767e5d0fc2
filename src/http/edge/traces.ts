import { propagation, type Span, SpanKind, SpanStatusCode, trace, context as traceContext } from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const spans = new WeakMap<FastifyRequest, Span>();

/**
 * A span per request, under the client's `traceparent`; what the handler starts (a job, a thread) hangs below it.
 * Sends nothing unless traces are configured.
 */
export function traceRequests(app: FastifyInstance): void {
  const tracer = trace.getTracer('proofline');

  app.addHook('onRequest', (request, _reply, done) => {
    const parent = propagation.extract(traceContext.active(), request.headers);
    const route = request.routeOptions.url ?? 'unmatched';
    const span = tracer.startSpan(
      `${request.method} ${route}`,
      { kind: SpanKind.SERVER, attributes: { 'http.request.method': request.method, 'http.route': route } },
      parent,
    );
    spans.set(request, span);
    const { traceId } = span.spanContext();
    request.trace = /^0+$/.test(traceId) ? traceOf(request) : traceId;
    done();
  });

  // here and not earlier: reading the body loses the context
  app.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request);
    if (!span) return done();
    const parent = propagation.extract(traceContext.active(), request.headers);
    traceContext.with(trace.setSpan(parent, span), done);
  });

  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request);
    span?.setAttribute('http.response.status_code', reply.statusCode);
    if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
    done();
  });
}

/** The trace id of a well-formed `traceparent` (W3C Trace Context), for the logs. */
function traceOf({ headers }: FastifyRequest): string | null {
  const header = headers['traceparent'];
  return typeof header === 'string' ? (/^00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/.exec(header)?.[1] ?? null) : null;
}
