import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { QueueContract } from '#queues/define.ts';
import { principalOf } from '#src/http/request/guard.ts';
import { largeBodies } from '#src/http/request/large-bodies.ts';
import { acceptedResponse, answerWithJob, WorkHeaders } from '#src/http/respond/answer-with-job.ts';
import type { Hub } from '#src/http/streams/hub.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { assertOwnQueue } from '#src/jobs/registry/own-queue.ts';
import { keepWebhooks } from '#src/jobs/submit/keep-webhooks.ts';
import { assertShallow } from '#src/lib/assert-shallow.ts';
import type { Context } from '#src/system/context.ts';
import type { FindReceiver } from './job-options.ts';
import { askedText, optionsOf, SubmitBody } from './submit-body.ts';

const QueueParams = Type.Object({
  name: Type.String({ minLength: 3, maxLength: 100, description: 'The queue, as `<namespace>.<verb-noun>`' }),
});

interface SubmitEdge {
  readonly context: Context;
  readonly hub: Hub;
  /** Does what a job that was accepted needs before its answer. */
  readonly accepted: (context: Context, job: Job) => Promise<void>;
  /** Finds the receiver of a webhook. */
  readonly findReceiver: FindReceiver;
}

/** The route by which one job of a registered queue is submitted, and waited for where the caller wants that. */
export const submitRoutes: FastifyPluginAsyncTypebox<SubmitEdge> = async (
  app,
  { context, hub, accepted, findReceiver },
) => {
  app.post(
    '/v1/queues/:name/jobs',
    {
      ...largeBodies(context),
      config: { scope: 'jobs.submit', exactNumbers: '' },
      preValidation: async ({ body }) => assertShallow(body),
      schema: {
        tags: ['queues'],
        summary: 'Submit a job of a registered queue',
        description:
          'Answers with the result where it comes within the wait, else with the job. A job keeps the version of the contract that it was accepted under.',
        operationId: 'submitJob',
        params: QueueParams,
        headers: WorkHeaders,
        body: SubmitBody,
        response: {
          200: Type.Unsafe<unknown>({ description: 'The result, as the contract has it' }),
          ...acceptedResponse,
        },
      },
    },
    async (request, reply) => {
      const { name } = request.params;
      const { body } = request;
      const principal = principalOf(request);
      const queue: QueueContract = await assertOwnQueue(context, principal, name, body.version);
      const receiver = body.webhook && (await findReceiver(context, principal, body.webhook));
      return await answerWithJob({ context, hub }, request, reply, queue, {
        payload: () => body.payload,
        options: async () => await optionsOf(context, body),
        accepted: async (job) => {
          if (receiver !== undefined) await keepWebhooks(context, [{ job: job.id, endpoint: receiver }]);
          await accepted(context, job);
        },
        asked: () => askedText(name, body),
        // a result that is a text, or null, is JSON like any other
        present: (result) => {
          reply.type('application/json; charset=utf-8');
          return JSON.stringify(result ?? null);
        },
      });
    },
  );
};
