import type { FastifyInstance } from 'fastify';

/** For answers that are data: never sniffed, framed, cached or run. A page (a console, say) sets its own over these. */
const headers = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
};

/** What is public may stand in pages of any origin. */
const publicly = { 'cross-origin-resource-policy': 'cross-origin' };

export function secureAnswers(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers);
    if (request.routeOptions.config.anyOrigin) reply.headers(publicly);
    done();
  });
}
