import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { principalOf } from '#src/http/request/guard.ts';
import { WorkHeaders } from '#src/http/respond/answer-with-job.ts';
import { jobPath } from '#src/jobs/model/job-view.ts';
import { MOST_NAME_CHARACTERS, MOST_SIGNAL_BYTES } from '#src/jobs/model/step-bounds.ts';
import { signalJob } from '#src/jobs/steps/signal-job.ts';
import { assertShallow } from '#src/lib/assert-shallow.ts';
import type { Context } from '#src/system/context.ts';
import { assertMayDirect } from './may-direct-job.ts';
import { ownJob } from './own-job.ts';

/** Bytes of a body beside its payload. */
const ENVELOPE_BYTES = 1_024;

const SignalParams = Type.Object({
  id: Type.String({ format: 'uuid', description: 'The job' }),
  name: Type.String({
    minLength: 1,
    maxLength: MOST_NAME_CHARACTERS,
    description: 'Name of the signal: that of the wait which takes it',
  }),
});

const SignalBody = Type.Object(
  {
    payload: Type.Optional(
      Type.Unsafe<unknown>({ description: 'JSON that the wait gets, at most 256 KiB; null without it' }),
    ),
  },
  { additionalProperties: false },
);

const SignalAnswer = Type.Object(
  {
    job_id: Type.String({ format: 'uuid', description: 'The job' }),
    name: Type.String({ description: 'Name of the signal' }),
    accepted: Type.Boolean({
      description: 'False where the job had this signal already, under the same Idempotency-Key',
    }),
  },
  { title: 'SignalAnswer', description: 'The signal is kept: the job gets it at its next wait for this name, or now' },
);

/** Route for telling a job something that it waits for, or will wait for. */
export const signalRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.post(
    '/v1/jobs/:id/signals/:name',
    {
      config: { exactNumbers: '' },
      bodyLimit: MOST_SIGNAL_BYTES + ENVELOPE_BYTES,
      preValidation: async ({ body }) => assertShallow(body),
      schema: {
        tags: ['jobs'],
        summary: 'Send a signal to a job that has not ended',
        description:
          'Needs the scope that asks for such work. A signal may come before the wait for it. Each is taken by one wait of its name, in the order in which they came. A job takes at most 10,000. With an Idempotency-Key it can be sent again safely.',
        operationId: 'signalJob',
        params: SignalParams,
        headers: Type.Pick(WorkHeaders, ['idempotency-key']),
        body: Type.Union([SignalBody, Type.Null()], { description: 'None for a signal without a payload' }),
        response: { 202: SignalAnswer },
      },
    },
    async (request, reply) => {
      const { name } = request.params;
      const { id, queue } = await ownJob(context, request, request.params.id);
      assertMayDirect(principalOf(request), queue);
      const key = request.headers['idempotency-key'];
      const { accepted } = await signalJob(context, id, {
        name,
        payload: request.body?.payload,
        ...(key !== undefined && { key }),
      });
      if (!accepted) reply.header('idempotency-replayed', 'true');
      return await reply.code(202).header('location', jobPath(id)).send({ job_id: id, name, accepted });
    },
  );
};
