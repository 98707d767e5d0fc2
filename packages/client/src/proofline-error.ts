import { retryAfterOf } from './pause.ts';

export interface ErrorParts {
  readonly code: string;
  /** Status of the HTTP answer; 0 where there was none. */
  readonly status?: number;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Tells whether the same thing may succeed later. */
  readonly retryable?: boolean;
  /** Milliseconds that the server asks to be left alone. */
  readonly retryAfterMs?: number | undefined;
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

/** A refusal of the server, or no answer of it (`code` is `unreachable` or `timeout`, `status` 0). */
export class ProoflineError extends Error {
  override readonly name: string = 'ProoflineError';
  /** Code that programs go by, as the error page of the server lists them. */
  readonly code: string;
  readonly status: number;
  readonly details: Readonly<Record<string, unknown>>;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  /** Name of the request in the logs of the server. */
  readonly requestId: string | undefined;

  constructor(message: string, { code, status = 0, details = {}, retryable = false, ...more }: ErrorParts) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.status = status;
    this.details = details;
    this.retryable = retryable;
    this.retryAfterMs = more.retryAfterMs;
    this.requestId = more.requestId;
  }
}

/** Problem details (RFC 9457) as far as they are read here. */
interface Problem {
  readonly code?: unknown;
  readonly detail?: unknown;
  readonly details?: unknown;
  readonly errors?: unknown;
  readonly request_id?: unknown;
}

const passing: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** The error that an answer stands for: problem details as they are, anything else by its status. */
export function refusalOf(request: string, { status, headers }: Response, text: string): ProoflineError {
  return errorOf(request, status, bodyOf(text), retryAfterOf(headers));
}

/**
 * The error for a refusal.
 *
 * @param request names the request in errors of what is no server of ours
 * @param body problem details, or the text that came instead
 */
export function errorOf(request: string, status: number, body: unknown, retryAfterMs?: number): ProoflineError {
  const problem: Problem = isRecord(body) ? body : {};
  const { code, detail, details, errors, request_id: id } = problem;
  const text = typeof body === 'string' ? body.slice(0, 200) : JSON.stringify(body ?? '');
  const message =
    typeof detail === 'string' ? detail : `${request}: expected an answer of Proofline, got ${status}: ${text}`;
  return new ProoflineError(message, {
    code: typeof code === 'string' ? code : `http_${status}`,
    status,
    details: { ...(isRecord(details) && details), ...(errors !== undefined && { errors }) },
    retryable: passing.has(status) || code === 'internal',
    retryAfterMs,
    requestId: typeof id === 'string' ? id : undefined,
  });
}

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // a proxy answers in HTML
    return text;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
