import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { assertMayRead, mayReadWords } from '#src/http/queues/may-use-queues.ts';
import { principalOf } from '#src/http/request/guard.ts';
import { AppError } from '#src/lib/errors.ts';
import { Count, OptionalText, OptionalTime, Time } from '#src/lib/validation/schema-parts.ts';
import type { Context } from '#src/system/context.ts';
import { type Delivery, deliveryStates, listDeliveries, ownDelivery } from './deliveries/delivery-row.ts';
import { MOST_REPLAYED, replayOne, replayRange } from './deliveries/replay.ts';
import { ownEndpoint, readEndpoint } from './endpoints/endpoint-row.ts';

const whole = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description });

const DeliveryView = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'The message’s `webhook-id`, the same at every attempt' }),
    endpoint_id: Type.String({ format: 'uuid', description: 'The endpoint' }),
    type: Type.String({ description: 'Type of the event' }),
    state: Type.Enum([...deliveryStates], {
      type: 'string',
      description: '`pending` waits for its next attempt, `sending` is under way, `failed` is not tried again',
    }),
    attempts: Count('Number of attempts'),
    replays: Count('Number of times that it was sent again by hand'),
    last_status: whole('Status of the newest answer; null where there was none'),
    last_error: OptionalText('Why the newest attempt failed'),
    took_ms: whole('Time of the newest exchange'),
    created_at: Time('When the event was noted'),
    attempted_at: OptionalTime('When the newest attempt was made'),
    next_at: OptionalTime(
      'When it is tried next, at the earliest: while its endpoint rests, the end of that rest; null where it is over',
    ),
    delivered_at: OptionalTime('When the receiver took it'),
  },
  { $id: 'WebhookEventDelivery', title: 'WebhookEventDelivery', description: 'One event for one endpoint' },
);
const DeliveryDetail = Type.Object(
  {
    ...DeliveryView.properties,
    message: Type.Unsafe<unknown>({ description: 'The event, as `raw` endpoints get it' }),
  },
  {
    $id: 'WebhookEventDeliveryDetail',
    title: 'WebhookEventDeliveryDetail',
    description: 'A delivery with its message',
  },
);

const Range = Type.Object(
  {
    from: Time('Beginning of the time, by when events were noted'),
    to: Type.Optional(Time('End of it; now without one')),
    state: Type.Optional(
      Type.Enum(['failed', 'delivered'], { type: 'string', description: 'Only those of this state; both without it' }),
    ),
  },
  { additionalProperties: false, examples: [{ from: '2026-11-23T08:00:00Z', state: 'failed' }] },
);

const tags = ['notifications'];
const config = { scope: 'jobs.manage' } as const;
const DeliveryParams = Type.Object({ id: Type.String({ format: 'uuid', description: 'The delivery' }) });

