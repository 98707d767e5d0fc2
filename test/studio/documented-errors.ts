import { Ajv2020 } from 'ajv/dist/2020.js';
import { StudioError } from '#src/studio/edge/studio-error.ts';

/** The errors of the studio as its document tables them. */
export const documentedErrors = {
  400: { phrase: 'Invalid request', code: 'invalid_request', type: 'validation_error' },
  401: { phrase: 'Authentication required', code: 'invalid_request', type: 'authentication_error' },
  403: { phrase: 'Insufficient scope', code: 'invalid_request', type: 'authorization_error' },
  429: { phrase: 'Rate limit exceeded', code: 'rate_limit_exceeded', type: 'rate_limit_error' },
  500: { phrase: 'Execution failed', code: 'invalid_request', type: 'execution_error' },
} as const;
export type DocumentedStatus = keyof typeof documentedErrors;

/** Of statuses that the document names without a code: what is a client's is a validation error. */
const otherType = (status: number): string => {
  if (status === 503) return 'service_unavailable';
  return status < 500 ? 'validation_error' : 'execution_error';
};

/** Whether a body is the envelope of an error, and nothing more. */
export const isError = new Ajv2020({ strict: false, formats: { uri: true } }).compile(StudioError);

export interface ErrorAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** What is wrong with an answer that should be the error of its status; nothing where it is exactly that. */
export function errorMisfit({ statusCode, headers, body: text }: ErrorAnswer): string[] {
  const body: unknown = JSON.parse(text);
  if (!isError(body)) return [`not an error envelope: ${text}`];
  const { error } = body;
  const tabled = statusCode in documentedErrors ? documentedErrors[statusCode as DocumentedStatus] : null;
  const phrase = tabled ? `${tabled.phrase}: ` : '';
  const found = [
    ['media type', String(headers['content-type']).split(';')[0], 'application/json'],
    ['type', error.type, tabled?.type ?? otherType(statusCode)],
    ['code', error.code, tabled?.code ?? error.code],
    ['request id', error.request_id, headers['x-request-id']],
    ['message', error.message.slice(0, phrase.length), phrase],
  ] as const;
  return found
    .filter(([, got, expected]) => got !== expected)
    .map(([what, got, expected]) => `${what}: ${String(got)}, not ${String(expected)}`);
}
