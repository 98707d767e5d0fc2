import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { type RefusedGroupFigures, readRefused, withRefused } from '#src/access/limits/refused-groups.ts';
import { principalOf } from '#src/http/request/guard.ts';
import { MOST_SHOWN, readGroupFigures, topGroups } from '#src/jobs/figures/group-figures.ts';
import { assertOwnQueue } from '#src/jobs/registry/own-queue.ts';
import { contractOf } from '#src/jobs/registry/registry.ts';
import { listRules, putRule, removeRule, ruleKinds, type StoredRule } from '#src/jobs/rules/queue-rules.ts';
import { assertStorable } from '#src/lib/assert-storable.ts';
import { AppError } from '#src/lib/errors.ts';
import { callerName, type Principal } from '#src/lib/principal.ts';
import { Count, Time } from '#src/lib/validation/schema-parts.ts';
import type { Context } from '#src/system/context.ts';
import { assertMayManage, assertMayRead, mayManageWords, mayReadWords } from './may-use-queues.ts';

const Params = Type.Object({
  name: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'The queue; `*` is all queues, for rules of owners and keys (operators)',
  }),
});

const Kind = Type.Enum([...ruleKinds], { type: 'string', description: 'Whose rule it is' });
const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[^\\u0000]*$',
  description:
    'The group, the owner, or the id of the key that submits; `*` is each that has no rule of its own. None for a queue',
});
const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

const limits = {
  weight: nullable(
    Type.Number({
      minimum: 0.01,
      maximum: 1_000,
      description: 'Share of a group beside the others of its queue; 1 without one',
    }),
  ),
  concurrency: nullable(
    Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Jobs that run at once, wherever' }),
  ),
  rate: nullable(
    Type.Object(
      {
        jobs: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Jobs that may begin in the period' }),
        per_seconds: Type.Integer({ minimum: 1, maximum: 604_800, description: 'The period, in seconds' }),
      },
      {
        additionalProperties: false,
        description: 'Jobs that may begin in a time: as many at first, and as time gives them back',
      },
    ),
  ),
};
const Paused = Type.Boolean({ description: 'No job of it begins; what runs goes on, and what comes waits' });
const Reason = Type.String({ minLength: 1, maxLength: 500, description: 'Why, for those who find it' });

const RuleBody = Type.Object(
  {
    kind: Kind,
    name: Type.Optional(Name),
    weight: Type.Optional(limits.weight),
    concurrency: Type.Optional(limits.concurrency),
    rate: Type.Optional(limits.rate),
    paused: Type.Optional(Paused),
    reason: Type.Optional(nullable(Reason)),
  },
  {
    additionalProperties: false,
    description: 'The whole rule: what is not said is not bounded',
    examples: [
      { kind: 'group', name: 'acme', weight: 3, concurrency: 10 },
      { kind: 'queue', rate: { jobs: 100, per_seconds: 60 } },
    ],
  },
);

const RuleView = Type.Object(
  {
    kind: Kind,
    name: nullable(Name),
    ...limits,
    paused: Paused,
    reason: nullable(Reason),
    changed_by: Type.String({ description: 'Who wrote it' }),
    changed_at: Time('When it was written'),
  },
  {
    $id: 'QueueRule',
    title: 'QueueRule',
    description: 'Weight, limits and pause of a queue, of a group, of an owner or of a key',
  },
);

const RuleList = Type.Object({
  data: Type.Array(Type.Ref('QueueRule'), { description: 'Of the queue first, then of groups, then of owners' }),
});
const RuleQuery = Type.Object({ kind: Kind, name: Type.Optional(Name) }, { additionalProperties: false });

const figures = {
  waiting: Count('Jobs that may run and wait for a worker; ten thousand stands for that many or more'),
  running: Count('Jobs that run'),
  oldest_waiting_seconds: Type.Number({ minimum: 0, description: 'Seconds for which its next job has waited' }),
  refused: Count('Jobs that a limit has not let in, in this hour and the one before'),
};
const GroupList = Type.Object({
  data: Type.Array(
    Type.Object({ group: Type.String({ description: 'The group; an owner where its jobs have none' }), ...figures }),
    {
      description: `The ${MOST_SHOWN} groups with the most waiting jobs; groups of which limits let nothing in come last`,
    },
  ),
  rest: nullable(Type.Object(figures, { description: 'All other groups together' })),
});

const tags = ['queues'];

