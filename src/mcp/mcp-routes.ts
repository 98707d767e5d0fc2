import { classifyInboundRequest, createMcpHandler, isInitializeRequest } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import { Type } from 'typebox';
import { principalOf } from '#src/http/request/guard.ts';
import { largeBodies } from '#src/http/request/large-bodies.ts';
import { closeDeadKeys, every } from '#src/http/streams/open-streams.ts';
import { AppError } from '#src/lib/errors.ts';
import { authOf, metadataPath } from '#src/mcp/model/caller.ts';
import type { McpContext } from '#src/mcp/model/tool.ts';
import { inNameOf, ownersBus } from '#src/mcp/resources/resource-updates.ts';
import { guardBrowsers } from '#src/mcp/transport/browsers.ts';
import { openCalls } from '#src/mcp/transport/open-calls.ts';
import { answerRpcError } from '#src/mcp/transport/rpc-errors.ts';
import { openSessions, type Session, type Sessions } from '#src/mcp/transport/sessions.ts';
import { sendWeb, webRequest } from '#src/mcp/transport/web-request.ts';
import { type Offer, serverMaker } from './make-server.ts';

/** Milliseconds between searches for unused sessions. */
const SWEEP_MS = 10_000;
/** Milliseconds that answers under way may take once the process stops. */
const GRACE_MS = 2_000;

const Message = Type.Object(
  {},
  { description: 'One JSON-RPC 2.0 message of the Model Context Protocol; never an array of them' },
);

/**
 * Machine clients (Model Context Protocol, Streamable HTTP): 2025-06-18 and 2025-11-25 with sessions, 2026-07-28
 * without. Every request brings its key, and is guarded and counted like that of any other route.
 */
export async function mcpRoutes(app: FastifyInstance, { context, hub, ...offer }: McpContext & Offer): Promise<void> {
  const { config, metrics } = context;
  const makeServer = serverMaker({ context, hub }, offer);
  const keepAliveMs = config.STREAM_HEARTBEAT_MS;
  const onerror = (error: Error) => context.log.debug({ err: error }, 'mcp');
  const stateless = createMcpHandler(makeServer, {
    legacy: 'reject',
    keepAliveMs,
    onerror,
    bus: ownersBus({ context, hub }),
  });
  const sessions = openSessions({
    most: config.MCP_SESSIONS_PER_KEY,
    idleMs: config.MCP_IDLE_MS,
    keepAliveMs,
    makeServer,
    onSize: (size) => metrics.proofline_mcp_sessions.set(size),
    onRefused: (reason) => metrics.proofline_mcp_sessions_refused_total.inc({ reason }),
  });
  const calls = openCalls(config.STREAMS_PER_KEY);
  closeDeadKeys(context, hub.bus, {
    keyIds: () => [...new Set([...sessions.keyIds(), ...calls.keyIds()])],
    closeKey: (keyId, reason) => {
      calls.closeKey(keyId, reason);
      sessions.closeKey(keyId, reason);
    },
  });
  every(context, SWEEP_MS, 'ending unused sessions', () => sessions.sweep(Date.now()));
  app.addHook('preClose', async () => {
    sessions.stop();
    await calls.drained(GRACE_MS);
    await Promise.all([sessions.endAll(), stateless.close()]);
  });

  app.setErrorHandler(answerRpcError);
  guardBrowsers(app, config);
  // after the answer is made: both what we refuse and what the library refuses
  app.addHook('onSend', async (request, reply) => {
    if (reply.statusCode !== 401) return;
    const url = `${request.protocol}://${request.host}${metadataPath}`;
    reply.header('www-authenticate', `Bearer realm="proofline", resource_metadata="${url}"`);
  });

  const post = async (request: FastifyRequest, reply: FastifyReply) => {
    const { body, headers } = request;
    const kind = classifyInboundRequest({
      httpMethod: 'POST',
      body,
      ...named('protocolVersionHeader', headers['mcp-protocol-version']),
      ...named('mcpMethodHeader', headers['mcp-method']),
      ...named('mcpNameHeader', headers['mcp-name']),
    });
    if (kind.kind === 'legacy') return await inSession(request, reply, body);
    const auth = authOf(request, config);
    const signal = calls.begin(principalOf(request), reply);
    return await sendWeb(
      reply,
      await inNameOf({ context, hub }, principalOf(request).owner, body, async () =>
        stateless.fetch(webRequest(request, signal), { parsedBody: body, authInfo: auth }),
      ),
    );
  };

  const inSession = async (request: FastifyRequest, reply: FastifyReply, body?: unknown) => {
    const auth = authOf(request, config);
    const principal = principalOf(request);
    const signal = calls.begin(principal, reply);
    const session = await sessionOf(sessions, request, body);
    const release = session.use();
    reply.raw.once('close', release);
    const response = await session.transport.handleRequest(webRequest(request, signal), {
      parsedBody: body,
      authInfo: auth,
    });
    // what did not begin must not be kept
    if (session.transport.sessionId === undefined) await sessions.close(session);
    return await sendWeb(reply, response);
  };

  app.post(
    '/api/mcp',
    // job_submit takes payloads as large as a request by HTTP does
    {
      ...largeBodies(context),
      ...route('sendMcpMessage', 'Send a message of the Model Context Protocol', { body: Message }),
    },
    post,
  );
  app.get('/api/mcp', route('listenMcp', 'Listen to a session (SSE)', {}), async (request, reply) =>
    inSession(request, reply),
  );
  app.delete('/api/mcp', route('endMcpSession', 'End a session', {}), async (request, reply) =>
    inSession(request, reply),
  );
}

/** The session that a request belongs to: the one it names, or a new one where it begins one. */
async function sessionOf(sessions: Sessions, request: FastifyRequest, body: unknown): Promise<Session> {
  const id = request.headers['mcp-session-id'];
  if (typeof id === 'string') return sessions.find(id, principalOf(request));
  if (isInitializeRequest(body)) return await sessions.open(principalOf(request));
  throw new AppError(
    'invalid_request',
    'expected the header Mcp-Session-Id (from the answer to initialize), or a message of a protocol without sessions, got neither.',
    { field: 'header.mcp-session-id', value: null },
  );
}

function named(name: string, value: string | string[] | undefined): Record<string, string> {
  return typeof value === 'string' ? { [name]: value } : {};
}

function route(operationId: string, summary: string, schema: object): RouteShorthandOptions {
  return {
    config: { stream: true, sameOrigin: true },
    // a HEAD would open a stream that no client reads
    exposeHeadRoute: false,
    schema: { tags: ['mcp'], summary, operationId, ...schema },
  };
}
