/** Kinds of errors in the words of OpenAI's clients. */
export const clientErrorTypes = [
  'invalid_request_error',
  'authentication_error',
  'permission_error',
  'not_found_error',
  'conflict_error',
  'rate_limit_error',
  'api_error',
] as const;
export type ClientErrorType = (typeof clientErrorTypes)[number];
