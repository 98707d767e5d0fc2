import * as protocol from '@modelcontextprotocol/server';
import {
  type CallToolResult,
  McpServer,
  requireScopes,
  type ServerContext,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import { describeFailure } from '#src/http/errors/describe-failure.ts';
import { callerOf } from '#src/mcp/model/caller.ts';
import type { McpResource } from '#src/mcp/model/resource.ts';
import { checked } from '#src/mcp/model/schema-check.ts';
import type { McpContext, Tool, ToolAnswer } from '#src/mcp/model/tool.ts';
import { offerSubscriptions } from '#src/mcp/resources/resource-updates.ts';
import { noteTool } from '#src/mcp/tools/note-tool.ts';
import { version } from '#src/system/config/version.ts';

export interface Offer {
  readonly tools: readonly Tool[];
  readonly resources: readonly McpResource[];
  /** Instructions for a model before it calls anything. */
  readonly instructions?: string;
  /** More to register on every server; what tests add. */
  readonly extend?: (server: McpServer) => void;
}

/**
 * The first is what a client that asks for an unknown one is answered with; the last has no sessions. Of 2025-03-26 all
 * but arrays of messages, which later ones took back; a client that sends no version means that one.
 */
const protocols = ['2025-06-18', '2025-11-25', '2025-03-26', '2026-07-28'];

/** Makes servers of one offer: one a session, or one a request. The schemas are compiled once, here. */
export function serverMaker(on: McpContext, { tools, resources, instructions, extend }: Offer): () => McpServer {
  const compiled = tools.map((tool) => ({
    tool,
    inputSchema: checked(tool.input, 'arguments'),
    outputSchema: checked(tool.output, 'answer'),
  }));
  return () => {
    const server = new McpServer(
      { name: 'proofline', title: 'Proofline', version },
      { ...(instructions && { instructions }), supportedProtocolVersions: protocols },
    );
    for (const one of compiled) registerTool(server, on, one);
    for (const resource of resources) resource.register(server, on, protocol);
    if (resources.some(({ subscribable }) => subscribable)) offerSubscriptions(server, on);
    extend?.(server);
    return server;
  };
}

interface Compiled {
  readonly tool: Tool;
  readonly inputSchema: StandardSchemaWithJSON;
  readonly outputSchema: StandardSchemaWithJSON;
}

function registerTool(server: McpServer, on: McpContext, { tool, inputSchema, outputSchema }: Compiled): void {
  const { name, title, description, scope, hints: annotations } = tool;
  server.registerTool(
    name,
    {
      title,
      description,
      inputSchema,
      outputSchema,
      annotations,
      ...(scope && { scopeChallenge: requireScopes(scope) }),
    },
    async (input, context) => {
      const { signal } = context.mcpReq;
      const caller = callerOf(context);
      const since = performance.now();
      try {
        const call = {
          ...caller,
          input,
          progress: progressOf(context),
          signal: AbortSignal.any([signal, on.hub.stopping]),
        };
        const answer = await tool.run(on, call);
        noteTool(on.context, name, caller, { status: 200, since });
        return resultOf(answer);
      } catch (error) {
        const failure = describeFailure(error);
        noteTool(on.context, name, caller, { status: failure.status, since });
        return failureOf(on, name, error, failure);
      }
    },
  );
}

function resultOf({ output, links = [], failed = false }: ToolAnswer<unknown>): CallToolResult {
  return {
    ...(failed && { isError: true }),
    structuredContent: output,
    content: [
      { type: 'text', text: JSON.stringify(output) },
      ...links.map((link) => ({ type: 'resource_link' as const, mimeType: 'application/json', ...link })),
    ],
  };
}

/** A failure for the model to read and act on; of what is our fault nothing but that it is. */
function failureOf(
  { context }: McpContext,
  tool: string,
  error: unknown,
  { status, detail, code, title, errors, details }: ReturnType<typeof describeFailure>,
): CallToolResult {
  if (status >= 500) context.log.error({ err: error, code, tool }, 'a tool failed');
  const problem = { code, title, status, detail, ...(errors && { errors }), ...(details && { details }) };
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(problem) }] };
}

/** Progress of this call, counted; a client that gave no token wants none. */
function progressOf({ mcpReq }: ServerContext): (message: string) => void {
  const progressToken = mcpReq._meta?.progressToken;
  let progress = 0;
  return (message) => {
    if (progressToken === undefined || mcpReq.signal.aborted) return;
    progress++;
    // a client that has gone needs none
    mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, message } }).catch(() => {});
  };
}
