import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { principalOf } from '#src/http/request/guard.ts';
import { largeBodies } from '#src/http/request/large-bodies.ts';
import { requestText } from '#src/http/request/request-text.ts';
import { WorkHeaders } from '#src/http/respond/answer-with-job.ts';
import { AppError } from '#src/lib/errors.ts';
import { cursorOf, ListQuery, listOf, pageOf, uuidOf } from '#src/platform/edge/list-query.ts';
import type { Context } from '#src/system/context.ts';
import { jobsOf } from './batch-jobs.ts';
import { type Batch, cancelBatch, listBatches, readBatch } from './batch-store.ts';
import { BatchView, batchView } from './batch-view.ts';
import { CreateBatch, createBatch } from './create-batch.ts';

const read = { scope: 'platform.mcp.read' } as const;
const write = { scope: 'platform.mcp.execute' } as const;
const Params = Type.Object({ id: Type.String({ maxLength: 100, description: 'Id of a batch: `batch_…`' }) });
const answer = { 200: Type.Ref('Batch') };

/** The same routes under our path and that of OpenAI's clients. */
const names = [
  { base: '/batch', tags: ['platform'], suffix: '' },
  { base: '/batches', tags: ['openai'], suffix: 'OpenAi' },
] as const;

/** Many requests at once: accepted, followed, cancelled; their results are files. */
export const batchRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.addSchema(BatchView);

  const create = async (request: FastifyRequest<{ Body: CreateBatch }>, reply: FastifyReply) => {
    const made = await createBatch(context, principalOf(request), {
      body: request.body,
      text: requestText({ ...identityOf(request), body: request.body }),
      idempotencyKey: [request.headers['idempotency-key']].flat()[0],
    });
    if (!made.created) reply.header('idempotency-replayed', 'true');
    reply.header('x-job-id', made.job.id);
    return batchView(made.batch, made.job);
  };

  const show = async (batch: Batch) => batchView(batch, (await jobsOf(context, [batch.id])).get(batch.id) ?? null);

  for (const { base, tags, suffix } of names) {
    app.post(
      base,
      {
        config: write,
        ...largeBodies(context),
        schema: {
          tags: [...tags],
          summary: 'Have many requests carried out within a day',
          description:
            'A line that is wrong, or fails, is reported in the error file; the others go on. The same owner and Idempotency-Key gives the same batch.',
          operationId: `createBatch${suffix}`,
          headers: Type.Pick(WorkHeaders, ['idempotency-key']),
          body: CreateBatch,
          response: answer,
        },
      },
      create,
    );

    app.get(
      `${base}/:id`,
      {
        config: read,
        schema: {
          tags: [...tags],
          summary: 'Read the status of a batch',
          operationId: `readBatch${suffix}`,
          params: Params,
          response: answer,
        },
      },
      async (request) => await show(await batchOf(context, principalOf(request).owner, request.params.id)),
    );

    app.post(
      `${base}/:id/cancel`,
      {
        config: write,
        schema: {
          tags: [...tags],
          summary: 'Cancel a batch',
          description: 'No line begins any more, and what is under way is cancelled; what was done is in the files.',
          operationId: `cancelBatch${suffix}`,
          params: Params,
          response: answer,
        },
      },
      async (request) => {
        const found = await batchOf(context, principalOf(request).owner, request.params.id);
        const cancelled = await cancelBatch(context, found.id);
        if (cancelled) return await show(cancelled);
        const { status } = await batchOf(context, found.owner, request.params.id);
        const message = `Expected a batch that is validating or in_progress, got one that is ${status}: it cannot be cancelled.`;
        throw new AppError('state_conflict', message, { status });
      },
    );
  }

  app.get(
    '/batches',
    {
      config: read,
      schema: {
        tags: ['openai'],
        summary: 'List your batches, newest first',
        operationId: 'listBatches',
        querystring: ListQuery,
        response: { 200: pageOf(Type.Ref('Batch'), 'Batches') },
      },
    },
    async (request) => {
      const { after, limit } = request.query;
      const { owner } = principalOf(request);
      const batches = await listBatches(context, { owner, after: cursorOf('batch', after), limit: limit + 1 });
      const jobs = await jobsOf(
        context,
        batches.map(({ id }) => id),
      );
      return listOf(
        batches.map((batch) => batchView(batch, jobs.get(batch.id) ?? null)),
        limit,
      );
    },
  );
};

/** Leaves out the path: both names are one route. */
function identityOf({ method, params, query }: FastifyRequest) {
  return { method, params, query, routeOptions: { url: '/batch' } };
}

/** @throws AppError `not_found` */
async function batchOf(context: Context, owner: string, id: string): Promise<Batch> {
  const uuid = uuidOf('batch', id);
  const batch = uuid === null ? null : await readBatch(context, owner, uuid);
  if (batch) return batch;
  throw new AppError('not_found', `expected the id of a batch of yours, got ${JSON.stringify(id)}, which is none.`);
}
