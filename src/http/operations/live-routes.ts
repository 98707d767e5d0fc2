import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { changesStream } from '#src/http/jobs/job-changes.ts';
import { principalOf } from '#src/http/request/guard.ts';
import type { Hub } from '#src/http/streams/hub.ts';
import { streamSse } from '#src/http/streams/sse.ts';
import type { Filter, StreamSource } from '#src/http/streams/stream-source.ts';
import { tokenQuery } from '#src/http/streams/token-query.ts';
import { assertOrigin, prepareWebSocket, streamWebSocket } from '#src/http/streams/websocket.ts';
import type { Context } from '#src/system/context.ts';
import { operationsStream } from './operations-stream.ts';

const Cursor = Type.Object({
  ...tokenQuery,
  last_event_id: Type.Optional(
    Type.String({ maxLength: 120, description: 'Id of the last event seen; the stream goes on behind it' }),
  ),
});

/** A stream of everybody's for operators, and of their own for anyone else. */
interface Live {
  readonly sse: string;
  readonly websocket: string;
  readonly tag: string;
  readonly summary: string;
  readonly operationId: string;
  readonly about: string;
  readonly open: (context: Context, owner: string | null) => StreamSource;
  /** True where a token for a queue opens the part of its jobs. */
  readonly isByQueue?: true;
}

const streams: readonly Live[] = [
  {
    sse: '/v1/operations/events',
    websocket: '/ws/v1/operations',
    tag: 'operations',
    summary: 'Follow how queues and fleets stand (SSE)',
    operationId: 'followOperations',
    about: 'One event, `operations`: at once, then whenever a figure changes, at most every second; each is the whole.',
    open: operationsStream,
  },
  {
    sse: '/v1/jobs/events',
    websocket: '/ws/v1/jobs',
    tag: 'jobs',
    summary: 'Follow what changes among jobs (SSE)',
    operationId: 'followJobs',
    about:
      '`snapshot` first, when the list is to be read; then `job` with each that has changed its state, or `reset` where the list is to be read again.',
    open: changesStream,
    isByQueue: true,
  },
];

/** Live streams over many jobs, by server-sent events and by WebSocket. */
export const liveRoutes: FastifyPluginAsyncTypebox<{ context: Context; hub: Hub }> = async (app, { context, hub }) => {
  for (const { sse, websocket, tag, summary, operationId, about, open, isByQueue } of streams) {
    const source = (request: FastifyRequest): StreamSource => {
      const { owner, operator, stream } = principalOf(request);
      const whole = open(context, operator ? null : owner);
      return stream ? { ...whole, allowed: ofQueue(stream.subject) } : whole;
    };
    const config = {
      stream: true,
      ...(isByQueue && { streamToken: { kinds: ['queue'], parameter: null } }),
    } as const;
    app.get(
      sse,
      {
        config,
        schema: {
          tags: [tag],
          summary,
          operationId,
          querystring: Cursor,
          response: {
            200: { description: about, content: { 'text/event-stream': { schema: Type.String() } } },
          },
        },
      },
      async (request, reply) => await streamSse(hub, request, reply, source(request)),
    );
    app.route({
      method: 'GET',
      url: websocket,
      config,
      schema: { hide: true, querystring: Cursor },
      preHandler: async (request) => {
        assertOrigin(request, context.config);
        await prepareWebSocket(hub, request, source(request));
      },
      handler: async () => {},
      wsHandler: streamWebSocket,
    });
  }
};

/** Jobs of one queue. */
function ofQueue(queue: string): Filter {
  return {
    wants: (_type, data) => (data as { readonly queue?: unknown } | null)?.queue === queue,
    narrow: (snapshot) => snapshot,
  };
}
