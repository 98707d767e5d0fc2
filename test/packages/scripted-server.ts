import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';

/** A request as it came. */
export interface Received {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Number of requests to the same method and path before it. */
  readonly before: number;
}

export interface ScriptedServer extends AsyncDisposable {
  readonly url: string;
  /** Every request so far, oldest first. */
  readonly requests: readonly Received[];
}

/** A server that answers as a test says; what it does not answer stays open until the end. */
export async function scriptedServer(
  answer: (request: Received, response: ServerResponse) => void | Promise<void>,
): Promise<ScriptedServer> {
  const requests: Received[] = [];
  const serve = async (method: string, path: string, headers: object, text: string, response: ServerResponse) => {
    const before = requests.filter((one) => one.method === method && one.path === path).length;
    const request = { method, path, headers: headers as Received['headers'], text, before };
    requests.push(request);
    await answer(request, response);
  };
  const server = createServer((request, response) => {
    textOf(request)
      .then(async (text) => await serve(request.method ?? '', request.url ?? '', request.headers, text, response))
      // a client that left meanwhile, or a fault of the script: the client sees a cut either way
      .catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** Answers with problem details, as the API does. */
export function problem(
  response: ServerResponse,
  status: number,
  code: string,
  detail: string,
  { headers = {}, ...more }: { readonly headers?: Readonly<Record<string, string>>; readonly details?: object } = {},
): void {
  const body = { type: `urn:proofline:error:${code}`, title: code, status, code, detail, request_id: 'r-1', ...more };
  response.writeHead(status, { 'content-type': 'application/problem+json', ...headers }).end(JSON.stringify(body));
}

/** Cuts the connection, as a network does. */
export function cut(response: ServerResponse): void {
  response.destroy();
}

/** Begins a stream of server-sent events. */
export function openEvents(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write('retry: 1\n\n');
}

/** Writes one event as the API does; without an id for progress. */
export function event(response: ServerResponse, type: string, id: string | null, data: object = {}): void {
  const body = { ...(id !== null && { id }), type, at: '2026-01-01T00:00:00.000Z', data };
  response.write(`${id === null ? '' : `id: ${id}\n`}event: ${type}\ndata: ${JSON.stringify(body)}\n\n`);
}
