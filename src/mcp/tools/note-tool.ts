import { isIP } from 'node:net';
import { callLog } from '#src/access/call-log.ts';
import type { McpCaller } from '#src/mcp/model/tool.ts';
import type { Context } from '#src/system/context.ts';

/** Notes a call of a tool as calls of routes are: the caller, the tool, and the outcome. No caller waits for it. */
export function noteTool(
  context: Context,
  capability: string,
  { principal: { owner, keyId }, ip, requestId }: McpCaller,
  { status, since }: { readonly status: number; readonly since: number },
): void {
  callLog(context).note({
    owner,
    keyId,
    via: 'mcp',
    capability,
    status,
    durationMs: Math.round(performance.now() - since),
    requestId,
    // one of a link has the name of a card behind it, which the database does not take
    ip: isIP(ip) > 0 && !ip.includes('%') ? ip : null,
  });
}
