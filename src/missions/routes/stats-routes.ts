import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { sql } from 'slonik';
import { Type } from 'typebox';
import { type MissionState, missionStates } from '#src/governance/missions/mission-states.ts';
import { SensitivityName } from '#src/governance/missions/plan.ts';
import { ownerSecret } from '#src/governance/owners/webhook-secrets.ts';
import { documentOf } from '#src/http/documents/document.ts';
import { partOf } from '#src/http/documents/part-of-openapi.ts';
import { principalOf } from '#src/http/request/guard.ts';
import type { Principal } from '#src/lib/principal.ts';
import { catalogue } from '#src/missions/plan/catalogue.ts';
import { receiptTotals } from '#src/receipts/list-receipts.ts';
import { configuredUrl } from '#src/system/config/public-url.ts';
import type { Context } from '#src/system/context.ts';
import { row } from '#src/system/postgres/postgres.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

/** Counts of what the service and the caller have done. */
export const MissionStats = Type.Object(
  {
    missions: Type.Record(Type.Enum([...missionStates]), Type.Integer({ minimum: 0 }), {
      description: 'Missions of yours in each state',
    }),
    receipts: Type.Object({
      sealed: count('Receipts sealed by this service'),
      anchored: count('Receipts that are on the chain'),
      pending: count('Receipts that wait for the chain'),
    }),
    anchors: Type.Object({
      batches: count('Transactions that anchor receipts'),
      finalized: count('Receipts that the chain will not take back'),
    }),
    capabilities: Type.Array(
      Type.Object({
        name: Type.String({ description: 'As plans name it' }),
        title: Type.String({ description: 'Work that it does' }),
        sensitivity: SensitivityName,
      }),
      { description: 'Capabilities of missions' },
    ),
  },
  { title: 'MissionStats', description: 'Figures of missions and receipts' },
);
export type MissionStats = Type.Static<typeof MissionStats>;

const Tally = Type.Object({ state: Type.Enum([...missionStates]), n: Type.Integer() });

export async function missionStats(
  { db }: Pick<Context, 'db'>,
  { owner }: Pick<Principal, 'owner'>,
): Promise<MissionStats> {
  const tallies = await db.any(sql.type(row(Tally))`
    select state, count(*) as n from missions where owner = ${owner} group by state`);
  const { sealed, anchored, batches, finalized } = await receiptTotals({ db });
  const found = new Map<MissionState, number>(tallies.map(({ state, n }) => [state, n]));
  const missions = Object.fromEntries(missionStates.map((state) => [state, found.get(state) ?? 0]));
  return {
    missions: missions as MissionStats['missions'],
    receipts: { sealed, anchored, pending: sealed - anchored },
    anchors: { batches, finalized },
    capabilities: catalogue.map(({ name, title, sensitivity }) => ({ name, title, sensitivity })),
  };
}

/** Figures, the secret of one's webhooks, and the description of this surface by itself. */
export const statsRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.get(
    '/api/v1/stats',
    {
      config: { scope: 'platform.mcp.read' },
      schema: {
        tags: ['missions'],
        summary: 'Figures of missions and receipts',
        operationId: 'readMissionStats',
        response: { 200: MissionStats },
      },
    },
    async (request) => await missionStats(context, principalOf(request)),
  );

  app.get(
    '/api/v1/webhook-secret',
    {
      config: { scope: 'platform.mcp.execute' },
      schema: {
        tags: ['missions'],
        summary: 'The secret that messages of your missions are signed with (Standard Webhooks)',
        operationId: 'readWebhookSecret',
        response: {
          200: Type.Object({ secret: Type.String({ description: '`whsec_` and base64; the same for ever' }) }),
        },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      return { secret: await ownerSecret(context, principalOf(request).owner) };
    },
  );

  app.get('/api/v1/openapi.json', { config: { access: 'public' }, schema: { hide: true } }, async (request, reply) => {
    const own = partOf(documentOf(app), (path) => /^\/(api\/(v1\/|mcp$)|\.well-known\/)/.test(path));
    const servers = [{ url: configuredUrl(context.config, 'missions') ?? `${request.protocol}://${request.host}` }];
    return reply.type('application/json').send(JSON.stringify({ ...own, servers }));
  });
};
