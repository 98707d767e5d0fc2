import { Type } from 'typebox';
import { readSteps } from '#src/governance/missions/mission-store.ts';
import { readStepsInFull } from '#src/governance/missions/step-contents.ts';
import { WorkHeaders } from '#src/http/respond/answer-with-job.ts';
import { tool } from '#src/mcp/model/tool.ts';
import { linkOf } from '#src/mcp/resources/receipt-link.ts';
import { MissionRequest } from '#src/missions/routes/mission-bodies.ts';
import { MissionView, missionInBrief, missionView } from '#src/missions/routes/mission-view.ts';
import { missionOf } from '#src/missions/routes/own-mission.ts';
import { requestMission } from '#src/missions/routes/request-mission.ts';
import { MissionStats, missionStats } from '#src/missions/routes/stats-routes.ts';
import type { Context } from '#src/system/context.ts';
import { challengeShown } from './challenge-shown.ts';

export const MissionId = Type.String({ format: 'uuid', description: 'The mission, as agent_mission_create names it' });

const { salt: _salt, ...shown } = MissionView.properties;
/** A mission without the salt of its hashes: what a model reads may be kept anywhere. */
const Mission = Type.Object(shown, { description: 'The mission, its plan, and the status of each step' });
const { timeoutSeconds, ...request } = MissionRequest.properties;

const create = tool({
  name: 'agent_mission_create',
  title: 'Plan a mission',
  description:
    'Plans a governed mission from a goal in plain English: an ordered graph of steps that this service really executes, each with its cost and who must approve it. Nothing is done yet: read the plan, then call agent_mission_execute. What of the goal could not be planned is in plan.unmapped, in its own words; where that may change what was requested, the first step waits for its human. agent_stats lists what missions can do.',
  surface: 'missions',
  scope: 'platform.mcp.execute',
  input: Type.Object(
    {
      ...request,
      timeoutSeconds: Type.Optional(timeoutSeconds),
      idempotencyKey: WorkHeaders.properties['idempotency-key'],
    },
    { additionalProperties: false },
  ),
  output: Mission,
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  run: async ({ context }, { input: { idempotencyKey, ...wanted }, principal }) => {
    const body = { ...wanted, timeoutSeconds: wanted.timeoutSeconds ?? 3_600 };
    const { mission } = await requestMission(context, principal, body, idempotencyKey);
    return { output: await shownMission(context, mission) };
  },
});

const status = tool({
  name: 'agent_mission_status',
  title: 'Read a mission',
  description:
    'Status of a mission of yours: its state, plan, and each step with its output. A step that awaits a human shows the challenge.',
  surface: 'missions',
  scope: 'platform.mcp.read',
  input: Type.Object(
    {
      missionId: MissionId,
      outputs: Type.Optional(
        Type.Boolean({ description: 'false leaves out what steps took and gave, which may be long' }),
      ),
    },
    { additionalProperties: false },
  ),
  output: Mission,
  hints: { readOnlyHint: true, openWorldHint: false },
  run: async ({ context }, { input: { missionId, outputs = true }, principal }) => {
    const mission = await missionOf(context, principal, missionId);
    const output = await shownMission(context, mission, outputs);
    return { output, links: mission.sealedAt ? [linkOf(missionId)] : [] };
  },
});

const stats = tool({
  name: 'agent_stats',
  title: 'Read figures',
  description:
    'How many missions of yours are in each state, how many receipts are sealed and anchored, and what missions can do.',
  surface: 'missions',
  scope: 'platform.mcp.read',
  input: Type.Object({}, { additionalProperties: false }),
  output: MissionStats,
  hints: { readOnlyHint: true, openWorldHint: false },
  run: async ({ context }, { principal }) => ({ output: await missionStats(context, principal) }),
});

export const missionTools = { create, status, stats };

async function shownMission(context: Context, mission: Parameters<typeof missionView>[0], outputs = true) {
  const {
    salt: _private,
    steps,
    ...view
  } = outputs
    ? missionView(mission, await readStepsInFull(context, mission.id))
    : withoutContents(missionInBrief(mission, await readSteps(context, mission.id)));
  return { ...view, steps: steps.map((step) => ({ ...step, challenge: challengeShown(step.challenge) })) };
}

function withoutContents(brief: ReturnType<typeof missionInBrief>): MissionView {
  return {
    ...brief,
    answer: null,
    steps: brief.steps.map((step) => ({ ...step, input: null, output: null, summary: null })),
  };
}
