import multipart from '@fastify/multipart';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { Type } from 'typebox';
import { principalOf } from '#src/http/request/guard.ts';
import { answerWithJob, WorkHeaders } from '#src/http/respond/answer-with-job.ts';
import type { Hub } from '#src/http/streams/hub.ts';
import { assertStorable } from '#src/lib/assert-storable.ts';
import { lifecycleOf } from '#src/platform/edge/lifecycle.ts';
import type { Webhook } from '#src/platform/webhooks/webhook-body.ts';
import { assertWebhook, keepWebhook } from '#src/platform/webhooks/webhook-store.ts';
import type { Context } from '#src/system/context.ts';
import { answers } from './answers.ts';
import { jsonAlone, openForms } from './forms.ts';
import type { MediaWork } from './media-work.ts';
import { openIntake } from './open-intake.ts';
import { mediaWorks } from './works.ts';

type Body = { readonly webhook?: Webhook };

/**
 * Serves every work of the media providers, under its own name and under the names that clients of OpenAI's kind use.
 */
export const mediaRoutes: FastifyPluginAsyncTypebox<{ context: Context; hub: Hub }> = async (app, edge) => {
  const { context } = edge;
  await app.register(multipart);
  app.addHook('preHandler', async ({ body }) => assertStorable(body));
  const forms = openForms(context);

  const handle = async (work: MediaWork, request: FastifyRequest, reply: FastifyReply) => {
    const principal = principalOf(request);
    const body = { ...(request.body as Body), ...(request.params as object) };
    if (body.webhook) assertWebhook(context.config, body.webhook);
    const { answer } = answers.get(work.path) ?? {};
    const intake = openIntake(context, principal.owner, forms.uploadsOf(request));
    return await answerWithJob(edge, request, reply, work.queue, {
      payload: async () => await work.payload(context, principal, body, intake),
      refused: intake.abandon,
      path: work.path,
      accepted: async (job) => {
        forms.release(request);
        if (body.webhook) await keepWebhook(context, principal, job, body.webhook);
      },
      pending: (job) => lifecycleOf(context, job),
      present: async (result, job) => {
        reply.header('x-provider', result.provider);
        return answer
          ? await answer({ context, job, result, body }, reply)
          : await work.present(context, job, result, body);
      },
    });
  };

  for (const work of mediaWorks) {
    for (const path of [work.path, ...work.aliases]) {
      const isAlias = path !== work.path;
      app.post(
        path.replace('{id}', ':id'),
        {
          config: { scope: 'platform.mcp.execute' },
          ...(work.files ? forms.taking(work.body) : jsonAlone),
          schema: documentation(work, path, isAlias),
        },
        async (request, reply) => await handle(work, request, reply),
      );
    }
  }
};

const PersonaParams = Type.Object({ id: Type.String({ maxLength: 40, description: 'Id of the persona' }) });

function documentation(work: MediaWork, path: string, isAlias: boolean): FastifySchema {
  const { summary, operationId, description, body, files } = work;
  const made = answers.get(work.path)?.documented ?? work.answer;
  return {
    tags: isAlias ? ['openai'] : ['platform'],
    summary,
    operationId: isAlias ? `${operationId}Alias` : operationId,
    ...(description !== undefined && { description }),
    ...(files && { consumes: ['application/json', 'multipart/form-data'] }),
    headers: WorkHeaders,
    ...(path.includes('{id}') && { params: PersonaParams }),
    body,
    response: {
      200: made,
      202: Type.Ref('PendingWork', { description: 'Accepted and still at work; `Location` is the job' }),
    },
  };
}
