import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { maskedAddress, seesAddresses } from '#src/governance/notifications/endpoints/shown-address.ts';
import { principalOf } from '#src/http/request/guard.ts';
import type { Principal } from '#src/lib/principal.ts';
import { Time } from '#src/lib/validation/schema-parts.ts';
import { JobLink, jobLink, missionLink } from '#src/platform/edge/job-link.ts';
import type { Context } from '#src/system/context.ts';
import { listDeliveries, replayDelivery, type WebhookDelivery } from './deliveries.ts';
import { webhookEvents } from './webhook-body.ts';

const nullable = <S extends Type.TSchema>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const DeliveryView = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'The message’s `webhook-id`, the same at every try' }),
    job: Type.Object(JobLink.properties, {
      title: 'JobLink',
      description: 'The job or mission, at the end that is reported',
    }),
    url: Type.String({
      description:
        'Address that is notified: whole for a key with `jobs.manage`, else its origin alone, since the rest may hold a secret',
    }),
    event: Type.Enum([...webhookEvents], { type: 'string', description: 'End of the job' }),
    state: Type.Enum(['pending', 'delivered', 'failed'], {
      type: 'string',
      description: 'pending: it is tried, again and again for an hour or more; failed: it is tried no more',
    }),
    status: Type.Enum(['pending', 'delivered', 'failed'], { type: 'string', description: 'The same as `state`' }),
    attempts: Type.Integer({ minimum: 0, description: 'Number of tries' }),
    replays: Type.Integer({ minimum: 0, description: 'Number of times that a client has requested it again' }),
    last_status: nullable(Type.Integer(), 'Status of the newest answer; null where there was none'),
    last_error: nullable(Type.String(), 'Why the newest try failed'),
    created_at: Time('Time at which the end was seen'),
    delivered_at: nullable(Time(''), 'Time at which the receiver took it (an answer of 200 to 299)'),
  },
  { title: 'WebhookDelivery', description: 'Notification of one end of a job' },
);

const Page = Type.Object({
  data: Type.Array(DeliveryView, { description: 'Newest first' }),
  next_cursor: nullable(Type.String(), 'Cursor of the next page; null on the last one'),
});

function deliveryView(delivery: WebhookDelivery, principal: Principal): Static<typeof DeliveryView> {
  const { id, url, event, state, attempts, replays, status, error, createdAt, deliveredAt } = delivery;
  return {
    id,
    job: endedWork(delivery),
    url: seesAddresses(principal) ? url : maskedAddress(url),
    event,
    state,
    status: state,
    attempts,
    replays,
    last_status: status,
    last_error: error,
    created_at: createdAt.toISOString(),
    delivered_at: deliveredAt?.toISOString() ?? null,
  };
}

/** The work that a message is about, as it ended. */
function endedWork({ job, event, body }: WebhookDelivery): JobLink {
  const { type } = JSON.parse(body) as { readonly type: string };
  if (type.startsWith('mission.')) return missionLink(job, event === 'completed' ? 'sealed' : event);
  return jobLink(job, event === 'completed' ? 'succeeded' : event);
}

/** Lists webhook deliveries, and sends them again. */
export const webhookRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  const tags = ['platform'];

  app.get(
    '/webhooks',
    {
      config: { scope: 'platform.mcp.read' },
      schema: {
        tags,
        summary: 'List your deliveries by webhook',
        operationId: 'listWebhookDeliveries',
        querystring: Type.Object({
          limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Deliveries per page' }),
          cursor: Type.Optional(Type.String({ format: 'uuid', description: '`next_cursor` of the page before' })),
        }),
        response: { 200: Page },
      },
    },
    async (request) => {
      const { limit, cursor: before } = request.query;
      const query = { limit: limit + 1, ...(before !== undefined && { before }) };
      const principal = principalOf(request);
      const found = await listDeliveries(context, principal.owner, query);
      const data = found.slice(0, limit);
      const next = found.length > limit ? data.at(-1) : undefined;
      return { data: data.map((delivery) => deliveryView(delivery, principal)), next_cursor: next?.id ?? null };
    },
  );

  app.post(
    '/webhooks/:id/replay',
    {
      config: { scope: 'platform.mcp.execute' },
      schema: {
        tags,
        summary: 'Have a message delivered once more',
        description:
          'Under the same `webhook-id`, by which its receiver knows it; only once it is delivered or failed.',
        operationId: 'replayWebhookDelivery',
        params: Type.Object({ id: Type.String({ format: 'uuid', description: 'The delivery' }) }),
        response: { 202: DeliveryView },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request);
      const delivery = await replayDelivery(context, principal.owner, request.params.id);
      return await reply.code(202).send(deliveryView(delivery, principal));
    },
  );
};