/** Deliveries of events to endpoints: listed, read, sent again. */
export const deliveryRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.addSchema(DeliveryView);
  app.addSchema(DeliveryDetail);

  app.get(
    '/v1/webhook-deliveries',
    {
      onRequest: assertMayRead,
      schema: {
        tags,
        summary: 'List deliveries to your endpoints',
        description: `Those of webhooks of single jobs are among them. ${mayReadWords}`,
        operationId: 'listWebhookEventDeliveries',
        querystring: Type.Object({
          endpoint: Type.Optional(Type.String({ format: 'uuid', description: 'Only those to this endpoint' })),
          state: Type.Optional(
            Type.Enum([...deliveryStates], { type: 'string', description: 'Only those of this state' }),
          ),
          limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Deliveries per page' }),
          cursor: Type.Optional(Type.String({ format: 'uuid', description: '`next_cursor` of the page before' })),
        }),
        response: {
          200: Type.Object({
            data: Type.Array(Type.Ref('WebhookEventDelivery'), { description: 'Newest first' }),
            next_cursor: OptionalText('Cursor of the next page; null on the last one'),
          }),
        },
      },
    },
    async (request) => {
      const { endpoint, state, limit, cursor: before } = request.query;
      const { owner } = principalOf(request);
      const found = await listDeliveries(context, { owner, endpoint, state, before, limit: limit + 1 });
      const data = found.slice(0, limit);
      return { data: data.map(deliveryView), next_cursor: found.length > limit ? (data.at(-1)?.id ?? null) : null };
    },
  );

  app.get(
    '/v1/webhook-deliveries/:id',
    {
      onRequest: assertMayRead,
      schema: {
        tags,
        summary: 'Read a delivery with its message',
        description: mayReadWords,
        operationId: 'readWebhookEventDelivery',
        params: DeliveryParams,
        response: { 200: Type.Ref('WebhookEventDeliveryDetail') },
      },
    },
    async (request) => {
      const { owner, operator } = principalOf(request);
      const delivery = await ownDelivery(context, owner, request.params.id);
      const endpoint = await readEndpoint(context, delivery.endpoint);
      if (endpoint?.everyOwner && !operator)
        throw new AppError(
          'forbidden',
          'expected a caller who is an operator: this message may be about another owner.',
          {
            operator: false,
            reason: 'operator',
          },
        );
      return { ...deliveryView(delivery), message: JSON.parse(delivery.body) as unknown };
    },
  );

  app.post(
    '/v1/webhook-deliveries/:id/replay',
    {
      config,
      schema: {
        tags,
        summary: 'Send a message again',
        description: 'At once, under the same `webhook-id`, by which its receiver knows it.',
        operationId: 'replayWebhookEventDelivery',
        params: DeliveryParams,
        response: { 202: Type.Ref('WebhookEventDelivery') },
      },
    },
    async (request, reply) => {
      const { owner } = principalOf(request);
      await replayOne(context, await ownDelivery(context, owner, request.params.id));
      return await reply.code(202).send(deliveryView(await ownDelivery(context, owner, request.params.id)));
    },
  );

  app.post(
    '/v1/webhook-endpoints/:id/replay',
    {
      config,
      schema: {
        tags,
        summary: 'Send the messages of a time again',
        description: `Those that have ended, each under its \`webhook-id\`; at most ${MOST_REPLAYED.toLocaleString('en')} with one request, the oldest first.`,
        operationId: 'replayWebhookEndpoint',
        params: Type.Object({ id: Type.String({ format: 'uuid', description: 'The endpoint' }) }),
        body: Range,
        response: { 202: Type.Object({ replayed: Count('Number of messages that are sent again') }) },
      },
    },
    async (request, reply) => {
      const endpoint = await ownEndpoint(context, principalOf(request).owner, request.params.id);
      const { from, to, state } = request.body;
      const range = { from: new Date(from), to: to === undefined ? new Date() : new Date(to), state };
      if (range.to <= range.from)
        throw new AppError('invalid_request', `body.to: expected a time after ${from}, got ${to ?? 'now'}.`, {
          field: 'body.to',
        });
      return await reply.code(202).send({ replayed: await replayRange(context, endpoint.id, range) });
    },
  );
};

function deliveryView(delivery: Delivery): Static<typeof DeliveryView> {
  const { id, endpoint, type, state, attempts, replays, status, error, tookMs, nextAt, restsUntil } = delivery;
  // an endpoint that rests gets nothing, whichever message is due
  const next = restsUntil && restsUntil > nextAt ? restsUntil : nextAt;
  return {
    id,
    endpoint_id: endpoint,
    type,
    state,
    attempts,
    replays,
    last_status: status,
    last_error: error,
    took_ms: tookMs,
    created_at: delivery.createdAt.toISOString(),
    attempted_at: delivery.attemptedAt?.toISOString() ?? null,
    next_at: state === 'pending' ? next.toISOString() : null,
    delivered_at: delivery.deliveredAt?.toISOString() ?? null,
  };
}
