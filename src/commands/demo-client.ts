import { AppError } from '#src/lib/errors.ts';

/** One message of a stream of server-sent events. */
export interface StreamedEvent {
  readonly type: string;
  readonly at: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A caller of the API, over HTTP as any other. */
export interface Client {
  /** @throws AppError `unavailable` with the answer when it is not one of success. */
  readonly call: <T>(
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<T>;
  /** The events of a job from its first on, as they come; ends with the job. */
  readonly follow: (path: string) => AsyncGenerator<StreamedEvent>;
}

/** Speaks to the API at `url` with a key. Every call ends with the signal. */
export function openClient(url: string, key: string, signal: AbortSignal): Client {
  const ask = async (
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<Response> => {
    const response = await fetch(url + path, {
      method,
      signal,
      headers: { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (response.ok) return response;
    throw new AppError(
      'unavailable',
      `${method} ${path} was answered with ${response.status}: ${await response.text()}`,
    );
  };
  return {
    call: async <T>(method: 'GET' | 'POST', path: string, body?: unknown, headers = {}) => {
      const answer: T = JSON.parse(await (await ask(method, path, body, headers)).text());
      return answer;
    },
    follow: async function* (path) {
      const { body } = await ask('GET', path, undefined, { accept: 'text/event-stream' });
      if (body) yield* readEvents(body);
    },
  };
}

/** Reads the `data` lines of a stream whose messages are each one line of JSON. */
async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamedEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data: ')) continue;
      const event: StreamedEvent = JSON.parse(line.slice('data: '.length));
      yield event;
    }
  }
}
