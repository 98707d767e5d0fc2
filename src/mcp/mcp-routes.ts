import type { FastifyInstance, RouteShorthandOptions } from 'fastify';
import { Type } from 'typebox';
import { largeBodies } from '#src/http/request/large-bodies.ts';
import { metadataPath } from '#src/mcp/model/caller.ts';
import type { McpContext } from '#src/mcp/model/tool.ts';
import { guardBrowsers } from '#src/mcp/transport/browsers.ts';
import { answerRpcError } from '#src/mcp/transport/rpc-errors.ts';
import type { Machines } from './machines.ts';
import type { Offer } from './make-server.ts';

const Message = Type.Object(
  {},
  { description: 'One JSON-RPC 2.0 message of the Model Context Protocol; never an array of them' },
);

/**
 * Machine clients (Model Context Protocol, Streamable HTTP): 2025-06-18 and 2025-11-25 with sessions, 2026-07-28
 * without. Every request brings its key, and is guarded and counted like that of any other route.
 */
export async function mcpRoutes(app: FastifyInstance, { context, hub, ...offer }: McpContext & Offer): Promise<void> {
  let opened: Promise<Machines> | undefined;
  const machines = async (): Promise<Machines> => {
    // the library of the protocol is large: loaded with the first client
    opened ??= import('./machines.ts').then(({ openMachines }) => openMachines({ context, hub, ...offer }));
    return await opened;
  };
  app.addHook('preClose', async () => await (await opened)?.close());

  app.setErrorHandler(answerRpcError);
  guardBrowsers(app, context.config);
  // after the answer is made: both what we refuse and what the library refuses
  app.addHook('onSend', async (request, reply) => {
    if (reply.statusCode !== 401) return;
    const url = `${request.protocol}://${request.host}${metadataPath}`;
    reply.header('www-authenticate', `Bearer realm="proofline", resource_metadata="${url}"`);
  });

  app.post(
    '/api/mcp',
    // job_submit takes payloads as large as a request by HTTP does
    {
      ...largeBodies(context),
      ...route('sendMcpMessage', 'Send a message of the Model Context Protocol', { body: Message }),
      config: { ...config, exactNumbers: '.params.arguments.payload' },
    },
    async (request, reply) => await (await machines()).post(request, reply),
  );
  app.get(
    '/api/mcp',
    route('listenMcp', 'Listen to a session (SSE)', {}),
    async (request, reply) => await (await machines()).inSession(request, reply),
  );
  app.delete(
    '/api/mcp',
    route('endMcpSession', 'End a session', {}),
    async (request, reply) => await (await machines()).inSession(request, reply),
  );
}

const config = { stream: true, sameOrigin: true } as const;

function route(operationId: string, summary: string, schema: object): RouteShorthandOptions {
  return {
    config,
    // a HEAD would open a stream that no client reads
    exposeHeadRoute: false,
    schema: { tags: ['mcp'], summary, operationId, ...schema },
  };
}
