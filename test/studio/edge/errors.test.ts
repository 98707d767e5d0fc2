import { expect, test } from 'vitest';
import { type ErrorCode, errorCodes } from '#src/lib/error-codes.ts';
import { studioError } from '#src/studio/edge/studio-error.ts';

const answer = (status: number, code: ErrorCode) =>
  studioError(
    { type: '', title: '', status, code, detail: 'expected this, got that.', request_id: 'r' },
    'https://x.example',
  ).error;

test.each<[number, ErrorCode, string, string, string]>([
  [400, 'malformed_body', 'validation_error', 'Invalid request: expected this, got that.', 'invalid_request'],
  [401, 'unauthorized', 'authentication_error', 'Authentication required: expected this, got that.', 'invalid_request'],
  [403, 'invalid_approval', 'authorization_error', 'Insufficient scope: expected this, got that.', 'invalid_request'],
  [404, 'not_found', 'validation_error', 'expected this, got that.', 'not_found'],
  [409, 'state_conflict', 'validation_error', 'expected this, got that.', 'state_conflict'],
  [413, 'payload_too_large', 'validation_error', 'expected this, got that.', 'payload_too_large'],
  [415, 'unsupported_media_type', 'validation_error', 'expected this, got that.', 'unsupported_media_type'],
  [429, 'quota_exceeded', 'rate_limit_error', 'Rate limit exceeded: expected this, got that.', 'rate_limit_exceeded'],
  [500, 'internal', 'execution_error', 'Execution failed: expected this, got that.', 'invalid_request'],
  [503, 'unavailable', 'service_unavailable', 'expected this, got that.', 'unavailable'],
])('%i (%s) is a %s', (status, code, type, message, shown) => {
  expect(answer(status, code)).toEqual({
    type,
    message,
    code: shown,
    docs: `https://x.example/docs/errors#${code}`,
    request_id: 'r',
  });
});

test('every code of ours has a type of the studio', () => {
  const types = Object.entries(errorCodes).map(([code, { status }]) => answer(status, code as ErrorCode).type);
  expect(new Set(types)).toEqual(
    new Set([
      'validation_error',
      'authentication_error',
      'authorization_error',
      'rate_limit_error',
      'execution_error',
      'service_unavailable',
    ]),
  );
});
