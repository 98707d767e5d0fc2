import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { principalOf } from '#src/http/request/guard.ts';
import type { QueueView } from '#src/http/views/operations-view.ts';
import { pauseQueue, resumeQueue } from '#src/jobs/broker/queue-pauses.ts';
import { contractOf } from '#src/jobs/registry/registry.ts';
import { assertStorable } from '#src/lib/assert-storable.ts';
import type { Context } from '#src/system/context.ts';
import { readFleetViews, readQueues } from './operations-stream.ts';

const At = Type.String({ format: 'date-time', description: 'When this was counted' });
const Whose = Type.Enum(['all', 'own'], {
  type: 'string',
  description: 'Owners whose jobs are counted: an operator sees all, any other caller their own',
});

const QueueList = Type.Object({
  at: At,
  whose: Whose,
  data: Type.Array(Type.Ref('QueueView'), {
    description: 'Every queue, idle ones too; of registered ones those of your owner, for operators all',
  }),
});

const FleetList = Type.Object({
  at: At,
  data: Type.Array(Type.Ref('FleetView'), { description: 'Every fleet, also without workers' }),
});

const QueueParams = Type.Object({ name: Type.String({ minLength: 1, maxLength: 100, description: 'The queue' }) });

const PauseBody = Type.Object(
  {
    reason: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: 'Why, for callers and operators who find the queue paused',
      }),
    ),
  },
  { additionalProperties: false },
);

const tags = ['operations'];

/** Routes for the status of queues and fleets, and for pauses of queues. */
export const operationsRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  // what Postgres would keep as another text, or not at all
  app.addHook('preHandler', async ({ body }) => assertStorable(body));
  app.get(
    '/v1/queues',
    {
      schema: { tags, summary: 'Status of every queue', operationId: 'listQueues', response: { 200: QueueList } },
    },
    async (request) => {
      const { owner, operator } = principalOf(request);
      const at = new Date().toISOString();
      return { at, whose: operator ? 'all' : 'own', data: await readQueues(context, operator ? null : owner) } as const;
    },
  );

  app.get(
    '/v1/fleets',
    {
      config: { operator: true },
      schema: {
        tags,
        summary: 'Every fleet and its workers (operators)',
        operationId: 'listFleets',
        response: { 200: FleetList },
      },
    },
    async () => ({ at: new Date().toISOString(), data: await readFleetViews(context) }),
  );

  app.post(
    '/v1/queues/:name/pause',
    {
      config: { operator: true },
      schema: {
        tags,
        summary: 'Start no job of a queue until it is resumed (operators)',
        description:
          'What runs goes on; new jobs are accepted, and wait. A queue that is paused already stays as it is.',
        operationId: 'pauseQueue',
        params: QueueParams,
        body: Type.Union([PauseBody, Type.Null()]),
        response: { 200: Type.Ref('QueueView') },
      },
    },
    async (request) => {
      const { name } = await contractOf(context, request.params.name);
      await pauseQueue(context, name, { by: principalOf(request).owner, reason: request.body?.reason ?? null });
      return await readQueue(context, name);
    },
  );

  app.post(
    '/v1/queues/:name/resume',
    {
      config: { operator: true },
      schema: {
        tags,
        summary: 'Start the jobs of a paused queue again (operators)',
        operationId: 'resumeQueue',
        params: QueueParams,
        response: { 200: Type.Ref('QueueView') },
      },
    },
    async (request) => {
      const { name } = await contractOf(context, request.params.name);
      await resumeQueue(context, name, { by: principalOf(request).owner });
      return await readQueue(context, name);
    },
  );
};

/** One queue as an operator sees it. */
async function readQueue(context: Context, name: string): Promise<QueueView> {
  const found = (await readQueues(context, null)).find((one) => one.name === name);
  if (!found) throw new Error(`expected figures of the queue ${name}, got none`);
  return found;
}
