import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { flowQueue } from '#queues/flows.ts';
import { admitWork } from '#src/access/quota.ts';
import { ownJob } from '#src/http/jobs/own-job.ts';
import type { FindReceiver } from '#src/http/queues/job-options.ts';
import { assertMayRead, mayReadWords } from '#src/http/queues/may-use-queues.ts';
import { principalOf } from '#src/http/request/guard.ts';
import { largeBodies } from '#src/http/request/large-bodies.ts';
import { requestText } from '#src/http/request/request-text.ts';
import { WorkHeaders } from '#src/http/respond/answer-with-job.ts';
import { cancelJob } from '#src/jobs/change/cancel.ts';
import { redriveJob } from '#src/jobs/change/redrive.ts';
import { listFlows } from '#src/jobs/flows/list-flows.ts';
import { submitFlow } from '#src/jobs/flows/submit-flow.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { states } from '#src/jobs/model/states.ts';
import { repeatedJob, requestHash } from '#src/jobs/submit/find-repeated.ts';
import { keepWebhooks } from '#src/jobs/submit/keep-webhooks.ts';
import { AppError } from '#src/lib/errors.ts';
import { callerName } from '#src/lib/principal.ts';
import type { Context } from '#src/system/context.ts';
import { FlowBody, FlowSummary, FlowView } from './flow-body.ts';
import { flowSummary, flowView } from './flow-view.ts';

const Params = Type.Object({ id: Type.String({ format: 'uuid', description: 'The flow' }) });
const PageQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Most of one page' }),
  before: Type.Optional(
    Type.String({ format: 'uuid', description: 'Id before which the page begins: `next` of the page before' }),
  ),
  state: Type.Optional(Type.Enum([...states], { type: 'string', description: 'State of its job' })),
  text: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Part of its name, in whatever case, or its id' }),
  ),
});
const FlowList = Type.Object({
  data: Type.Array(Type.Ref('FlowSummary'), { description: 'Your flows, the newest first' }),
  next: Type.Union([Type.String(), Type.Null()], {
    description: 'Value of `before` for the next page; null at the end',
  }),
});

const tags = ['flows'];
const config = { scope: 'jobs.submit' } as const;

/** Routes of flows: jobs of several queues that follow each other. */
export const flowRoutes: FastifyPluginAsyncTypebox<{
  context: Context;
  findReceiver: FindReceiver;
}> = async (app, { context, findReceiver }) => {
  app.addSchema(FlowView);
  app.addSchema(FlowSummary);

  const found = async (request: FastifyRequest, id: string): Promise<Job> => {
    const job = await ownJob(context, request, id);
    if (job.queue === flowQueue.name) return job;
    throw new AppError(
      'not_found',
      `expected the id of one of your flows, got ${id}, which is a job of ${job.queue}.`,
      {
        field: 'path.id',
        value: id,
      },
    );
  };

  app.post(
    '/v1/flows',
    {
      ...largeBodies(context),
      config: { ...config, exactNumbers: '' },
      schema: {
        tags,
        summary: 'Submit jobs that follow each other',
        description:
          'Checked whole before anything runs: circles, names, queues, payloads, and the types of references where the contracts say them. Stored as one job, whose end, result and events are those of the flow.',
        operationId: 'submitFlow',
        headers: Type.Pick(WorkHeaders, ['idempotency-key']),
        body: FlowBody,
        response: { 202: Type.Ref('Flow', { description: 'Accepted; `Location` is the flow' }) },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request);
      const { metadata, webhook, ...flow } = request.body;
      const key = request.headers['idempotency-key'];
      const text = requestText(request);
      const known = key === undefined ? null : { key, hash: requestHash(flowQueue.name, text) };
      // a repetition is not checked against the contracts of now
      const repeated = known && (await repeatedJob(context, principal.owner, known));
      if (!repeated) await admitWork(context)(principal, flowQueue.name);
      const receiver = webhook && (await findReceiver(context, principal, webhook));
      const { job, created } = repeated
        ? { job: repeated, created: false }
        : await submitFlow(context, principal, flow, {
            ...(metadata && { metadata }),
            ...(key !== undefined && { idempotencyKey: key, request: text }),
          });
      if (receiver !== undefined) await keepWebhooks(context, [{ job: job.id, endpoint: receiver }]);
      if (!created) reply.header('idempotency-replayed', 'true');
      reply.header('x-job-id', job.id);
      return await reply
        .code(202)
        .header('location', `/v1/flows/${job.id}`)
        .send(await flowView(context, job));
    },
  );

  app.get(
    '/v1/flows',
    {
      onRequest: assertMayRead,
      schema: {
        tags,
        summary: 'List your flows',
        description: mayReadWords,
        operationId: 'listFlows',
        querystring: PageQuery,
        response: { 200: FlowList },
      },
    },
    async (request) => {
      const { limit, before = null, state = null, text = null } = request.query;
      assertText(text);
      const { owner } = principalOf(request);
      const rows = await listFlows(context, { owner, state, text, before, limit: limit + 1 });
      const page = rows.slice(0, limit);
      return { data: page.map(flowSummary), next: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
    },
  );

  app.get(
    '/v1/flows/:id',
    {
      onRequest: assertMayRead,
      schema: {
        tags,
        summary: 'A flow with its nodes as they are now',
        description: mayReadWords,
        operationId: 'readFlow',
        params: Params,
        response: { 200: Type.Ref('Flow') },
      },
    },
    async (request) => await flowView(context, await found(request, request.params.id)),
  );

  app.delete(
    '/v1/flows/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Cancel a flow, and all of its jobs that have not ended',
        operationId: 'cancelFlow',
        params: Params,
        response: { 200: Type.Ref('Flow') },
      },
    },
    async (request) => {
      const { id } = await found(request, request.params.id);
      return await flowView(context, await cancelJob(context, id, callerName(principalOf(request))));
    },
  );

  app.post(
    '/v1/flows/:id/redrive',
    {
      config,
      schema: {
        tags,
        summary: 'Run the rest of a flow again that failed or was cancelled',
        description: 'What succeeded is kept: nodes, and in a node with many jobs each of them. All others run again.',
        operationId: 'redriveFlow',
        params: Params,
        response: { 200: Type.Ref('Flow') },
      },
    },
    async (request) => {
      const { id } = await found(request, request.params.id);
      return await flowView(
        context,
        await redriveJob(context, id, callerName(principalOf(request)), undefined, 'rerun'),
      );
    },
  );
};

/** @throws AppError `invalid_request` for text that no row can hold */
function assertText(text: string | null): void {
  if (!text?.includes('\0')) return;
  throw new AppError('invalid_request', 'query.text: expected text without \\u0000, got some with it.', {
    field: 'query.text',
  });
}
