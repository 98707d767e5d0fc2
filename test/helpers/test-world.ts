import { type TestApi, testApi } from '#test/http/api.ts';
import { type RunningJobs, type RunOptions, runJobs } from './run-jobs.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON; null where there is none. */
  readonly body: any;
}

export interface TestWorld extends TestApi, Pick<RunningJobs, 'startFleet'> {
  /** Address at which the API listens. */
  readonly url: string;
  /** Sends a request; a body that is no text goes as JSON. */
  readonly call: (
    method: string,
    path: string,
    headers?: Readonly<Record<string, string>>,
    body?: unknown,
  ) => Promise<Answer>;
}

/** A whole system in this process, on a database and a Redis prefix of its own: an API that listens, and what runs its jobs. */
export async function testWorld(
  settings: Readonly<Record<string, string>> = {},
  running: RunOptions = {},
): Promise<TestWorld> {
  await using stack = new AsyncDisposableStack();
  const api = stack.use(await testApi(settings));
  const jobs = stack.use(await runJobs(api.context, running));
  const url = await api.app.listen({ port: 0, host: '127.0.0.1' });
  const all = stack.move();
  return {
    ...api,
    url,
    startFleet: jobs.startFleet,
    call: async (method, path, headers = {}, body) => await send(`${url}${path}`, method, headers, body),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

async function send(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body: unknown,
): Promise<Answer> {
  const isTyped = body === undefined || 'content-type' in headers;
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(!isTyped && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}
