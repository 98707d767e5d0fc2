import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { principalOf } from '#src/http/request/guard.ts';
import { largeBodies } from '#src/http/request/large-bodies.ts';
import { WorkHeaders } from '#src/http/respond/answer-with-job.ts';
import type { Hub } from '#src/http/streams/hub.ts';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { unlessEnded } from '#src/jobs/change/unless-ended.ts';
import { AppError } from '#src/lib/errors.ts';
import { withIds } from '#src/platform/responses/model/conversation.ts';
import { pageOfItems } from '#src/platform/responses/model/item-page.ts';
import { Item } from '#src/platform/responses/model/items.ts';
import { ResponseRequest } from '#src/platform/responses/model/request-body.ts';
import { ResponseEventView, ResponseView } from '#src/platform/responses/model/response-view.ts';
import type { Context } from '#src/system/context.ts';
import { createResponse } from './create-response.ts';
import { sendJson, sendResponse, shownResponse, storedResponse, streamStored } from './response-edge.ts';
import { deleteResponse, type StoredResponse } from './response-store.ts';

const tags = ['platform'];
const read = { scope: 'platform.mcp.read' } as const;
const execute = { scope: 'platform.mcp.execute' } as const;

const Params = Type.Object({ id: Type.String({ maxLength: 100, description: 'The response, `resp_…`' }) });
const Included = Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 20 }));
/** The client writes lists as `include[]`. */
const include = { include: Included, 'include[]': Included };

const Response = Type.Object(ResponseView.properties, {
  $id: 'ModelResponse',
  title: 'ModelResponse',
  description: 'One turn of a conversation, as OpenAI’s and the Open Responses description have it',
});
const EventOfResponse = Type.Union(ResponseEventView.anyOf, { $id: 'ResponseEvent', title: 'ResponseEvent' });

const inEvents = { 'text/event-stream': { schema: Type.Ref('ResponseEvent') } };
const oneResponse = {
  200: {
    description: 'The response; with `stream` its events, each `event` and `data`, numbered without a gap',
    content: { 'application/json': { schema: Type.Ref('ModelResponse') }, ...inEvents },
  },
};

const Deleted = Type.Object({
  id: Type.String(),
  object: Type.Enum(['response'], { type: 'string' }),
  deleted: Type.Boolean(),
});

const Items = Type.Object({
  object: Type.Enum(['list'], { type: 'string' }),
  data: Type.Array(Item),
  first_id: Type.Union([Type.String(), Type.Null()]),
  last_id: Type.Union([Type.String(), Type.Null()]),
  has_more: Type.Boolean(),
});

/** The Responses API: turns of conversations that are stored, streamed, or made in the background. */
export const responseRoutes: FastifyPluginAsyncTypebox<{ context: Context; hub: Hub }> = async (app, edge) => {
  const { context } = edge;
  for (const schema of [Response, EventOfResponse]) app.addSchema(schema);

  app.post(
    '/responses',
    {
      config: execute,
      ...largeBodies(context),
      schema: {
        tags,
        summary: 'Have a model answer',
        description:
          'Answers when the text is whole, or as a stream of events with `stream`; with `background` at once, and the answer is read later. Stored for later requests unless `store` is false.',
        operationId: 'createResponse',
        headers: Type.Pick(WorkHeaders, ['idempotency-key']),
        body: ResponseRequest,
        response: oneResponse,
      },
    },
    async (request, reply) => await createResponse(edge, request, reply, request.body),
  );

  app.get(
    '/responses/:id',
    {
      config: read,
      schema: {
        tags,
        summary: 'Read a response, or follow one that is in the background',
        operationId: 'readResponse',
        params: Params,
        querystring: Type.Object({
          stream: Type.Optional(
            Type.Boolean({ description: 'True for its events: the stored ones, then the others as they come' }),
          ),
          starting_after: Type.Optional(
            Type.Integer({
              minimum: -1,
              maximum: Number.MAX_SAFE_INTEGER,
              description: '`sequence_number` of the last event that is known already',
            }),
          ),
          include_obfuscation: Type.Optional(Type.Boolean()),
          ...include,
        }),
        response: oneResponse,
      },
    },
    async (request, reply) => {
      const { stream: asStream, starting_after: after = -1 } = request.query;
      const found = await storedResponse(edge, request, request.params.id);
      if (!asStream) return sendResponse(reply, await shownResponse(edge, found));
      if (found.background) return streamStored(edge, request, reply, found.id, after);
      const message =
        'stream: expected a response that was requested with background, got another; only background responses can be followed again.';
      throw new AppError('invalid_request', message, { field: 'query.stream' });
    },
  );

  app.post(
    '/responses/:id/cancel',
    {
      config: execute,
      schema: {
        tags,
        summary: 'Cancel a response that is in the background',
        description: 'Final when this answers. One that has ended stays as it is.',
        operationId: 'cancelResponse',
        params: Params,
        response: oneResponse,
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const found = await storedResponse(edge, request, id);
      if (!found.background)
        throw new AppError(
          'invalid_request',
          `expected a response that was requested with background, got ${id}: others end when their client leaves.`,
          { field: 'path.id', value: id },
        );
      await cancelOpen(context, found, principalOf(request).owner);
      return sendResponse(reply, await shownResponse(edge, await storedResponse(edge, request, id)));
    },
  );

  app.delete(
    '/responses/:id',
    {
      config: execute,
      schema: {
        tags,
        summary: 'Delete a response, with all that was said',
        description: 'One that has not ended is cancelled first.',
        operationId: 'deleteResponse',
        params: Params,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const { id } = request.params;
      const found = await storedResponse(edge, request, id);
      const { owner } = principalOf(request);
      await cancelOpen(context, found, owner);
      await deleteResponse(context, owner, found.id);
      return { id, object: 'response' as const, deleted: true };
    },
  );

  app.get(
    '/responses/:id/input_items',
    {
      config: read,
      schema: {
        tags,
        summary: 'List the input items of a response',
        operationId: 'listInputItems',
        params: Params,
        querystring: Type.Object({
          limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
          order: Type.Enum(['asc', 'desc'], { type: 'string', default: 'desc' }),
          after: Type.Optional(Type.String({ maxLength: 200, description: '`last_id` of the page before' })),
          ...include,
        }),
        response: { 200: { description: 'A page of them', content: { 'application/json': { schema: Items } } } },
      },
    },
    async (request, reply) => {
      const { id, input } = await storedResponse(edge, request, request.params.id);
      return sendJson(reply, pageOfItems(withIds(id, 'input', input), request.query));
    },
  );
};

/** Cancels the job of a response that has not ended; one that ends in this moment stays as it is. */
async function cancelOpen(context: Context, { id, ended, state }: StoredResponse, owner: string): Promise<void> {
  if (ended || state === null) return;
  await cancelJob(context, id, owner).catch(unlessEnded);
}
