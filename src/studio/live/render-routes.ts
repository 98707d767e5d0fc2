import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { principalOf } from '#src/http/request/guard.ts';
import { WorkHeaders } from '#src/http/respond/answer-with-job.ts';
import { PublishInput, RenderInput } from '#src/studio/edge/inputs.ts';
import { routeEnvelope } from '#src/studio/plan/brief-routes.ts';
import type { Context } from '#src/system/context.ts';
import { publishAssets } from './publish.ts';
import { renderPlan } from './render.ts';
import { runWorker, WorkerInput, WorkerResult } from './run-worker.ts';

const tags = ['studio'];
const done = {
  200: Type.Ref('StudioEnvelope', { description: 'The boundary that was made, or the job, in `output`' }),
};

/**
 * Routes that run providers and send things outside, with their approvals: renders, publications, and the guarded
 * worker.
 */
export const renderRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.post(
    '/render',
    {
      config: { scope: 'studio.render', capability: 'studio.render' },
      schema: {
        tags,
        summary: 'Prepare or queue a governed render job',
        description:
          'A dry run makes the approval and the outbox package. Live without `approvalRef`, the job waits for a decision; with a granted one for exactly this plan, ceiling and set of providers it runs.',
        operationId: 'renderPlan',
        headers: WorkHeaders,
        body: RenderInput,
        response: done,
      },
    },
    async (request) =>
      routeEnvelope(
        'studio_render',
        await renderPlan(context, principalOf(request), request.body, request.headers['idempotency-key']),
      ),
  );

  app.post(
    '/publish',
    {
      config: { scope: 'studio.publish', capability: 'studio.publish' },
      schema: {
        tags,
        summary: 'Prepare or queue a publication',
        description:
          'Makes an export package for each channel. Nothing is posted outside unless the operator has configured an address for the channel and the publication is approved.',
        operationId: 'publishAssets',
        headers: WorkHeaders,
        body: PublishInput,
        response: done,
      },
    },
    async (request) =>
      routeEnvelope(
        'studio_publish',
        await publishAssets(context, principalOf(request), request.body, request.headers['idempotency-key']),
      ),
  );

  app.post(
    '/worker/run',
    {
      config: { scope: 'studio.worker', capability: 'studio.worker' },
      schema: {
        tags,
        summary: 'Release approved, queued jobs to the fleet, and wait for them',
        description: 'Waits up to 30 s. `disabled` and `blocked` are answers as well, with what to do.',
        operationId: 'runWorker',
        body: Type.Union([WorkerInput, Type.Null()]),
        response: { 200: WorkerResult },
      },
    },
    async (request) => await runWorker(context, principalOf(request), request.body?.limit ?? 10),
  );
};
