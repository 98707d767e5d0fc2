import type { FastifyReply, FastifyRequest } from 'fastify';
import { principalOf } from '#src/http/request/guard.ts';
import { requestText } from '#src/http/request/request-text.ts';
import { AppError } from '#src/lib/errors.ts';
import { readConversation } from '#src/platform/responses/model/conversation.ts';
import type { ResponseEvent } from '#src/platform/responses/model/event-types.ts';
import { checkRequest, settingsOf, textWork } from '#src/platform/responses/model/read-request.ts';
import type { ResponseRequest } from '#src/platform/responses/model/request-body.ts';
import { newResponse, type ResponseObject } from '#src/platform/responses/model/response-object.ts';
import { wrongInput } from '#src/platform/responses/model/wrong-input.ts';
import { ignoredParameters } from '#src/platform/text/ignored-parameters.ts';
import { startText } from '#src/platform/text/run-text.ts';
import { assertWebhook } from '#src/platform/webhooks/webhook-store.ts';
import {
  type ResponseEdge,
  sendResponse,
  shownResponse,
  streamEvents,
  streamStored,
  waitingFor,
} from './response-edge.ts';
import { readResponse } from './response-store.ts';
import { streamResponse, type TurnOutcome } from './stream-response.ts';
import { submitResponse } from './submit-response.ts';

/**
 * Answers a request for a response: at once for the background, else when it is whole, or as it comes.
 *
 * @throws AppError `invalid_request`, `not_found` and `state_conflict` for what it goes on from,
 *   `providers_exhausted`, or what the turn failed with before its first word.
 */
export async function createResponse(
  edge: ResponseEdge,
  request: FastifyRequest,
  reply: FastifyReply,
  body: ResponseRequest,
): Promise<FastifyReply> {
  checkRequest(body);
  if (body.webhook && !body.background)
    throw wrongInput('webhook', 'none without background: the answer is its end', body.webhook.url);
  if (body.webhook) assertWebhook(edge.context.config, body.webhook);
  return await (body.background ? inBackground : atOnce)(edge, request, reply, body);
}

type Create = typeof createResponse;

const inBackground: Create = async (edge, request, reply, body) => {
  const { context } = edge;
  const principal = principalOf(request);
  const { job, begun, isReplay } = await submitResponse(context, { principal, body, ...keyOf(request) });
  const known = begun ? null : await readResponse(context, principal.owner, job);
  const response = known ? await shownResponse(edge, known) : begun;
  if (!response) throw deleted();
  if (isReplay) reply.header('idempotency-replayed', 'true');
  reply.header('x-job-id', job);
  if (body.stream) return streamStored(edge, request, reply, job, -1);
  return sendResponse(reply, response);
};

const atOnce: Create = async (edge, request, reply, body) => {
  const { context } = edge;
  const principal = principalOf(request);
  const { owner } = principal;
  const signal = waitingFor(edge, request, reply);
  const { messages, previous, items: input, warnings } = await readConversation(context, owner, body);
  const work = textWork(body, messages);
  const running = await startText(edge, principal, work, {
    signal,
    isWhole: body.stream !== true,
    ...keyOf(request),
  });
  const { job, provider, model, replayed } = running;
  const known = replayed && body.store !== false ? await readResponse(context, owner, job) : null;
  if (replayed && body.store !== false && !known) throw deleted();
  const head = { job, createdAt: new Date(), settings: { ...settingsOf(body), model }, warnings };
  const begun = known?.begun ?? { ...newResponse(head, 'in_progress'), provider };
  reply.headers({
    'x-job-id': job,
    'x-provider': provider,
    ...(replayed && { 'idempotency-replayed': 'true' }),
    ...ignoredParameters(context, provider, work.request),
  });
  const events = streamResponse(context, { running, owner, begun, previous, input }, signal);
  if (body.stream) return streamEvents(edge, reply, events);
  return sendResponse(reply, await whole(events));
};

function deleted(): AppError {
  return new AppError('state_conflict', 'expected a response of this key, got one that was deleted; use a new key.');
}

/** @throws AppError what the turn failed with */
async function whole(events: AsyncGenerator<ResponseEvent, TurnOutcome>): Promise<ResponseObject> {
  for (;;) {
    const next = await events.next();
    if (!next.done) continue;
    const { response, failure } = next.value;
    if (failure) throw failure;
    return response;
  }
}

/** Recognises a repetition under a key by the text of the request: what it leads to may differ by then. */
function keyOf(request: FastifyRequest): { readonly idempotencyKey?: string; readonly request?: string } {
  const header = request.headers['idempotency-key'];
  const key = Array.isArray(header) ? header[0] : header;
  return key === undefined ? {} : { idempotencyKey: key, request: requestText(request) };
}
