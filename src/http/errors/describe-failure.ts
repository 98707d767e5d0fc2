import type { FastifyError } from 'fastify';
import { describeDiskFull } from '#src/lib/disk-full.ts';
import { type ErrorCode, errorCodes } from '#src/lib/error-codes.ts';
import { AppError, describeError } from '#src/lib/errors.ts';
import { isRedisAway } from '#src/lib/redis-away.ts';
import { describeValidation } from '#src/lib/validation/describe-validation.ts';
import { isConnectionLost, isTimeout, sqlState } from '#src/system/postgres/postgres-errors.ts';
import type { Problem } from './problem.ts';

type Failure = Omit<Problem, 'request_id'>;

/** Describes anything that was thrown to a client: in our own sentences, and with no text that we did not write. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof AppError) return ofAppError(error);
  if (!(error instanceof Error)) return failure('internal', describeError(error).message);
  const { validation, validationContext, code, statusCode } = error as Partial<FastifyError>;
  if (validation) {
    const { field, message, value } = describeValidation(validation, validationContext);
    return { ...failure('invalid_request', message), errors: [{ field, message, value }] };
  }
  const known = code === undefined ? undefined : frameworkFailures[code];
  if (known) return failure(known.code, known.detail);
  const diskFull = describeDiskFull(error);
  if (diskFull !== undefined) return failure('storage_full', diskFull);
  // a value that no schema of ours refused, but the database did
  if (sqlState(error)?.startsWith('22')) {
    return failure('invalid_request', 'expected values that can be stored and compared, got one that cannot.');
  }
  if (isRedisAway(error) || isTimeout(error) || isConnectionLost(error)) {
    return failure('unavailable', 'A server that this needs does not answer; try again in a few seconds.');
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return failure('invalid_request', 'expected a well-formed HTTP request, got one that cannot be read.');
  }
  return failure('internal', describeError(error).message);
}

function ofAppError({ code, message, details }: AppError): Failure {
  const { field, value, errors, ...rest } = details;
  const named = typeof field === 'string' ? [{ field, message, value: value ?? null }] : undefined;
  const fields = Array.isArray(errors) ? (errors as Failure['errors']) : named;
  return {
    ...failure(code, message),
    ...(fields && { errors: fields }),
    ...(Object.keys(rest).length > 0 && { details: rest }),
  };
}

function failure(code: ErrorCode, detail: string): Failure {
  const { status, title } = errorCodes[code];
  return { type: `urn:proofline:error:${code}`, title, status, detail, code };
}

const unreadable = (detail: string) => ({ code: 'malformed_body', detail }) as const;

const frameworkFailures: Record<string, { readonly code: ErrorCode; readonly detail: string }> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'unsupported_media_type',
    detail: 'expected Content-Type application/json, got another or none.',
  },
  FST_ERR_CTP_EMPTY_JSON_BODY: unreadable('expected a JSON body, got an empty one.'),
  FST_ERR_CTP_INVALID_JSON_BODY: unreadable('expected a JSON body, got text that is not JSON.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: unreadable('expected as many bytes as Content-Length says, got another number.'),
  FST_ERR_BAD_URL: { code: 'invalid_request', detail: 'expected a well-formed path, got one with a broken % escape.' },
  FST_ERR_MAX_PARAM_LENGTH: {
    code: 'not_found',
    detail: 'expected a path that exists, got one with a part that is too long.',
  },
};
