import type { Api } from './api.d.ts';
import { ApiError, apiError, unreachable } from './api-error.ts';

/** A call of the API, as its document names it: `GET /v1/jobs`. */
export type Call = keyof Api;

/** Body of a call's successful answer. */
export type Answer<K extends Call> = Api[K]['answer'];

/** Input of a call: `path`, `query`, `body`, as far as it has them. */
export type CallInput<K extends Call> = Omit<Api[K], 'answer' | 'headers'> & {
  readonly headers?: Readonly<Record<string, string>>;
};

/** Arguments after a call's name: none are needed where every part of the input is optional. */
export type CallArguments<K extends Call> =
  object extends CallInput<K> ? [input?: CallInput<K>] : [input: CallInput<K>];

let forgeryToken: string | null = null;
let onSignedOut: () => void = () => {};

/** Sets what goes along with calls that change something, and what is done when the session turns out to be over. */
export function callAs(token: string | null, signedOut: () => void): void {
  forgeryToken = token;
  onSignedOut = signedOut;
}

/**
 * Calls the API as the person who is signed in.
 *
 * @throws ApiError with the service's own sentence when it refuses, or does not answer.
 */
export async function call<K extends Call>(name: K, ...[input]: CallArguments<K>): Promise<Answer<K>> {
  const answer = await send(name, input ?? {});
  return (answer.status === 204 ? null : await answer.json()) as Answer<K>;
}

/** The same for answers that are no JSON. */
export async function send(name: Call, input: object, signal?: AbortSignal): Promise<Response> {
  const [method = 'GET', pattern = '/'] = name.split(' ');
  const { path, query, body, headers } = input as {
    path?: Record<string, unknown>;
    query?: Record<string, unknown>;
    body?: unknown;
    headers?: Record<string, string>;
  };
  const answer = await fetch(addressOf(pattern, path, query), {
    method,
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(method !== 'GET' && forgeryToken !== null && { 'x-csrf-token': forgeryToken }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    throw signal?.aborted ? error : unreachable(error);
  });
  if (answer.ok) return answer;
  const error = await apiError(answer);
  if (error.status === 401) onSignedOut();
  throw error;
}

/** `/v1/jobs/{id}` with its parts, and its query; members without a value are left out. */
export function addressOf(pattern: string, path: object = {}, query: object = {}): string {
  const parts = new Map(Object.entries(path));
  const address = pattern.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const part = parts.get(name);
    if (part === undefined) throw new ApiError(0, { code: 'bug', message: `${pattern}: expected ${name}, got none.` });
    return encodeURIComponent(String(part));
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') search.set(name, String(value));
  return search.size > 0 ? `${address}?${search}` : address;
}