/** Routes for the weights, limits and pauses of a queue, of its groups and of owners, and for figures by group. */
export const ruleRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  // what Postgres would keep as another text, or not at all
  app.addHook('preHandler', async ({ body }) => assertStorable(body));
  app.addSchema(RuleView);

  app.get(
    '/v1/queues/:name/rules',
    {
      onRequest: assertMayRead,
      schema: {
        tags,
        summary: 'List the rules of a queue of yours',
        description: `Weights, limits and pauses. ${mayReadWords}`,
        operationId: 'listQueueRules',
        params: Params,
        response: { 200: RuleList },
      },
    },
    async (request) => {
      const { name } = request.params;
      await assertMine(context, principalOf(request), name);
      return { data: (await listRules(context, name)).map(ruleView) };
    },
  );

  app.put(
    '/v1/queues/:name/rules',
    {
      onRequest: assertMayManage,
      schema: {
        tags,
        summary: 'Write a rule of a queue, of a group in it, of an owner or of a key',
        description: `Holds on every process within two seconds, and for every claim at once: whatever is delivered, no more jobs run than a rule allows. It replaces the rule that is there. ${mayManageWords}`,
        operationId: 'putQueueRule',
        params: Params,
        body: RuleBody,
        response: { 200: Type.Ref('QueueRule') },
      },
    },
    async (request) => {
      const { name: queue } = request.params;
      const principal = principalOf(request);
      await assertMine(context, principal, queue);
      assertHolds(request.body);
      const { kind, weight = null, concurrency = null, rate = null, paused = false, reason = null } = request.body;
      const stored = await putRule(context, {
        queue,
        kind,
        name: subjectOf(queue, request.body),
        weight,
        concurrency,
        rate: rate?.jobs ?? null,
        rateMs: rate === null ? null : rate.per_seconds * 1_000,
        paused,
        reason,
        changedBy: callerName(principal),
      });
      return ruleView(stored);
    },
  );

  app.delete(
    '/v1/queues/:name/rules',
    {
      onRequest: assertMayManage,
      schema: {
        tags,
        summary: 'Take a rule away',
        description: mayManageWords,
        operationId: 'removeQueueRule',
        params: Params,
        querystring: RuleQuery,
        response: { 204: Type.Null({ description: 'It is gone' }) },
      },
    },
    async (request, reply) => {
      const { name: queue } = request.params;
      const principal = principalOf(request);
      await assertMine(context, principal, queue);
      const { kind } = request.query;
      await removeRule(context, { queue, kind, name: subjectOf(queue, request.query) }, callerName(principal));
      return await reply.code(204).send(null);
    },
  );

  app.get(
    '/v1/queues/:name/groups',
    {
      onRequest: assertMayRead,
      schema: {
        tags,
        summary: 'Who waits in a queue of yours, by group',
        description: `A job counts for its group, or for its owner without one. ${mayReadWords}`,
        operationId: 'listQueueGroups',
        params: Params,
        response: { 200: GroupList },
      },
    },
    async (request) => {
      const { name } = request.params;
      const principal = principalOf(request);
      if (principal.operator) await contractOf(context, name);
      else await assertOwnQueue(context, principal, name);
      const [known, refused] = await Promise.all([readGroupFigures(context, name), readRefused(context, name)]);
      const groups = withRefused(known.groups, refused);
      const { top, rest } = topGroups(groups, known.others);
      const ofRest = groups.slice(MOST_SHOWN).reduce((sum, one) => sum + one.refused, 0);
      return {
        data: top.map(({ group, ...one }) => ({ group, ...groupView(one) })),
        rest: rest && groupView({ ...rest, refused: ofRest }),
      };
    },
  );
};

/** @throws AppError `not_found` for a queue that is none of the caller's; operators have them all */
async function assertMine(context: Context, principal: Principal, queue: string): Promise<void> {
  if (!principal.operator) await assertOwnQueue(context, principal, queue);
  else if (queue !== '*') await contractOf(context, queue);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Refuses what would look as if it held: a key that can be none, a weight of another than a group. @throws AppError `invalid_request` */
function assertHolds({ kind, name = '', weight = null }: Static<typeof RuleBody>): void {
  if (kind === 'key' && name !== '' && name !== '*' && !UUID.test(name))
    throw new AppError('invalid_request', `name: expected the id of a key, or * for each, got "${name}".`, {
      path: '/name',
    });
  if (kind === 'group' || weight === null) return;
  throw new AppError(
    'invalid_request',
    `weight: expected none for a rule of ${kind === 'owner' ? 'an owner' : `a ${kind}`}, got ${weight}: groups have weights, and jobs without a group are in that of their owner.`,
    { path: '/weight' },
  );
}

/** @throws AppError `invalid_request` where kind, name and queue do not fit each other */
function subjectOf(queue: string, { kind, name }: Static<typeof RuleQuery>): string {
  const refuse = (path: string, message: string) => new AppError('invalid_request', message, { path });
  if (kind !== 'owner' && kind !== 'key' && queue === '*')
    throw refuse('/kind', `kind: expected "owner" or "key" for a rule of all queues, got "${kind}".`);
  if (kind === 'queue' && name !== undefined)
    throw refuse('/name', `name: expected none for a rule of the queue itself, got "${name}".`);
  if (kind !== 'queue' && name === undefined)
    throw refuse('/name', `name: expected the ${kind}, or * for each, got none.`);
  return name ?? '';
}

function ruleView(rule: StoredRule): Static<typeof RuleView> {
  const { kind, name, weight, concurrency, rate, rateMs, paused, reason, changedBy, changedAt } = rule;
  return {
    kind,
    name: name === '' ? null : name,
    weight,
    concurrency,
    rate: rate === null || rateMs === null ? null : { jobs: rate, per_seconds: rateMs / 1_000 },
    paused,
    reason,
    changed_by: changedBy,
    changed_at: changedAt.toISOString(),
  };
}

function groupView({ waiting, running, oldest, refused }: Omit<RefusedGroupFigures, 'group'>) {
  return { waiting, running, oldest_waiting_seconds: Math.round(oldest * 10) / 10, refused };
}
