import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { assertMayRead, mayReadWords } from '#src/http/queues/may-use-queues.ts';
import { principalOf } from '#src/http/request/guard.ts';
import { MOST_SHOWN } from '#src/jobs/figures/group-figures.ts';
import {
  addFigures,
  type Past,
  type PastPoint,
  readGroupParts,
  readPoints,
  readQueueParts,
} from '#src/jobs/history/read-history.ts';
import { assertOwnQueue } from '#src/jobs/registry/own-queue.ts';
import { contractOf, registryOf } from '#src/jobs/registry/registry.ts';
import { assertStorable } from '#src/lib/assert-storable.ts';
import type { Principal } from '#src/lib/principal.ts';
import type { Context } from '#src/system/context.ts';
import { MOST_STEPS, PastQuery, timeOf } from './history-query.ts';
import { figuresView, PastFiguresView, PastPointView, partViews, pastParts, pointView } from './history-view.ts';

const Params = Type.Object({ name: Type.String({ minLength: 1, maxLength: 100, description: 'The queue' }) });

const QueuePastQuery = Type.Object(
  {
    ...PastQuery.properties,
    group: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: '^[^\\u0000]*$',
        description: 'Only jobs of this group, or of this owner where they have none; all without it',
      }),
    ),
  },
  { additionalProperties: false },
);

const Part = (name: string) => Type.Object({ name: Type.String({ description: name }), ...PastFiguresView.properties });
const Rest = (description: string) => Type.Union([Type.Ref('PastFigures'), Type.Null()], { description });

const QueuePast = Type.Object({
  queue: Type.String({ description: 'The queue' }),
  group: Type.Union([Type.String(), Type.Null()], { description: 'The group, or null for all of them' }),
  ...pastParts,
  groups: Type.Array(Part('The group'), {
    description: `The ${MOST_SHOWN} busiest groups in this time. What a bucket could not tell apart counts in \`total\` alone`,
  }),
  rest: Rest('The other groups that were told apart, together'),
});

const AllPast = Type.Object({
  whose: Type.Enum(['all', 'own'], {
    type: 'string',
    description: 'Queues that are counted: for an operator all, for any other caller those of their namespaces',
  }),
  ...pastParts,
  queues: Type.Array(Part('The queue'), { description: 'Every queue that had jobs in this time, the busiest first' }),
});

const about = `Kept in Postgres: by the minute, by ten minutes and by the hour, each for longer (HISTORY_MINUTES_HOURS, HISTORY_TEN_MINUTES_DAYS, HISTORY_HOURS_DAYS); the longest buckets that a step is made up of are read. At most ${MOST_STEPS.toLocaleString('en')} steps. The newest step lags by a few seconds.`;

/** Routes for the past of queues: how many jobs, what became of them, how long they waited and ran. */
export const queueHistoryRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.addHook('preHandler', async ({ query }) => assertStorable(query));
  app.addSchema(PastFiguresView);
  app.addSchema(PastPointView);

  app.get(
    '/v1/queues/:name/history',
    {
      onRequest: assertMayRead,
      schema: {
        tags: ['queues'],
        summary: 'Past of a queue of yours, and of its groups',
        description: `${about} ${mayReadWords}`,
        operationId: 'readQueueHistory',
        params: Params,
        querystring: QueuePastQuery,
        response: { 200: QueuePast },
      },
    },
    async (request) => {
      const { name } = request.params;
      const principal = principalOf(request);
      if (principal.operator) await contractOf(context, name);
      else await assertOwnQueue(context, principal, name);
      const { group = null, ...time } = request.query;
      const past: Past = { ...timeOf(time), queues: [name], group };
      const [points, groups] = await Promise.all([readPoints(context, past), readGroupParts(context, past)]);
      const { top, rest } = partViews(groups, MOST_SHOWN);
      return { queue: name, group, ...pastView(context, principal, past, points), groups: top, rest };
    },
  );

  app.get(
    '/v1/operations/history',
    {
      onRequest: assertMayRead,
      schema: {
        tags: ['operations'],
        summary: 'Past of all queues together, and of each',
        description: `An operator reads that of all queues, any other caller that of the queues they have registered. ${about} ${mayReadWords}`,
        operationId: 'readHistory',
        querystring: PastQuery,
        response: { 200: AllPast },
      },
    },
    async (request) => {
      const principal = principalOf(request);
      const queues = principal.operator ? null : ownQueues(context, principal.owner);
      const past: Past = { ...timeOf(request.query), queues, group: null };
      const [points, each] = await Promise.all([readPoints(context, past), readQueueParts(context, past)]);
      const { top } = partViews(each, each.length);
      const whose: 'all' | 'own' = principal.operator ? 'all' : 'own';
      return { whose, ...pastView(context, principal, past, points), queues: top };
    },
  );
};

/** Registered queues of an owner. Of built-in ones they do not see others' jobs, which are counted together with theirs. */
function ownQueues(context: Context, owner: string): readonly string[] {
  const registry = registryOf(context);
  return [...registry.names()].filter((name) => registry.ownerOf(name) === owner);
}

function pastView(context: Context, { operator }: Principal, past: Past, points: readonly PastPoint[]) {
  const { from, to, stepSeconds, resolution } = past;
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    step_seconds: stepSeconds,
    resolution_seconds: resolution.seconds,
    points: points.map(pointView),
    total: figuresView(addFigures(points)),
    grafana: operator ? grafanaLink(context.config.GRAFANA_URL, past) : null,
  };
}

/** Address of the board of queues in Grafana, at this time. */
function grafanaLink(base: string | undefined, { queues, from, to }: Past): string | null {
  if (base === undefined) return null;
  const url = new URL(`${base.replace(/\/+$/, '')}/d/proofline-fleet`);
  for (const queue of queues ?? []) url.searchParams.append('var-queue', queue);
  url.searchParams.set('from', `${from.getTime()}`);
  url.searchParams.set('to', `${to.getTime()}`);
  return url.href;
}
