import { isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { callLog } from '#src/access/call-log.ts';
import type { Context } from '#src/system/context.ts';

/** Notes every answer of a route that names its capability: who called, and what came of it. No caller waits for it. */
export function noteCalls(app: FastifyInstance, context: Context): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { capability } = request.routeOptions.config;
    const { principal, ip } = request;
    if (capability !== undefined && principal) {
      callLog(context).note({
        owner: principal.owner,
        keyId: principal.keyId,
        via: 'http',
        capability,
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime),
        requestId: request.id,
        // one of a link has the name of a card behind it, which the database does not take
        ip: isIP(ip) > 0 && !ip.includes('%') ? ip : null,
      });
    }
    done();
  });
}
