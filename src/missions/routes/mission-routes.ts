import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { listMissions } from '#src/governance/missions/mission-store.ts';
import { readStepsInFull } from '#src/governance/missions/step-contents.ts';
import { principalOf } from '#src/http/request/guard.ts';
import { WorkHeaders } from '#src/http/respond/answer-with-job.ts';
import { cancelMission } from '#src/missions/run/execute.ts';
import type { Context } from '#src/system/context.ts';
import { MissionListQuery, MissionParams, MissionRequest } from './mission-bodies.ts';
import { missionPath, missionSummary, missionsPath, missionView } from './mission-view.ts';
import { ownMission } from './own-mission.ts';
import { requestMission } from './request-mission.ts';

const tags = ['missions'];
const MissionList = Type.Object({
  missions: Type.Array(Type.Ref('MissionSummary'), { description: 'Newest first, without plans and outputs' }),
  nextCursor: Type.Union([Type.String(), Type.Null()], { description: 'Cursor of the next page; null on the last' }),
});

/** Missions: planned from a goal, read by their owner alone, cancelled. */
export const missionRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (app, { context }) => {
  app.post(
    missionsPath,
    {
      config: { scope: 'platform.mcp.execute', human: true },
      schema: {
        tags,
        summary: 'Plan a mission from a goal',
        operationId: 'createMission',
        headers: WorkHeaders,
        body: MissionRequest,
        response: {
          200: Type.Ref('Mission', { description: 'The mission that this Idempotency-Key made before' }),
          201: Type.Ref('Mission', { description: 'Planned; nothing is done before it is executed' }),
        },
      },
    },
    async (request, reply) => {
      const key = request.headers['idempotency-key'];
      const { mission, created } = await requestMission(context, principalOf(request), request.body, key);
      if (!created) reply.header('idempotency-replayed', 'true');
      return await reply
        .code(created ? 201 : 200)
        .header('location', missionPath(mission.id))
        .send(missionView(mission, await readStepsInFull(context, mission.id)));
    },
  );

  app.get(
    missionsPath,
    {
      config: { scope: 'platform.mcp.read' },
      schema: {
        tags,
        summary: 'List your missions, newest first',
        operationId: 'listMissions',
        querystring: MissionListQuery,
        response: { 200: MissionList },
      },
    },
    async (request) => {
      const { limit, cursor = null } = request.query;
      const missions = await listMissions(context, { owner: principalOf(request).owner, before: cursor, limit });
      const page = missions.slice(0, limit);
      return {
        missions: page.map(missionSummary),
        nextCursor: missions.length > limit ? (page.at(-1)?.id ?? null) : null,
      };
    },
  );

  const read = async (request: FastifyRequest, reply: FastifyReply, id: string) => {
    const mission = await ownMission(context, request, id);
    return await reply
      .header('cache-control', 'no-store')
      .send(missionView(mission, await readStepsInFull(context, id)));
  };

  app.get(
    '/api/v1/missions/:id',
    {
      config: { scope: 'platform.mcp.read' },
      schema: {
        tags,
        summary: 'Read a mission: status, plan, steps',
        operationId: 'readMission',
        params: MissionParams,
        response: { 200: Type.Ref('Mission') },
      },
    },
    async (request, reply) => await read(request, reply, request.params.id),
  );

  app.delete(
    '/api/v1/missions/:id',
    {
      config: { scope: 'platform.mcp.execute' },
      schema: {
        tags,
        summary: 'Cancel a mission that has not ended',
        operationId: 'cancelMission',
        params: MissionParams,
        response: { 200: Type.Ref('Mission') },
      },
    },
    async (request, reply) => {
      const { id } = await ownMission(context, request, request.params.id);
      await cancelMission(context, id);
      return await read(request, reply, id);
    },
  );
};
