/** A refusal, in the sentence of the server that refused. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** HTTP status; 0 where no answer came. */
  readonly status: number;
  /** The code that programs go by. */
  readonly code: string;
  /** Faults of the request, each with its field. */
  readonly fields: readonly { readonly field: string; readonly message: string }[];
  /** Name of the request in the service's logs. */
  readonly requestId: string | null;

  constructor(
    status: number,
    problem: Partial<Omit<ApiError, 'status' | 'name'>> & { message: string },
    cause?: unknown,
  ) {
    super(problem.message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = problem.code ?? 'unknown';
    this.fields = problem.fields ?? [];
    this.requestId = problem.requestId ?? null;
  }
}

interface Problem {
  readonly code?: string;
  readonly detail?: string;
  readonly title?: string;
  readonly request_id?: string;
  readonly errors?: ApiError['fields'];
  /** Error as the studio and the OpenAI-compatible routes state it. */
  readonly error?: { readonly code?: string; readonly message?: string; readonly errors?: ApiError['fields'] } | string;
}

/** Reads an answer that is not 2xx: problem details, the studio's envelope, or the form of OpenAI's routes. */
export async function apiError(answer: Response): Promise<ApiError> {
  const problem = (await answer.json().catch(() => ({}))) as Problem;
  const inner = typeof problem.error === 'object' ? problem.error : undefined;
  return new ApiError(answer.status, {
    code: problem.code ?? inner?.code ?? String(answer.status),
    message:
      problem.detail ??
      inner?.message ??
      problem.title ??
      `The service answered ${answer.status} ${answer.statusText}.`,
    fields: problem.errors ?? inner?.errors ?? [],
    requestId: problem.request_id ?? answer.headers.get('x-request-id'),
  });
}

/** Checks whether the requested id does not exist or is malformed. */
export function isUnknown(error: Error | null): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 400);
}

/** Nothing came back: the service is away, or the network is. */
export function unreachable(cause: unknown): ApiError {
  return new ApiError(
    0,
    { code: 'unreachable', message: 'The service does not answer. It may be starting again, or you may be offline.' },
    cause,
  );
}
