import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { principalOf } from '#src/http/request/guard.ts';
import { microUsd } from '#src/lib/money.ts';
import type { Context } from '#src/system/context.ts';
import { readCallDecisions } from './call-decisions.ts';
import { callView } from './call-view.ts';
import { type Decision, decideCall } from './decide-call.ts';
import { callLists, listCalls, unknownTotals } from './list-calls.ts';

const MOST_USD = 1_000_000;

const CallList = Type.Object({
  at: Type.String({ format: 'date-time', description: 'When this was read' }),
  unknown: Type.Object(
    {
      calls: Type.Integer({ minimum: 0, description: 'Unknown calls' }),
      held_usd: Type.Number({ minimum: 0, description: 'Dollars that they hold of their budgets' }),
    },
    { description: 'Totals of all owners, providers and capabilities' },
  ),
  rule: Type.Object(
    {
      hours: Type.Integer({ minimum: 1, description: 'How long an unknown call holds its money' }),
      end: Type.Enum(['written_off', 'billed'], { type: 'string', description: 'Decision that the rule makes then' }),
    },
    { description: 'UNKNOWN_CALL_HOURS and UNKNOWN_CALL_END' },
  ),
  data: Type.Array(Type.Ref('ProviderCall'), {
    description: 'Unknown calls, the longest first; or decided ones, the newest first',
  }),
  next_cursor: Type.Union([Type.String(), Type.Null()], {
    description: 'Cursor of the next page; null on the last one',
  }),
});

const CallQuery = Type.Object({
  list: Type.Enum([...callLists], {
    type: 'string',
    default: 'unknown',
    description: 'Calls whose outcome is unknown, or calls that an operator or the rule has decided',
  }),
  owner: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Only calls for this owner' })),
  provider: Type.Optional(Type.String({ minLength: 1, maxLength: 40, description: 'Only calls of this provider' })),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Calls per page' }),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: '`next_cursor` of the page before' })),
});

const CallParams = Type.Object({
  job: Type.String({ format: 'uuid', description: 'The job that made the call' }),
  provider: Type.String({ minLength: 1, maxLength: 40, description: 'The provider that it called' }),
});

const reason = Type.Optional(
  Type.String({ minLength: 1, maxLength: 500, description: 'Why, for the operator who checks the accounts' }),
);
const WriteOffBody = Type.Object({ reason }, { additionalProperties: false });
const BillBody = Type.Object(
  {
    usd: Type.Number({
      minimum: 0,
      maximum: MOST_USD,
      description: 'Cost of the call, by the provider’s own accounts',
    }),
    reason,
  },
  { additionalProperties: false },
);

const tags = ['operations'];
const late =
  'Doing it again changes nothing; another decision replaces it, and both stay listed. What the provider itself says later counts instead.';

/** Calls of providers whose outcome is unknown: operators list them, write them off, or bill them. */
export const callRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  const { UNKNOWN_CALL_HOURS: hours, UNKNOWN_CALL_END: end } = context.config;

  app.get(
    '/v1/provider-calls',
    {
      config: { operator: true },
      schema: {
        tags,
        summary: 'Calls of providers whose outcome is unknown, and what they hold (operators)',
        operationId: 'listProviderCalls',
        querystring: CallQuery,
        response: { 200: CallList },
      },
    },
    async ({ query }) => {
      const [{ calls, nextCursor }, totals] = await Promise.all([listCalls(context, query), unknownTotals(context)]);
      const decisionsOf = await readCallDecisions(context, calls);
      return {
        at: new Date().toISOString(),
        unknown: { calls: totals.calls, held_usd: totals.held / 1e6 },
        rule: { hours, end },
        data: calls.map((call) => callView(context.config, call, decisionsOf(call))),
        next_cursor: nextCursor,
      };
    },
  );

  const decide = async (
    request: Parameters<typeof principalOf>[0] & { readonly id: string },
    name: { readonly job: string; readonly provider: string },
    decision: Decision,
    why: string | undefined,
  ) => {
    const by = principalOf(request).owner;
    const call = await decideCall(context, name, decision, { by, why: why ?? null, requestId: request.id });
    return callView(context.config, call, (await readCallDecisions(context, [call]))(call));
  };

  app.post(
    '/v1/provider-calls/:job/:provider/write-off',
    {
      config: { operator: true },
      schema: {
        tags,
        summary: 'Give back what an unknown call holds (operators)',
        description: `It counts as nothing. ${late}`,
        operationId: 'writeOffProviderCall',
        params: CallParams,
        body: Type.Union([WriteOffBody, Type.Null()]),
        response: { 200: Type.Ref('ProviderCall') },
      },
    },
    async (request) => await decide(request, request.params, { end: 'written_off' }, request.body?.reason),
  );

  app.post(
    '/v1/provider-calls/:job/:provider/bill',
    {
      config: { operator: true },
      schema: {
        tags,
        summary: 'Count an unknown call as spent, at an amount (operators)',
        description: `The amount counts whatever the ceilings and what the call was quoted at. ${late}`,
        operationId: 'billProviderCall',
        params: CallParams,
        body: BillBody,
        response: { 200: Type.Ref('ProviderCall') },
      },
    },
    async (request) => {
      const { usd, reason: why } = request.body;
      return await decide(request, request.params, { end: 'billed', cost: microUsd(usd) }, why);
    },
  );
};
