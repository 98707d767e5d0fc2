import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { type OwnerEventType, ownerEventTypes } from '#src/governance/owners/owner-event-types.ts';
import type { StreamDescription } from '#src/http/documents/asyncapi.ts';
import { principalOf } from '#src/http/request/guard.ts';
import type { Hub } from '#src/http/streams/hub.ts';
import { streamSse } from '#src/http/streams/sse.ts';
import { studioPath } from '#src/studio/edge/studio-plugin.ts';
import type { Context } from '#src/system/context.ts';
import { ownerStream } from './owner-stream.ts';

const summaries: Readonly<Record<OwnerEventType, string>> = {
  'brief.created': 'A brief was recorded',
  'plan.created': 'A plan was made',
  'approval.requested': 'A decision is requested',
  'approval.granted': 'A person allowed it',
  'approval.declined': 'A person did not allow it',
  'approval.used': 'A job took the approval, which no other can any more',
  'approval.expired': 'It was not decided or used in time',
  'job.awaiting_approval': 'A job was accepted, and waits for a decision',
  'job.queued': 'A job came into its queue',
  'job.started': 'An attempt of a job began',
  'job.retried': 'An attempt failed, and another will follow',
  'job.succeeded': 'A job succeeded',
  'job.failed': 'A job failed',
  'job.cancelled': 'A job was cancelled',
  'asset.created': 'An asset was made',
  'spend.reserved': 'Money was set aside for a call of a provider',
  'spend.settled': 'Cost of the call',
  'spend.released': 'The call did not take place; what was set aside is free again',
  'spend.unknown': 'Not known whether the call cost anything; `usd` stays set aside until it is, or is decided',
  'provider.setup_requested': 'A caller has requested that a provider be set up',
};

/** Description of the studio's event stream, for `/v1/asyncapi.json`. */
export const studioStreamDescription: StreamDescription = {
  name: 'studio',
  title: 'Events of the studio',
  description:
    'Briefs, plans, approvals, jobs, assets and spending of the caller; the first event is `studio_stream_ready`.',
  sse: `${studioPath}/events`,
  websocket: null,
  parameters: {},
  events: Object.fromEntries(
    ownerEventTypes.map((type) => [
      type,
      { summary: summaries[type], data: Type.Record(Type.String(), Type.Unknown()) },
    ]),
  ),
};

/** The live stream of the studio. */
export const eventRoutes: FastifyPluginAsyncTypebox<{ context: Context; hub: Hub }> = async (app, { context, hub }) => {
  app.get(
    '/events',
    {
      config: { scope: 'studio.read', capability: 'studio.events', stream: true },
      schema: {
        tags: ['studio'],
        summary: 'Follow what happens in the studio (SSE)',
        description: 'Without a cursor every stored event is replayed; with `Last-Event-ID` the events after it.',
        operationId: 'followStudio',
        querystring: Type.Object({ last_event_id: Type.Optional(Type.String({ maxLength: 120 })) }),
        response: {
          200: {
            description: 'Events as they happen; `studio_stream_ready` with `product` and `channel` first',
            content: { 'text/event-stream': { schema: Type.String() } },
          },
        },
      },
    },
    async (request, reply) => {
      const { owner } = principalOf(request);
      return await streamSse(hub, request, reply, ownerStream(context, owner), undefined, {
        event: 'studio_stream_ready',
        data: { product: 'studio', channel: `studio:${owner}` },
      });
    },
  );
};
