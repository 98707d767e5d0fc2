import type { FastifyReply } from 'fastify';
import { AppError } from '#src/lib/errors.ts';

/**
 * Aborted when the client leaves before it has its answer. Not Fastify's `request.signal`: that one follows the
 * request's own `close`, which Node also emits when a larger body has been read to its end.
 */
export function clientGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort(new AppError('cancelled', 'The client left before the answer.'));
  });
  return gone.signal;
}
