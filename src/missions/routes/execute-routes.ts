import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { readMission } from '#src/governance/missions/mission-store.ts';
import { readStepsInFull } from '#src/governance/missions/step-contents.ts';
import { clientGone } from '#src/http/request/client-gone.ts';
import { parsePrefer } from '#src/http/request/negotiate.ts';
import { WaitHeaders } from '#src/http/respond/answer-with-job.ts';
import type { Hub } from '#src/http/streams/hub.ts';
import { AppError } from '#src/lib/errors.ts';
import { approveStep, declineStep } from '#src/missions/run/approve.ts';
import { endOf } from '#src/missions/run/end-of.ts';
import { executeMission } from '#src/missions/run/execute.ts';
import { Receipt } from '#src/receipts/format/receipt-schema.ts';
import { readReceipt } from '#src/receipts/receipt-store.ts';
import type { Context } from '#src/system/context.ts';
import { ApprovalRequest, MissionParams, StepParams } from './mission-bodies.ts';
import { missionPath, missionView } from './mission-view.ts';
import { ownMission } from './own-mission.ts';
import { isOver, waitForMission } from './wait-for-mission.ts';

const tags = ['missions'];
const answers = {
  200: Receipt,
  202: Type.Ref('Mission', {
    description: 'Under way, or waiting for a human (its steps have the challenges); `Location` is the mission',
  }),
};
/** An empty object, or no body at all. */
const Nothing = Type.Union([Type.Object({}, { additionalProperties: false }), Type.Null()]);

/** Execution of missions: start, and the decisions of their human. */
export const executeRoutes: FastifyPluginAsyncTypebox<{ context: Context; hub: Hub }> = async (
  app,
  { context, hub },
) => {
  app.post(
    '/api/v1/missions/:id/execute',
    {
      config: { scope: 'platform.mcp.execute', human: true },
      schema: {
        tags,
        summary: 'Execute a mission, and wait for its anchored receipt',
        operationId: 'executeMission',
        headers: WaitHeaders,
        params: MissionParams,
        body: Nothing,
        response: answers,
      },
    },
    async (request, reply) => {
      const { id } = await ownMission(context, request, request.params.id);
      await executeMission(context, id);
      return await answer(request, reply, id);
    },
  );

  app.post(
    '/api/v1/missions/:id/steps/:step/approve',
    {
      config: { scope: 'platform.mcp.execute', human: true },
      schema: {
        tags,
        summary: 'Approve a step with a proof of personhood over its challenge',
        operationId: 'approveStep',
        headers: WaitHeaders,
        params: StepParams,
        body: ApprovalRequest,
        response: answers,
      },
    },
    async (request, reply) => {
      const { id } = await ownMission(context, request, request.params.id);
      await approveStep(context, id, request.params.step, request.body);
      return await answer(request, reply, id);
    },
  );

  app.post(
    '/api/v1/missions/:id/steps/:step/decline',
    {
      config: { scope: 'platform.mcp.execute' },
      schema: {
        tags,
        summary: 'Decline a step; the mission fails there',
        operationId: 'declineStep',
        params: StepParams,
        body: Nothing,
        response: { 202: Type.Ref('Mission') },
      },
    },
    async (request, reply) => {
      const { id } = await ownMission(context, request, request.params.id);
      await declineStep(context, id, request.params.step);
      return await accepted(reply, id);
    },
  );

  /** The receipt once it is anchored; else 202, at once where it waits for a human. */
  const answer = async (request: FastifyRequest, reply: FastifyReply, id: string) => {
    const { waitMs, applied } = parsePrefer(textOf(request.headers['prefer']), context.config.WAIT_MS);
    if (applied) reply.header('preference-applied', applied);
    const signal = AbortSignal.any([clientGone(reply), hub.stopping]);
    const mission = await waitForMission(context, hub, id, isOver, waitMs, signal);
    if (mission?.state === 'failed' || mission?.state === 'cancelled') throw endOf(mission);
    const receipt = mission?.closedAt ? await readReceipt(context, id) : null;
    return receipt ? await reply.code(200).send(receipt) : await accepted(reply, id);
  };

  const accepted = async (reply: FastifyReply, id: string) => {
    const mission = await readMission(context, id);
    if (!mission) throw new AppError('not_found', `The mission ${id} is gone.`);
    return await reply
      .code(202)
      .header('location', missionPath(id))
      .header('cache-control', 'no-store')
      .send(missionView(mission, await readStepsInFull(context, id)));
  };
};

function textOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
