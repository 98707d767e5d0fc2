import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { flowQueue } from '#queues/flows.ts';
import { principalOf } from '#src/http/request/guard.ts';
import type { Hub } from '#src/http/streams/hub.ts';
import { streamSse } from '#src/http/streams/sse.ts';
import type { StreamSource } from '#src/http/streams/stream-source.ts';
import { tokenQuery } from '#src/http/streams/token-query.ts';
import { assertOrigin, prepareWebSocket, streamWebSocket } from '#src/http/streams/websocket.ts';
import { showJob } from '#src/http/views/show-job.ts';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { redriveJob } from '#src/jobs/change/redrive.ts';
import { jobChannel } from '#src/jobs/model/channels.ts';
import { unknownEffectDecisions } from '#src/jobs/model/unknown-effects.ts';
import type { Context } from '#src/system/context.ts';
import { jobStream } from './job-stream.ts';
import { assertMayDirect, assertMayRedrive, assertRedrives } from './may-direct-job.ts';
import { ownJob } from './own-job.ts';

/** Listens only so that the channel is open. */
const unheard = { message: () => {}, resubscribed: () => {} };

const JobParams = Type.Object({ id: Type.String({ format: 'uuid', description: 'The job' }) });

const Redrive = Type.Object(
  {
    unknown_effects: Type.Optional(
      Type.Enum([...unknownEffectDecisions], {
        type: 'string',
        description: 'For a job whose effects may or may not have happened: what a human found out at the provider',
      }),
    ),
  },
  { additionalProperties: false },
);

const Cursor = Type.Object({
  ...tokenQuery,
  last_event_id: Type.Optional(
    Type.String({ maxLength: 120, description: 'Id of the last event seen; the stream goes on behind it' }),
  ),
});

const events = {
  200: {
    description:
      'Events as they happen, each `id`, `event` and `data` (JSON with id, type, at, data). `reset` carries a snapshot where the history cannot be replayed.',
    content: { 'text/event-stream': { schema: Type.String() } },
  },
  204: { description: 'The cursor is the last event of a job that has ended: there is nothing more', type: 'null' },
};

const tags = ['jobs'];
const streamToken = { kinds: ['job', 'flow'], parameter: 'id' } as const;

/** Jobs of every queue: read, cancel, redrive, follow. A caller sees its own; an operator sees all. */
export const jobRoutes: FastifyPluginAsyncTypebox<{ context: Context; hub: Hub }> = async (app, { context, hub }) => {
  app.get(
    '/v1/jobs/:id',
    {
      schema: {
        tags,
        summary: 'Read a job',
        operationId: 'readJob',
        params: JobParams,
        response: { 200: Type.Ref('Job') },
      },
    },
    async (request) => {
      return await showJob(context, await ownJob(context, request, request.params.id));
    },
  );

  app.delete(
    '/v1/jobs/:id',
    {
      schema: {
        tags,
        summary: 'Cancel a job that has not ended',
        description:
          'Needs a key with the scope that asks for such work: `jobs.submit` for a registered queue, `studio.render` or `studio.publish` for those of the studio, else `platform.mcp.execute`; or one of an operator.',
        operationId: 'cancelJob',
        params: JobParams,
        response: { 200: Type.Ref('Job') },
      },
    },
    async (request) => {
      const { id, queue } = await ownJob(context, request, request.params.id);
      assertMayDirect(principalOf(request), queue);
      return await showJob(context, await cancelJob(context, id, principalOf(request).owner));
    },
  );

  app.post(
    '/v1/jobs/:id/redrive',
    {
      onRequest: async (request) => assertRedrives(principalOf(request)),
      schema: {
        tags,
        summary: 'Put a failed job back into its queue',
        description:
          'Needs `jobs.manage` for a job of yours in a queue that you registered, and that no person had to allow; all others are for operators. A flow runs its rest again, also one that was cancelled; a job of a flow that failed or was cancelled is run again with its flow alone.',
        operationId: 'redriveJob',
        params: JobParams,
        body: Type.Union([Redrive, Type.Null()], {
          description: 'Only for jobs with effects in doubt; otherwise none',
        }),
        response: { 200: Type.Ref('Job') },
      },
    },
    async (request) => {
      const job = await ownJob(context, request, request.params.id);
      const { id } = job;
      assertMayRedrive(principalOf(request), job);
      const { owner } = principalOf(request);
      const move = job.queue === flowQueue.name ? 'rerun' : 'redrive';
      return await showJob(context, await redriveJob(context, id, owner, request.body?.unknown_effects, move));
    },
  );

  /** Gives the stream of a caller's own job. Listens while its owner is looked up: both answers are waited for. */
  const withOwnStream = async <T>(
    request: FastifyRequest,
    named: string,
    use: (source: StreamSource) => Promise<T>,
  ) => {
    const early = hub.bus.subscribe(jobChannel(context.config, named.toLowerCase()), unheard);
    try {
      const { id } = await ownJob(context, request, named);
      return await use(jobStream(context, id));
    } finally {
      early.close();
    }
  };

  app.get(
    '/v1/jobs/:id/events',
    {
      config: { stream: true, streamToken },
      schema: {
        tags,
        summary: 'Follow a job (SSE)',
        operationId: 'followJob',
        params: JobParams,
        querystring: Cursor,
        response: events,
      },
    },
    async (request, reply) => {
      return await withOwnStream(request, request.params.id, (source) => streamSse(hub, request, reply, source));
    },
  );

  app.route({
    method: 'GET',
    url: '/ws/v1/jobs/:id',
    config: { stream: true, streamToken },
    schema: { hide: true, params: JobParams, querystring: Cursor },
    preHandler: async (request) => {
      assertOrigin(request, context.config);
      await withOwnStream(request, request.params.id, (source) => prepareWebSocket(hub, request, source));
    },
    handler: async () => {},
    wsHandler: streamWebSocket,
  });
};
