import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#src/lib/errors.ts';
import { describeFailure } from './describe-failure.ts';
import type { Problem } from './problem.ts';

/** Answers whatever a route threw as problem details. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = settleFailure(error, request, reply);
  // as bytes: Fastify would add a charset to text, which this type has none of
  return reply.type('application/problem+json').send(Buffer.from(JSON.stringify(problem)));
}

/**
 * Gives the answer the status and headers of what was thrown, and what there is to say of it. What is our fault is logged
 * with its cause; nothing of it is answered.
 */
export function settleFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): Problem {
  const failure = describeFailure(isTooLarge(error) ? tooLarge(request, error) : error);
  if (failure.status >= 500) request.log.error({ err: error, code: failure.code }, 'a request failed');
  for (const [name, value] of Object.entries(headersOf(failure))) reply.header(name, value);
  // Node reads and drops the rest of a body that is too large, so that the client hears why; closing would cut it off
  if (failure.status === 413) reply.removeHeader('connection');
  reply.code(failure.status);
  return { ...failure, request_id: request.id };
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE';
}

/** Fastify tells neither the limit nor what came; a body in chunks is counted only up to the limit. */
function tooLarge({ routeOptions, headers }: FastifyRequest, cause: unknown): AppError {
  const limit = routeOptions.bodyLimit ?? 0;
  const length = headers['content-length'];
  return new AppError(
    'payload_too_large',
    `expected a body of at most ${limit} bytes, got ${length === undefined ? 'more' : length}.`,
    { limit_bytes: limit },
    cause,
  );
}

function headersOf({ code, status, details }: ReturnType<typeof describeFailure>): Record<string, string> {
  const seconds = details?.['retry_after_seconds'];
  const retryAfter = typeof seconds === 'number' ? seconds : status === 503 ? 1 : undefined;
  return {
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    ...(status === 401 && { 'www-authenticate': 'Bearer realm="proofline"' }),
    // clients of OpenAI's kind repeat a 409 unless told not to
    ...(code === 'idempotency_conflict' && { 'x-should-retry': 'false' }),
  };
}
