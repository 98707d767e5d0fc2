import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';

interface Endpoint extends AsyncDisposable {
  readonly url: string;
}

/** A chain endpoint over HTTP on this machine. `answer` takes the method and parameters, joined by commas. */
export async function chainEndpoint(answer: (call: string) => unknown): Promise<Endpoint> {
  const server = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', 'content-type');
    void textOf(request).then((body) => {
      if (request.method === 'OPTIONS') return response.end();
      const { method, params } = JSON.parse(body) as { method: string; params: unknown[] };
      const said = answer([method, ...params].join(','));
      if (said === silence) return undefined;
      const isRaw = typeof said === 'string' && said.startsWith('!');
      response.setHeader('content-type', 'application/json');
      return response.end(isRaw ? said.slice(1) : JSON.stringify({ jsonrpc: '2.0', id: 1, result: said }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/with/a-secret-key`,
    [Symbol.asyncDispose]: () => close(server),
  };
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

/** Said by an endpoint that never answers. */
export const silence = Symbol('no answer');
