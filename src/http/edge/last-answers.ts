import type { FastifyInstance } from 'fastify';

/**
 * Once the process stops, every answer closes its connection. Node sweeps idle connections only once, at the beginning;
 * one that falls idle later would hold the process up until its keep-alive ends (over a minute).
 */
export function closeAfterAnswers(app: FastifyInstance): void {
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
