import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { settleFailure } from '#src/http/errors/error-handler.ts';
import type { Problem } from '#src/http/errors/problem.ts';
import { errorCodes } from '#src/lib/error-codes.ts';
import { AppError } from '#src/lib/errors.ts';
import { platformProblem } from './platform-problem.ts';
import { ReplayedFailure } from './replayed-failure.ts';

/** Answers whatever a route of the platform threw. */
export function answerPlatformError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = platformProblem(settleFailure(error, request, reply));
  // a repetition under the key would get the same error again
  if (isReplayed(error, reply)) reply.removeHeader('retry-after').header('x-should-retry', 'false');
  if (!reply.hasHeader('x-should-retry')) reply.header('x-should-retry', String(isRetryable(problem)));
  // as bytes: Fastify would add a charset to text, which this type has none of
  return reply.type('application/problem+json').send(Buffer.from(JSON.stringify(problem)));
}

/** Checks whether it is the error with which the job of an earlier request under the same key ended. */
function isReplayed(error: unknown, reply: FastifyReply): boolean {
  if (!(error instanceof AppError)) return false;
  const job = error.details['job'];
  if (error instanceof ReplayedFailure) reply.headers({ 'idempotency-replayed': 'true', 'x-job-id': String(job) });
  return reply.hasHeader('idempotency-replayed') && job === reply.getHeader('x-job-id');
}

/** Says whether a retry can help: such clients repeat every 409, 429 and 5xx unless the answer says otherwise. */
function isRetryable({ status, code }: Problem): boolean {
  const row = Object.hasOwn(errorCodes, code) ? errorCodes[code] : undefined;
  return row?.retryable ?? status >= 500;
}

const content = { 'application/problem+json': { schema: Type.Ref('PlatformProblem') } };

/** The error answers that every route of the platform documents. */
export const platformResponses = {
  '4XX': { description: 'The request cannot be served as it is; `code` says why', content },
  '5XX': { description: 'Something failed on our side or a provider’s; `request_id` finds it in the logs', content },
};
