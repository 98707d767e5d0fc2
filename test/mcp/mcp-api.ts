import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { FastifyInstance } from 'fastify';
import { openAccess } from '#src/access/access.ts';
import { createKey, type KeyRequest } from '#src/access/keys/keys.ts';
import { openEdge } from '#src/http/edge/edge.ts';
import type { Hub } from '#src/http/streams/hub.ts';
import { openStreams, watchKeys } from '#src/http/streams/open-streams.ts';
import { scopes } from '#src/lib/principal.ts';
import type { Offer } from '#src/mcp/make-server.ts';
import { mcpRoutes } from '#src/mcp/mcp-routes.ts';
import { describeResource } from '#src/mcp/resource-metadata.ts';
import { type Context, openContext } from '#src/system/context.ts';
import { testConfig } from '#test/helpers/config.ts';

/** An API with nothing but the route of machine clients, listening on a free loopback port. */
export interface McpApi extends AsyncDisposable {
  readonly context: Context;
  readonly hub: Hub;
  readonly app: FastifyInstance;
  readonly url: URL;
  readonly key: (request?: Partial<KeyRequest>) => Promise<{ id: string; secret: string }>;
}

export async function mcpApi(offer: Partial<Offer> = {}, settings: Record<string, string> = {}): Promise<McpApi> {
  await using stack = new AsyncDisposableStack();
  const { config } = stack.use(await testConfig(settings));
  const context = stack.use(await openContext(config, 'api'));
  if (context.redis.status !== 'ready') await once(context.redis, 'ready');
  const hub = openStreams(context);
  const access = openAccess(context);
  const app = await openEdge(context, access);
  stack.defer(() => app.close());
  watchKeys(context, access, hub);
  app.addHook('preClose', hub.shutdown);
  await app.register(mcpRoutes, { context, hub, tools: [], resources: [], ...offer });
  describeResource(app, config);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const all = stack.move();
  return {
    context,
    hub,
    app,
    url: new URL(`http://127.0.0.1:${port}/api/mcp`),
    key: async (request = {}) => {
      const { key, secret } = await createKey(context, { owner: 'owner-1', name: 'test', scopes, ...request });
      return { id: key.id, secret };
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

export interface McpClient extends AsyncDisposable {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
}

/** The official client, connected: with a session, or (`auto`) without where the server can. */
export async function connect(url: URL, secret: string, options: ClientOptions = {}): Promise<McpClient> {
  const client = new Client({ name: 'test', version: '1.0.0' }, options);
  const transport = new StreamableHTTPClientTransport(url, { authProvider: { token: async () => secret } });
  await client.connect(transport);
  return { client, transport, [Symbol.asyncDispose]: () => client.close() };
}

/** One message, as bytes on the wire would carry it. */
export async function post(url: URL, message: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  });
}

export const initialize = (protocolVersion = '2025-06-18') => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1.0.0' } },
});
