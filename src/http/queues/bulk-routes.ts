import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { principalOf } from '#src/http/request/guard.ts';
import { largeBodies } from '#src/http/request/large-bodies.ts';
import type { Context } from '#src/system/context.ts';
import type { FindReceiver } from './job-options.ts';
import { readBulk } from './read-bulk.ts';
import { BulkItem } from './submit-body.ts';
import { submitBulk } from './submit-bulk.ts';

const BulkQuery = Type.Object({
  atomic: Type.Boolean({
    default: false,
    description: 'All or nothing: where one cannot be taken, none is, and the answer is that one’s error',
  }),
});

const lines = 'application/x-ndjson';

/** The route by which many jobs of any of the caller's queues are submitted in one request. */
export const bulkRoutes: FastifyPluginAsyncTypebox<{
  context: Context;
  findReceiver: FindReceiver;
}> = async (app, { context, findReceiver }) => {
  app.post(
    '/v1/jobs/bulk',
    {
      ...largeBodies(context),
      config: { scope: 'jobs.submit', rawBody: 'lines' },
      schema: {
        tags: ['queues'],
        summary: 'Submit up to 10,000 jobs of any of your queues',
        description:
          'A job a line, or an array of jobs. Answers a line a job, in their order: `{"index", "id", "created"}`, or `{"index", "error"}` for one that was not taken; `index` is the place among the jobs sent, from 0, and empty lines are not counted. What is answered with an id is stored; a request whose answer was lost can be repeated where its jobs have keys.',
        operationId: 'submitJobs',
        querystring: BulkQuery,
        body: {
          content: {
            [lines]: { schema: BulkItem },
            'application/json': {
              schema: Type.Array(BulkItem, { maxItems: 10_000, description: 'Jobs of any of your queues' }),
            },
          },
        },
        response: {
          200: {
            description: 'A line a job, in their order',
            content: { [lines]: { schema: Type.String() } },
          },
        },
      },
    },
    async (request, reply) => {
      const items = readBulk(request.body as Buffer, request.headers['content-type']);
      const answers = await submitBulk({ context, findReceiver }, principalOf(request), items, request.query.atomic);
      return await reply.type(lines).send(answers.map((answer) => `${JSON.stringify(answer)}\n`).join(''));
    },
  );
};
