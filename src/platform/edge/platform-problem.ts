import type { Problem } from '#src/http/errors/problem.ts';
import type { ClientErrorType } from './client-error-types.ts';
import type { ClientError, PlatformProblem } from './platform-problem-schema.ts';

/** Types by status; what is not named goes by its class. */
const types: Readonly<Record<number, ClientErrorType>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  429: 'rate_limit_error',
};

/** A problem with the member that clients of OpenAI's kind read. */
export function platformProblem(problem: Problem): PlatformProblem {
  return { ...problem, error: clientError(problem) };
}

/** A problem in the words of such clients alone: what a stream ends with. */
export function clientError({
  status,
  code,
  detail,
  errors,
}: Pick<Problem, 'status' | 'code' | 'detail' | 'errors'>): ClientError {
  const type = types[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
  const field = errors?.[0]?.field.replace(/^(body|query|path|header)\.?/, '') ?? '';
  return { message: detail, type, code, param: field === '' ? null : field };
}
