import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { principalOf } from '#src/http/request/guard.ts';
import { WorkHeaders } from '#src/http/respond/answer-with-job.ts';
import { type Envelope, envelopeOf, persistence } from '#src/studio/edge/envelope.ts';
import { BriefInput, PlanInput } from '#src/studio/edge/inputs.ts';
import type { Context } from '#src/system/context.ts';
import { createBrief } from './create-brief.ts';
import { createPlan } from './make-plan.ts';

const tags = ['studio'];
const headers = Type.Pick(WorkHeaders, ['idempotency-key']);
const created = {
  200: Type.Ref('StudioEnvelope', { description: 'Record that this Idempotency-Key made before, in `output`' }),
  201: Type.Ref('StudioEnvelope', { description: 'The stored record, in `output`' }),
};

/** Briefs, and the plans that carry them out. */
export const briefRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.post(
    '/brief',
    {
      config: { scope: 'studio.brief', capability: 'studio.brief' },
      schema: {
        tags,
        summary: 'Record a creative brief',
        description: 'Nothing is made and no provider is called.',
        operationId: 'createBrief',
        headers,
        body: BriefInput,
        response: created,
      },
    },
    async (request, reply) => {
      const key = request.headers['idempotency-key'];
      const { created: isNew, ...outcome } = await createBrief(context, principalOf(request).owner, request.body, key);
      if (!isNew) reply.header('idempotency-replayed', 'true');
      return await reply.code(isNew ? 201 : 200).send(routeEnvelope('studio_brief', outcome));
    },
  );

  app.post(
    '/plan',
    {
      config: { scope: 'studio.plan', capability: 'studio.plan' },
      schema: {
        tags,
        summary: 'Plan a brief: providers, costs, and what needs approval',
        operationId: 'createPlan',
        headers,
        body: PlanInput,
        response: created,
      },
    },
    async (request, reply) => {
      const key = request.headers['idempotency-key'];
      const { created: isNew, ...outcome } = await createPlan(context, principalOf(request), request.body, key);
      if (!isNew) reply.header('idempotency-replayed', 'true');
      return await reply.code(isNew ? 201 : 200).send(routeEnvelope('studio_plan', outcome));
    },
  );
};

/** Builds the envelope of a route: the place of storage is added here, and not by the tools. */
export function routeEnvelope(tool: string, outcome: Parameters<typeof envelopeOf>[1]): Envelope {
  return { ...envelopeOf(tool, outcome), persistence };
}
