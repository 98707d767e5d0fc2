import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '#src/system/context.ts';

/**
 * Counts and times every answer by its route's pattern (never by its path, which callers choose), and logs one line of
 * it.
 */
export function measureRequests(app: FastifyInstance, { metrics }: Pick<Context, 'metrics'>): void {
  app.addHook('onResponse', (request, reply, done) => {
    const route = routeOf(request);
    const { method } = request;
    metrics.proofline_http_requests_total.inc({ method, route, status: String(reply.statusCode) });
    const isStream = request.routeOptions.config.stream === true;
    if (!isStream) metrics.proofline_http_request_seconds.observe({ method, route }, reply.elapsedTime / 1_000);
    // probes come every second and say nothing
    if (request.routeOptions.config.unlimited) return done();
    const owner = request.principal?.owner;
    const job = reply.getHeader('x-job-id');
    const level = reply.statusCode >= 500 ? 'error' : 'info';
    request.log[level](
      { method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime), owner, job, trace: request.trace },
      'answered',
    );
    done();
  });
}

function routeOf(request: FastifyRequest): string {
  return request.is404 ? 'unmatched' : (request.routeOptions.url ?? 'unmatched');
}
