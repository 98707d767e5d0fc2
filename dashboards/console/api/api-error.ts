/** An answer that says no, in the sentence of whoever refused. */
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

  constructor(status: number, told: Partial<Omit<ApiError, 'status' | 'name'>> & { message: string }, cause?: unknown) {
    super(told.message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = told.code ?? 'unknown';
    this.fields = told.fields ?? [];
    this.requestId = told.requestId ?? null;
  }
}

interface Told {
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
  const told = (await answer.json().catch(() => ({}))) as Told;
  const inner = typeof told.error === 'object' ? told.error : undefined;
  return new ApiError(answer.status, {
    code: told.code ?? inner?.code ?? String(answer.status),
    message:
      told.detail ?? inner?.message ?? told.title ?? `The service answered ${answer.status} ${answer.statusText}.`,
    fields: told.errors ?? inner?.errors ?? [],
    requestId: told.request_id ?? answer.headers.get('x-request-id'),
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
