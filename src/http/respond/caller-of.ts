import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '#src/access/job-result.ts';
import { clientGone } from '#src/http/request/client-gone.ts';
import { principalOf } from '#src/http/request/guard.ts';
import type { Hub } from '#src/http/streams/hub.ts';
import type { Context } from '#src/system/context.ts';

/**
 * Makes the caller that waits for the answer to a request: at most `WAIT_MS`, and no longer than the client and this
 * process are there.
 */
export function callerOf(
  { context, hub }: { readonly context: Context; readonly hub: Hub },
  request: FastifyRequest,
  reply: FastifyReply,
): Caller {
  return {
    context,
    hub,
    principal: principalOf(request),
    signal: AbortSignal.any([clientGone(reply), hub.stopping]),
    until: performance.now() + context.config.WAIT_MS,
  };
}
