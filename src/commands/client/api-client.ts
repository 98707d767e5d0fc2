import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { answerSentence } from '#src/commands/terminal/failure.ts';
import { AppError } from '#src/lib/errors.ts';

/** One message of a stream of server-sent events. */
export interface StreamedEvent {
  /** The cursor behind it; absent where it moves none. */
  readonly id?: string;
  readonly type: string;
  readonly at: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Following {
  /** Id of the last event seen: the stream goes on behind it. */
  readonly after?: string | undefined;
  /** Ends the stream besides the signal of the client. */
  readonly signal?: AbortSignal;
  /** A stream that says nothing for so long, signs of life included, is given up. */
  readonly quietMs?: number;
  /** Told how long the service wants to be left alone before the next connection. */
  readonly onRetry?: (ms: number) => void;
}

/** A caller of the API, over HTTP as any other. */
export interface Client {
  readonly url: string;
  /**
   * @throws AppError with the sentence of the answer when it is not one of success; {@link statusOf} has its status.
   */
  readonly call: <T>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<T>;
  /** The events of a stream, as they come; ends with it, and at once where there is nothing behind the cursor. */
  readonly follow: (path: string, following?: Following) => AsyncGenerator<StreamedEvent>;
}

/** Speaks to the API at `url` with a key. Every call ends with the signal. */
export function openClient(url: string, key: string, signal: AbortSignal): Client {
  const ask = async (
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string>,
    until = signal,
  ): Promise<Response> => {
    const response = await fetch(new URL(path, url), {
      method,
      signal: until,
      headers: { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      if (!isTimeout(until.reason)) until.throwIfAborted();
      throw noAnswer(url, error);
    });
    if (response.ok) return response;
    throw refusal(`${method} ${path.split('?')[0]}`, response.status, await response.text());
  };
  return {
    url,
    call: async <T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown, headers = {}) => {
      const text = await (await ask(method, path, body, headers)).text();
      // an answer without a body is one without anything to say
      const answer: T = JSON.parse(text || 'null');
      return answer;
    },
    follow: async function* (path, { after, signal: own, quietMs, onRetry } = {}) {
      const quiet = new AbortController();
      const until = AbortSignal.any([signal, quiet.signal, ...(own ? [own] : [])]);
      const headers = { accept: 'text/event-stream', ...(after !== undefined && { 'last-event-id': after }) };
      const watch = quietMs === undefined ? undefined : setTimeout(() => quiet.abort(silent(url)), quietMs);
      try {
        const { body } = await ask('GET', path, undefined, headers, until);
        if (body) yield* readEvents(body, { onChunk: () => void watch?.refresh(), onRetry });
      } finally {
        clearTimeout(watch);
      }
    },
  };
}

/** The status that an error of {@link Client.call} is about; undefined where there was no answer. */
export function statusOf(error: unknown): number | undefined {
  const status = error instanceof AppError ? error.details['status'] : undefined;
  return typeof status === 'number' ? status : undefined;
}

async function* readEvents(
  body: ReadableStream<Uint8Array>,
  { onChunk, onRetry }: { readonly onChunk: () => void; readonly onRetry: ((ms: number) => void) | undefined },
): AsyncGenerator<StreamedEvent> {
  const ready: EventSourceMessage[] = [];
  const parser = createParser({
    onEvent: (event) => void ready.push(event),
    ...(onRetry && { onRetry }),
  });
  const decoder = new TextDecoder();
  for await (const bytes of body) {
    onChunk();
    parser.feed(decoder.decode(bytes, { stream: true }));
    for (const { id, data } of ready.splice(0)) {
      const event: StreamedEvent = JSON.parse(data);
      yield { ...event, ...(id !== undefined && { id }) };
    }
  }
}

function refusal(what: string, status: number, text: string): AppError {
  const advice = status === 401 ? ' PROOFLINE_KEY takes a key of that service.' : '';
  return new AppError(
    status === 400 ? 'invalid_request' : 'unavailable',
    `${what} was answered with ${status}: ${answerSentence(text)}${advice}`,
    { status },
  );
}

function noAnswer(url: string, error: unknown): AppError {
  const cause = error instanceof Error ? error.cause : undefined;
  const code =
    cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : isTimeout(error) ? ' in time' : '';
  return new AppError(
    'unavailable',
    `expected an API at ${url}, got no answer${code}: start one with npm start, or name another with --url.`,
    {},
    error,
  );
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof Error && reason.name === 'TimeoutError';
}

function silent(url: string): AppError {
  return new AppError('unavailable', `expected signs of life on the stream of ${url}, got none.`);
}
