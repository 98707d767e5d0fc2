import { randomUUIDv7 } from 'node:crypto';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorCodes } from '#src/lib/error-codes.ts';
import { AppError } from '#src/lib/errors.ts';
import { describeFailure } from './describe-failure.ts';
import type { Problem } from './problem.ts';

const statuses: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Answers bytes that are no HTTP request: there is no route and no reply object then, only the socket. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = statuses[error.code ?? ''] ?? '400 Bad Request';
  const id = randomUUIDv7();
  const body = JSON.stringify({
    type: 'urn:proofline:error:invalid_request',
    title: errorCodes.invalid_request.title,
    status: Number(status.slice(0, 3)),
    detail:
      'expected a well-formed HTTP/1.1 request, got bytes that are not HTTP, too many headers, or nothing in time.',
    code: 'invalid_request',
    request_id: id,
  });
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/problem+json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nx-request-id: ${id}\r\nconnection: close\r\n\r\n${body}`,
  );
}

/** Answers whatever a route threw as problem details. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = settleFailure(error, request, reply);
  // as bytes: Fastify would add a charset to text, which this type has none of
  return reply.type('application/problem+json').send(Buffer.from(JSON.stringify(problem)));
}

/**
 * Gives the answer the status and headers of what was thrown, and what there is to say of it. What is our fault is
 * logged with its cause; nothing of it is answered.
 */
export function settleFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): Problem {
  const failure = describeFailure(isTooLarge(error) ? tooLarge(request, error) : error);
  // a server that is away has a line of its own: a stack for every request meanwhile would bury it
  if (failure.code === 'unavailable')
    request.log.warn({ code: failure.code, why: reasonsOf(error) }, 'a request failed');
  else if (failure.status >= 500) request.log.error({ err: error, code: failure.code }, 'a request failed');
  for (const [name, value] of Object.entries(headersOf(failure))) reply.header(name, value);
  // Node reads and drops the rest of a body that is too large, so that the client hears why; closing would cut it off
  if (failure.status === 413) reply.removeHeader('connection');
  reply.code(failure.status);
  return { ...failure, request_id: request.id };
}

/** Sentences of an error and of what caused it, without their stacks. */
function reasonsOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${String(error)}${cause}`.slice(0, 500);
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE';
}

/** Fastify reports neither the limit nor what came; a body in chunks is counted only up to the limit. */
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
    // clients of OpenAI's kind repeat a 409 unless an answer forbids it
    ...(code === 'idempotency_conflict' && { 'x-should-retry': 'false' }),
  };
}

type Answer = typeof answerError;

declare module 'fastify' {
  interface FastifyInstance {
    /** Writers of errors below a path, by that path, where errors are not problem details. */
    ownErrors: Map<string, (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply>;
  }
}

/** Lets surfaces answer errors in their own shape, also those that come before there is a route. */
export function allowOwnErrors(app: FastifyInstance): void {
  app.decorate('ownErrors', new Map<string, Answer>());
}

/** Answers an error of a request that no route was found for yet. */
export function answerErrorAt(
  { ownErrors }: FastifyInstance,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const [, own] = [...ownErrors].find(([path]) => request.url.startsWith(`${path}/`)) ?? [];
  return (own ?? answerError)(error, request, reply);
}
