import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the server received it. */
export interface VendorRequest {
  /** Name of the vendor's route. */
  readonly route: string;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** Value of a JSON body; null otherwise. */
  readonly body: any;
}

/** One answer. */
export type Turn = (response: ServerResponse, request: VendorRequest) => void;

export const answersJson =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Turn =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
export const answersBytes =
  (mediaType: string, bytes: Buffer): Turn =>
  (response) =>
    void response.writeHead(200, { 'content-type': mediaType, 'content-length': bytes.length }).end(bytes);

/** 429. */
export const busy = answersJson(429, { error: 'too many requests' }, { 'retry-after': '3' });
/** 503, before anything was done. */
export const away = answersJson(503, { error: 'no capacity' });
/** 500, and it is not known what was done before. */
export const broken = answersJson(500, { error: 'internal' });
/** 422 with a reason. */
export const refuses = answersJson(422, { detail: [{ msg: 'The prompt goes against the content policy.' }] });
/** Takes the request and never answers. */
export const hangs: Turn = () => {};
/** Ends the connection without an answer. */
export const breaks: Turn = (response) => void response.socket?.destroy();
/** Says that it is JSON, and is none. */
export const rubbish: Turn = (response) =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end('<html>{"id":');
/** JSON of another protocol. */
export const foreign = answersJson(200, { hello: 'world' });
/** A page, with the status of success. */
export const page: Turn = (response) =>
  void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Please sign in</html>');
/** The first half of a file that says how long it is. */
export const half =
  (mediaType: string, bytes: Buffer): Turn =>
  (response) => {
    response.writeHead(200, { 'content-type': mediaType, 'content-length': bytes.length });
    response.write(bytes.subarray(0, bytes.length / 2), () => response.socket?.destroy());
  };
/** Says that it is so long, and sends nothing of it. */
export const says =
  (size: number, mediaType = 'application/json'): Turn =>
  (response) =>
    response.writeHead(200, { 'content-type': mediaType, 'content-length': size }).flushHeaders();
/** Sends without an end, and without saying how long it is, until the client leaves. */
export const floods =
  (mediaType = 'application/json'): Turn =>
  (response) => {
    response.writeHead(200, { 'content-type': mediaType });
    const chunk = Buffer.alloc(1_048_576, 0x20);
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', more);
    more();
  };

/** First answers of each route; `usual` is what the vendor would. After the last one it is the usual again. */
export type Script<R extends string> = Partial<Readonly<Record<R, readonly (Turn | 'usual')[]>>>;

/** The same answer again and again. */
export const always = (turn: Turn): readonly Turn[] => Array.from({ length: 1_000 }, () => turn);

export interface VendorServer<R extends string> extends AsyncDisposable {
  /** Base address, without a slash at its end. */
  readonly url: string;
  /** Requests so far, of one route or of all, oldest first. */
  readonly received: (route?: R) => readonly VendorRequest[];
  /** Resolves at the next request of a route. */
  readonly next: (route: R) => Promise<VendorRequest>;
  /** Another script from now on. The requests so far stay. */
  readonly follow: (script: Script<R>) => void;
}

/** A server whose requests are divided by route, each answered by script or by what is usual there. */
export async function startVendor<R extends string>(
  routeOf: (method: string, path: string) => R | null,
  usual: (route: R, base: () => string) => Turn,
  initial: Script<R>,
): Promise<VendorServer<R>> {
  const received: VendorRequest[] = [];
  const waiting: { route: R; resolve: (request: VendorRequest) => void }[] = [];
  let script: Partial<Record<R, (Turn | 'usual')[]>> = {};
  const follow = (next: Script<R>) => {
    // what else a vendor's script says is for the vendor
    const lists = Object.entries(next).filter(([, turns]) => Array.isArray(turns));
    script = Object.fromEntries(lists.map(([route, turns]) => [route, [...(turns as Turn[])]])) as never;
  };
  follow(initial);
  let url = '';
  const server = createServer((request, response) => void handle(request, response));
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    // a client that leaves in the middle of its request is none of ours
    const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>).catch(() => null);
    if (chunks === null) return;
    const bytes = Buffer.concat(chunks);
    const { method = 'GET', url: path = '/' } = request;
    const route = routeOf(method, path.split('?')[0] ?? '');
    if (route === null) {
      response.writeHead(404).end();
      return;
    }
    const isJson = /json/.test(request.headers['content-type'] ?? '') && bytes.length > 0;
    const body: unknown = isJson ? JSON.parse(bytes.toString()) : null;
    const one: VendorRequest = { route, method, path, headers: request.headers, bytes, body };
    received.push(one);
    const turn = script[route]?.shift() ?? 'usual';
    (turn === 'usual' ? usual(route, () => url) : turn)(response, one);
    for (const { resolve } of waiting.filter((waiter) => waiter.route === route)) resolve(one);
    waiting.splice(0, waiting.length, ...waiting.filter((waiter) => waiter.route !== route));
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    received: (route) => received.filter((one) => route === undefined || one.route === route),
    next: async (route) => await new Promise((resolve) => waiting.push({ route, resolve })),
    follow,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
