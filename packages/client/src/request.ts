import { linkSignal } from './linked-signal.ts';
import { backoff, pause } from './pause.ts';
import { ProoflineError, refusalOf } from './proofline-error.ts';

/** Address and key of a server, and how patiently it is asked. */
export interface Connection {
  /** Address without a slash at its end. */
  readonly url: string;
  readonly key: string;
  readonly fetch: typeof fetch;
  /** Number of tries after the first. */
  readonly retries: number;
  /** Pause before the second try, ms; doubled with each. */
  readonly backoffMs: number;
  /** Longest wait for a whole answer, ms. */
  readonly timeoutMs: number;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path with its query, from the address of the server on. */
  readonly path: string;
  /** Body as text. */
  readonly text?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  readonly retries?: number;
  /** Takes an answer for one of success that its status alone would make an error. */
  readonly accepts?: (response: Response) => boolean;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Longest `Retry-After` that is waited for: a caller decides about longer ones. */
const patienceMs = 30_000;

/**
 * Sends a request and reads the whole answer, again after refusals that pass (429, 502, 503, 504) and lost connections.
 * Only for requests that may be repeated.
 *
 * @throws ProoflineError for every other answer, and when the tries are used up; the reason of the signal.
 */
export async function request(connection: Connection, call: Call): Promise<Answer> {
  const { retries = connection.retries, signal } = call;
  for (let failures = 0; ; failures += 1) {
    const outcome = await once(connection, call);
    if (!(outcome instanceof ProoflineError)) return outcome;
    const { retryable, retryAfterMs = 0 } = outcome;
    if (!retryable || failures >= retries || retryAfterMs > patienceMs) throw outcome;
    await pause(retryAfterMs + backoff(connection.backoffMs, failures), signal);
  }
}

async function once(connection: Connection, call: Call): Promise<Answer | ProoflineError> {
  const { timeoutMs = connection.timeoutMs } = call;
  const name = nameOf(call);
  const link = linkSignal(call.signal, timeoutMs, () => lateAnswer(connection, name, timeoutMs));
  try {
    const response = await ask(connection, call, link.signal);
    const { status, headers, ok } = response;
    const text = await response.text();
    return ok || call.accepts?.(response) === true ? { status, headers, text } : refusalOf(name, response, text);
  } catch (error) {
    call.signal?.throwIfAborted();
    return error instanceof ProoflineError ? error : unreachable(connection, name, error);
  } finally {
    link.release();
  }
}

/**
 * Opens an answer that is read as it comes, once; the signal ends it. The status is one of success.
 *
 * @throws ProoflineError for any other answer, or none; the reason of the signal.
 */
export async function openAnswer(connection: Connection, call: Call, signal: AbortSignal): Promise<Response> {
  const name = nameOf(call);
  try {
    const response = await ask(connection, call, signal);
    if (response.ok) return response;
    throw refusalOf(name, response, await response.text());
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof ProoflineError ? error : unreachable(connection, name, error);
  }
}

async function ask(
  { url, key, fetch: send }: Connection,
  { method, path, text, headers }: Call,
  signal: AbortSignal,
): Promise<Response> {
  return await send(`${url}${path}`, {
    method,
    signal,
    headers: {
      authorization: `Bearer ${key}`,
      ...(text !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(text !== undefined && { body: text }),
  });
}

const nameOf = ({ method, path }: Call): string => `${method} ${path.split('?')[0]}`;

/** The error for a server that does not answer. */
export function unreachable({ url }: Pick<Connection, 'url'>, name: string, cause: unknown): ProoflineError {
  const inner = cause instanceof Error && cause.cause !== undefined ? cause.cause : cause;
  const reason = inner instanceof Error ? inner.message || String((inner as { code?: unknown }).code) : String(inner);
  return new ProoflineError(`${name}: expected an answer of ${url}, got none (${reason}). Is the address right?`, {
    code: 'unreachable',
    retryable: true,
    cause,
  });
}

function lateAnswer({ url }: Connection, name: string, ms: number): ProoflineError {
  return new ProoflineError(`${name}: expected an answer of ${url} within ${ms} ms, got none.`, {
    code: 'timeout',
    retryable: true,
  });
}
