import { randomUUIDv7 } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** The client's own `x-request-id` where it is harmless in logs and headers, else a new one. */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const header = headers['x-request-id'];
  return typeof header === 'string' && /^[\w.:-]{1,128}$/.test(header) ? header : randomUUIDv7();
}

/** Puts the id of a request on its answer, whatever the answer is. */
export function nameRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
}
