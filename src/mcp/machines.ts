import { classifyInboundRequest, createMcpHandler, isInitializeRequest } from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { principalOf } from '#src/http/request/guard.ts';
import { closeDeadKeys, every } from '#src/http/streams/open-streams.ts';
import { AppError } from '#src/lib/errors.ts';
import { authOf } from '#src/mcp/model/caller.ts';
import type { McpContext } from '#src/mcp/model/tool.ts';
import { inNameOf, ownersBus } from '#src/mcp/resources/resource-updates.ts';
import { openCalls } from '#src/mcp/transport/open-calls.ts';
import { openSessions, type Session, type Sessions } from '#src/mcp/transport/sessions.ts';
import { sendWeb, webRequest } from '#src/mcp/transport/web-request.ts';
import { type Offer, serverMaker } from './make-server.ts';

/** Milliseconds between searches for unused sessions. */
const SWEEP_MS = 10_000;
/** Milliseconds that answers under way may take once the process stops. */
const GRACE_MS = 2_000;

/** Answers to machine clients, by sessions and without. */
export interface Machines {
  /** Takes a message, in a session or without. */
  readonly post: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
  /** Takes a request that belongs to a session. */
  readonly inSession: (request: FastifyRequest, reply: FastifyReply, body?: unknown) => Promise<FastifyReply>;
  /** Lets answers under way come, and ends every session. */
  readonly close: () => Promise<void>;
}

/** Opens what answers machine clients. The schemas of the tools are compiled once, here. */
export function openMachines({ context, hub, ...offer }: McpContext & Offer): Machines {
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

  return {
    post,
    inSession,
    close: async () => {
      sessions.stop();
      await calls.drained(GRACE_MS);
      await Promise.all([sessions.endAll(), stateless.close()]);
    },
  };
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
