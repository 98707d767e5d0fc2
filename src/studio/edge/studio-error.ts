import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { settleFailure } from '#src/http/errors/error-handler.ts';
import { errorLink } from '#src/http/errors/error-link.ts';
import type { Problem } from '#src/http/errors/problem.ts';
import { type ErrorCode, errorCodes } from '#src/lib/error-codes.ts';

const types = [
  'authentication_error',
  'authorization_error',
  'validation_error',
  'rate_limit_error',
  'execution_error',
  'service_unavailable',
] as const;
type ErrorType = (typeof types)[number];

/** The only code of the studio's table that is not one of ours. */
const tooMany = 'rate_limit_exceeded';

/** Every error of the studio. */
export const StudioError = Type.Object(
  {
    error: Type.Object(
      {
        type: Type.Enum([...types], { type: 'string', description: 'Kind of error; it follows the status' }),
        message: Type.String({ description: 'Error in a sentence' }),
        code: Type.Enum([...(Object.keys(errorCodes) as ErrorCode[]), tooMany], {
          title: 'StudioErrorCode',
          type: 'string',
          description: 'The code that programs go by',
        }),
        docs: Type.Optional(
          Type.String({
            format: 'uri',
            description: 'Link to more about it: the fragment is the exact code, `reason` the case of it',
          }),
        ),
        request_id: Type.String({ description: 'Name of this request in our logs' }),
      },
      { additionalProperties: false },
    ),
  },
  { $id: 'StudioError', title: 'StudioError', additionalProperties: false, description: 'An error of the studio' },
);
export type StudioError = Static<typeof StudioError>;

interface Row {
  readonly type: ErrorType;
  /** First words of its messages, and its code, where the studio's document tables them. */
  readonly phrase?: string;
  readonly code?: StudioError['error']['code'];
}

const byStatus: Readonly<Record<number, Row>> = {
  400: { type: 'validation_error', phrase: 'Invalid request', code: 'invalid_request' },
  401: { type: 'authentication_error', phrase: 'Authentication required', code: 'invalid_request' },
  403: { type: 'authorization_error', phrase: 'Insufficient scope', code: 'invalid_request' },
  429: { type: 'rate_limit_error', phrase: 'Rate limit exceeded', code: tooMany },
  500: { type: 'execution_error', phrase: 'Execution failed', code: 'invalid_request' },
  503: { type: 'service_unavailable' },
};

/** Answers whatever a route of the studio threw, in the studio's envelope. */
export function answerStudioError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const envelope = studioError(settleFailure(error, request, reply), request.server.baseOf(request, 'studio'));
  return reply.type('application/json').send(Buffer.from(JSON.stringify(envelope)));
}

/**
 * Puts a problem into the studio's envelope. The document tables one code for many errors; the link names the exact
 * one.
 *
 * @param base address of the studio, without a path
 */
export function studioError({ status, code, detail, details, request_id }: Problem, base: string): StudioError {
  const row: Row = byStatus[status] ?? { type: status < 500 ? 'validation_error' : 'execution_error' };
  return {
    error: {
      type: row.type,
      message: row.phrase === undefined ? detail : `${row.phrase}: ${detail}`,
      code: row.code ?? code,
      docs: errorLink(base, code, details?.['reason']),
      request_id,
    },
  };
}

const documented = {
  400: 'Invalid request',
  401: 'Authentication required',
  403: 'Insufficient scope',
  404: 'There is no such thing, or it is not yours',
  409: 'It is in a state in which this cannot be',
  413: 'The body is too large',
  415: 'The body is not JSON',
  429: 'Rate limit exceeded',
  500: 'Execution failed',
  503: 'Something that this needs does not answer; try again',
} as const;

const content = { 'application/json': { schema: Type.Ref('StudioError') } };

/** An error answer that only some routes document. */
export const studioErrorResponse = (description: string) => ({ description, content });

/** The error answers that every route of the studio documents. */
export const studioErrorResponses = Object.fromEntries(
  Object.entries(documented).map(([status, description]) => [status, studioErrorResponse(description)]),
);
