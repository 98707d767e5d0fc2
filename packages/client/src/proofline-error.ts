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
  const problem = problemOf(text);
  const isOurs = typeof problem.code === 'string';
  const message =
    typeof problem.detail === 'string'
      ? problem.detail
      : `${request}: expected an answer of Proofline, got ${status}: ${text.slice(0, 200)}`;
  return new ProoflineError(message, {
    code: isOurs ? (problem.code as string) : `http_${status}`,
    status,
    details: {
      ...(isRecord(problem.details) && problem.details),
      ...(problem.errors !== undefined && { errors: problem.errors }),
    },
    retryable: passing.has(status) || problem.code === 'internal',
    retryAfterMs: retryAfterOf(headers),
    requestId: typeof problem.request_id === 'string' ? problem.request_id : undefined,
  });
}

function problemOf(text: string): Problem {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    // a proxy answers in HTML; the status says enough
    return {};
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
