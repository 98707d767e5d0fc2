import type { FastifyReply, FastifyRequest } from 'fastify';
import { settleFailure } from '#src/http/errors/error-handler.ts';
import type { ErrorCode } from '#src/lib/error-codes.ts';

/** Codes of JSON-RPC 2.0 itself. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/** JSON-RPC codes of what is refused before a message reaches its server; all else is one of ours, -32000. */
const rpcCodes: Partial<Record<ErrorCode, number>> = {
  malformed_body: PARSE_ERROR,
  invalid_request: INVALID_REQUEST,
  not_found: -32_001,
};

/** Answers what was refused as a JSON-RPC error without an id, with the problem details of every route as its data. */
export function answerRpcError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = settleFailure(error, request, reply);
  return reply.type('application/json').send({
    jsonrpc: '2.0',
    id: null,
    error: { code: rpcCodes[problem.code] ?? -32_000, message: problem.detail, data: problem },
  });
}
