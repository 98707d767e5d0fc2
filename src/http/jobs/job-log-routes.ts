import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { Hub } from '#src/http/streams/hub.ts';
import { streamSse } from '#src/http/streams/sse.ts';
import { parseCursor } from '#src/http/streams/stream-source.ts';
import { lastLines, MOST_LINES, readLines } from '#src/jobs/log/log-store.ts';
import type { Context } from '#src/system/context.ts';
import { jobLogStream, LogLineView } from './job-log-stream.ts';
import { ownJob } from './own-job.ts';

const JobParams = Type.Object({ id: Type.String({ format: 'uuid', description: 'The job' }) });

const LogQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      maxLength: 120,
      description: 'Id of a line: those behind it. One that is not of this log means all',
    }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: MOST_LINES, default: 100, description: 'Lines per page' }),
});

const LogPage = Type.Object({
  data: Type.Array(LogLineView, { description: 'In the order in which they were said' }),
  next_cursor: Type.Union([Type.String(), Type.Null()], {
    description: 'Value of `after` for the next page; null on the last one',
  }),
});

const tags = ['jobs'];

/** Routes for the logs of jobs while they run: the newest lines of each, for some days. */
export const jobLogRoutes: FastifyPluginAsyncTypebox<{ context: Context; hub: Hub }> = async (
  app,
  { context, hub },
) => {
  app.get(
    '/v1/jobs/:id/logs',
    {
      schema: {
        tags,
        summary: 'Read the log of a job',
        description: `The newest ${MOST_LINES} lines, for some days (settings JOB_LOG_DAYS and JOB_LOG_LINES). Nothing that counts: lines may be lost, and the timeline is the record.`,
        operationId: 'readJobLog',
        params: JobParams,
        querystring: LogQuery,
        response: { 200: LogPage },
      },
    },
    async (request) => {
      const { after, limit } = request.query;
      const cursor = parseCursor(after, 'after');
      const { id } = await ownJob(context, request, request.params.id);
      const { epoch } = await lastLines(context, [id]);
      const from = cursor?.epoch === epoch ? cursor.n : 0;
      const lines = await readLines(context, id, from, limit + 1);
      const page = lines.slice(0, limit);
      return { data: page, next_cursor: lines.length > limit ? (page.at(-1)?.id ?? null) : null };
    },
  );

  app.get(
    '/v1/jobs/:id/logs/events',
    {
      config: { stream: true },
      schema: {
        tags,
        summary: 'Follow what a job says (SSE)',
        operationId: 'followJobLog',
        params: JobParams,
        querystring: Type.Object({
          last_event_id: Type.Optional(
            Type.String({ maxLength: 120, description: 'Id of the last line seen; the stream goes on behind it' }),
          ),
        }),
        response: {
          200: {
            description: 'Events of type `log`, each a line as the list has it; `reset` with the kept lines.',
            content: { 'text/event-stream': { schema: Type.String() } },
          },
          204: { description: 'The job has ended, and there is no line behind the cursor', type: 'null' },
        },
      },
    },
    async (request, reply) => {
      const { id } = await ownJob(context, request, request.params.id);
      return await streamSse(hub, request, reply, jobLogStream(context, id));
    },
  );
};
