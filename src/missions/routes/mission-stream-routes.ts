import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { missionEventTypes, noticeTypes } from '#src/governance/missions/mission-log.ts';
import type { StreamDescription } from '#src/http/documents/asyncapi.ts';
import type { Hub } from '#src/http/streams/hub.ts';
import { streamSse } from '#src/http/streams/sse.ts';
import { assertOrigin, prepareWebSocket, streamWebSocket } from '#src/http/streams/websocket.ts';
import type { Context } from '#src/system/context.ts';
import { MissionParams } from './mission-bodies.ts';
import { missionStream } from './mission-stream.ts';
import { ownMission } from './own-mission.ts';

const Data = Type.Record(Type.String(), Type.Unknown());
const summaries: Readonly<Record<(typeof missionEventTypes)[number] | (typeof noticeTypes)[number], string>> = {
  'mission.created': 'Accepted and planned',
  'policy.evaluated': 'A policy decided who may let a step run',
  'mission.started': 'Execution began',
  'step.dispatched': 'A step that reads or computes was given to its job',
  'effect.dispatched': 'A step with an effect outside was given to its job, approved',
  'step.succeeded': 'A step gave its output',
  'effect.confirmed': 'An effect outside happened',
  'step.failed': 'A step failed',
  'step.cancelled': 'A step was stopped while it ran; whether an effect that was dispatched took place is not known',
  'step.skipped': 'A step will not run: the mission ended before',
  'human.requested': 'A challenge waits for its human',
  'human.verified': 'The human behind the mission approved, with a proof',
  'human.declined': 'The owner said no',
  'human.expired': 'A challenge was not answered in time; another one takes its place',
  'mission.succeeded': 'Every step succeeded',
  'mission.failed': 'The mission failed',
  'mission.cancelled': 'The mission was cancelled',
  'receipt.sealed': 'The receipt is sealed; the chain of events is closed',
  'receipt.anchored': 'The receipt is on the chain',
  'mission.closed': 'Nothing more will come',
};

/** Description of the stream of a mission for `/v1/asyncapi.json`. */
export const missionStreamDescription: StreamDescription = {
  name: 'mission',
  title: 'A mission as it is carried out',
  description:
    'Every event from its creation to its anchor, for its owner alone. `reset` carries the mission without what its steps took and gave.',
  sse: '/api/v1/missions/{id}/events',
  websocket: '/ws/api/v1/missions/{id}',
  parameters: { id: 'The mission' },
  events: Object.fromEntries(Object.entries(summaries).map(([type, summary]) => [type, { summary, data: Data }])),
};

const Cursor = Type.Object({
  last_event_id: Type.Optional(
    Type.String({ maxLength: 120, description: 'Id of the last event seen; the stream goes on behind it' }),
  ),
});

/** The events of a mission as they happen. */
export const missionStreamRoutes: FastifyPluginAsyncTypebox<{ context: Context; hub: Hub }> = async (
  app,
  { context, hub },
) => {
  app.get(
    '/api/v1/missions/:id/events',
    {
      config: { scope: 'platform.mcp.read', stream: true },
      schema: {
        tags: ['missions'],
        summary: 'Follow a mission (SSE)',
        operationId: 'followMission',
        params: MissionParams,
        querystring: Cursor,
        response: {
          200: {
            description: 'Events as they happen, each `id`, `event` and `data`; the last one is `mission.closed`',
            content: { 'text/event-stream': { schema: Type.String() } },
          },
          204: { description: 'The cursor is the last event: there is nothing more', type: 'null' },
        },
      },
    },
    async (request, reply) => {
      const { id } = await ownMission(context, request, request.params.id);
      return await streamSse(hub, request, reply, missionStream(context, id));
    },
  );

  app.route({
    method: 'GET',
    url: '/ws/api/v1/missions/:id',
    config: { scope: 'platform.mcp.read', stream: true },
    schema: { hide: true, params: MissionParams, querystring: Cursor },
    preHandler: async (request) => {
      assertOrigin(request, context.config);
      const { id } = await ownMission(context, request, request.params.id);
      await prepareWebSocket(hub, request, missionStream(context, id));
    },
    handler: async () => {},
    wsHandler: streamWebSocket,
  });
};
