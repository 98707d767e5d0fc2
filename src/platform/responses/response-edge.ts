import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientGone } from '#src/http/request/client-gone.ts';
import { principalOf } from '#src/http/request/guard.ts';
import type { Hub } from '#src/http/streams/hub.ts';
import { AppError } from '#src/lib/errors.ts';
import { holderOf } from '#src/lib/principal.ts';
import { sendEvents } from '#src/platform/edge/send-events.ts';
import type { ResponseEvent } from '#src/platform/responses/model/event-types.ts';
import { jobOfResponse } from '#src/platform/responses/model/ids.ts';
import type { ResponseObject } from '#src/platform/responses/model/response-object.ts';
import { eventViews, responseView } from '#src/platform/responses/model/response-view.ts';
import type { Context } from '#src/system/context.ts';
import { readResponseEvents } from './event-store.ts';
import { followResponse } from './follow-response.ts';
import { needsEvents, responseNow } from './response-now.ts';
import { readResponse, type StoredResponse } from './response-store.ts';

/** Parts that every route of responses uses. */
export interface ResponseEdge {
  readonly context: Context;
  readonly hub: Hub;
}

/**
 * Returns a signal that aborts when the client has gone, its key is revoked, or this process stops. Takes one of the
 * key's open streams until the answer is through.
 *
 * @throws AppError `quota_exceeded`
 */
export function waitingFor({ hub }: ResponseEdge, request: FastifyRequest, reply: FastifyReply): AbortSignal {
  const revoked = new AbortController();
  const leave = hub.hold(holderOf(principalOf(request)), (reason) =>
    revoked.abort(new AppError('unauthorized', `The key is not valid any more: ${reason}.`)),
  );
  reply.raw.once('close', leave);
  return AbortSignal.any([clientGone(reply), hub.stopping, revoked.signal]);
}

export function streamEvents(
  { context }: ResponseEdge,
  reply: FastifyReply,
  events: AsyncIterable<ResponseEvent>,
): FastifyReply {
  return sendEvents(reply, eventViews(events), { heartbeatMs: context.config.STREAM_HEARTBEAT_MS });
}

/** Answers with the events of a response in the background, from the one behind `after` on. */
export function streamStored(
  edge: ResponseEdge,
  request: FastifyRequest,
  reply: FastifyReply,
  id: string,
  after: number,
): FastifyReply {
  const { owner } = principalOf(request);
  return streamEvents(edge, reply, followResponse(edge, { owner, id }, after, waitingFor(edge, request, reply)));
}

/**
 * The response of the caller that is called so.
 *
 * @throws AppError `not_found`
 */
export async function storedResponse(
  { context }: Pick<ResponseEdge, 'context'>,
  request: FastifyRequest,
  id: string,
): Promise<StoredResponse> {
  const job = jobOfResponse(id);
  const found = job === null ? null : await readResponse(context, principalOf(request).owner, job);
  if (found) return found;
  const message = `expected the id of a response of yours that is stored, got ${JSON.stringify(id)}, which is none.`;
  throw new AppError('not_found', message, { field: 'path.id', value: id });
}

/** Reads a response as it is now. */
export async function shownResponse(
  { context }: Pick<ResponseEdge, 'context'>,
  stored: StoredResponse,
): Promise<ResponseObject> {
  return responseNow(
    stored,
    needsEvents(stored) ? await readResponseEvents(context, stored.id, -1, stored.events) : [],
  );
}

export function sendResponse(reply: FastifyReply, response: ResponseObject): FastifyReply {
  return sendJson(reply, responseView(response));
}

/** As it is: what people and models say need not be compared with a schema again. */
export function sendJson(reply: FastifyReply, body: object): FastifyReply {
  return reply.type('application/json').send(JSON.stringify(body));
}
