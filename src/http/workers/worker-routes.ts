import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { clientGone } from '#src/http/request/client-gone.ts';
import { principalOf } from '#src/http/request/guard.ts';
import { largeBodies } from '#src/http/request/large-bodies.ts';
import type { Hub } from '#src/http/streams/hub.ts';
import { assertOrigin } from '#src/http/streams/websocket.ts';
import { WorkerView, workerView } from '#src/http/views/worker-view.ts';
import { listRemote } from '#src/jobs/workers/remote-worker.ts';
import { holderOf } from '#src/lib/principal.ts';
import { buildValidators } from '#src/lib/validation/validators.ts';
import type { Context } from '#src/system/context.ts';
import {
  PollBody,
  Polled,
  RegisterBody,
  Registered,
  ReportAnswers,
  ReportList,
  ReportsBody,
  WorkerList,
} from './worker-bodies.ts';
import { leave, poll, register, report } from './worker-calls.ts';
import { workerExchange } from './worker-exchange.ts';
import { serveWorkerSocket } from './worker-socket.ts';

const WorkerParams = Type.Object({
  worker: Type.String({ format: 'uuid', description: 'The worker, as its registration named it' }),
});

const tags = ['workers'];

/** Routes by which processes anywhere take jobs of registered queues: register, poll, report, leave. */
export const workerRoutes: FastifyPluginAsyncTypebox<{ context: Context; hub: Hub }> = async (
  app,
  { context, hub },
) => {
  app.addSchema(WorkerView);
  app.addSchema(Registered);
  app.addSchema(Polled);
  app.addSchema(ReportAnswers);
  app.describeExchange(workerExchange);
  // limited by its lease and its credits; each poll is a beat, which a limit of requests must not swallow
  const config = { scope: 'jobs.work', uncounted: true } as const;
  const validator = buildValidators(app.getSchemas());

  app.post(
    '/v1/workers',
    {
      config: { scope: 'jobs.work' },
      schema: {
        tags,
        summary: 'Register a worker',
        description:
          'It polls from now on, and stops polling only after it has left. One that is not heard of for its lease is taken for dead: its jobs go to others, and it registers again.',
        operationId: 'registerWorker',
        body: RegisterBody,
        response: { 201: Type.Ref('RegisteredWorker', { description: 'A lease' }) },
      },
    },
    async (request, reply) => {
      const signal = new AbortController().signal;
      const call = { context, principal: principalOf(request), worker: '', body: request.body, signal };
      return await reply.code(201).send(await register(call));
    },
  );

  app.get(
    '/v1/workers',
    {
      config: { scope: 'jobs.work' },
      schema: {
        tags,
        summary: 'List your live workers',
        description: 'Those of every owner for an operator.',
        operationId: 'listWorkers',
        response: { 200: WorkerList },
      },
    },
    async (request) => {
      const { owner, operator } = principalOf(request);
      const found = await listRemote(context, operator ? null : owner);
      return { data: found.map(workerView) };
    },
  );

  app.post(
    '/v1/workers/:worker/poll',
    {
      config,
      schema: {
        tags,
        summary: 'Beat, and ask for jobs',
        description:
          'Answers as soon as there is a job, or something in hand to stop, and with nothing after the wait. A job that is handed out is the worker’s own: it reports the end of it, and names it in every poll until that report is answered.',
        operationId: 'pollJobs',
        params: WorkerParams,
        body: PollBody,
        response: { 200: Type.Ref('PolledJobs', { description: 'Jobs, and what to stop' }) },
      },
    },
    async (request, reply) => {
      const { worker } = request.params;
      const signal = AbortSignal.any([clientGone(reply), hub.stopping]);
      return await poll({ context, principal: principalOf(request), worker, body: request.body, signal });
    },
  );

  app.post(
    '/v1/workers/:worker/report',
    {
      ...largeBodies(context),
      config: { ...config, exactItems: 'reports' },
      // the schema of a report is documentation: each is checked by itself
      validatorCompiler: (part) =>
        validator(part.httpPart === 'body' ? { ...part, schema: ReportList as object } : part),
      schema: {
        tags,
        summary: 'Report what has become of attempts',
        description:
          'Each is answered for itself: accepted; stale where the attempt is no longer this worker’s; refused where it is wrong in itself, and none beside it with it. Behind the end of an attempt its other reports are stale. A report whose answer was lost is sent again, and answered as before.',
        operationId: 'reportJobs',
        params: WorkerParams,
        body: ReportsBody,
        response: { 200: Type.Ref('ReportAnswers', { description: 'An answer a report' }) },
      },
    },
    async (request, reply) => {
      const { worker } = request.params;
      const { body, inexactItems } = request;
      const inexact = inexactItems ?? new Map();
      const signal = clientGone(reply);
      return await report({ context, principal: principalOf(request), worker, body, inexact, signal });
    },
  );

  app.route({
    method: 'GET',
    url: '/ws/v1/workers',
    config: { scope: 'jobs.work', stream: true },
    schema: { hide: true },
    preHandler: async (request) => assertOrigin(request, context.config),
    handler: async () => {},
    wsHandler: (socket, request) => {
      const principal = principalOf(request);
      serveWorkerSocket(socket, { context, principal, hold: (end) => hub.hold(holderOf(principal), end) });
    },
  });

  app.delete(
    '/v1/workers/:worker',
    {
      config,
      schema: {
        tags,
        summary: 'Leave',
        description: 'Jobs that it still has go back to their queues, without having lost an attempt.',
        operationId: 'removeWorker',
        params: WorkerParams,
        response: { 204: Type.Null({ description: 'It has left' }) },
      },
    },
    async (request, reply) => {
      const { worker } = request.params;
      const signal = new AbortController().signal;
      await leave({ context, principal: principalOf(request), worker, body: undefined, signal });
      return await reply.code(204).send(null);
    },
  );
};
