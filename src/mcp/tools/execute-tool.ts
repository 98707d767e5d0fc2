import { setTimeout as pause } from 'node:timers/promises';
import { type Static, Type } from 'typebox';
import { assertHuman } from '#src/access/keys/grants.ts';
import { missionChannel } from '#src/governance/missions/change-mission.ts';
import { type Mission, StepChallenge } from '#src/governance/missions/mission-row.ts';
import { missionStates } from '#src/governance/missions/mission-states.ts';
import { readSteps } from '#src/governance/missions/mission-store.ts';
import { readInputs } from '#src/governance/missions/step-contents.ts';
import { type McpContext, tool } from '#src/mcp/model/tool.ts';
import { linkOf } from '#src/mcp/resources/receipt-link.ts';
import { MissionSummary, missionPath, missionSummary } from '#src/missions/routes/mission-view.ts';
import { missionOf } from '#src/missions/routes/own-mission.ts';
import { isOver, waitForMission } from '#src/missions/routes/wait-for-mission.ts';
import { executeMission } from '#src/missions/run/execute.ts';
import { Receipt } from '#src/receipts/format/receipt-schema.ts';
import { readReceipt } from '#src/receipts/receipt-store.ts';
import { challengeShown } from './challenge-shown.ts';
import { MissionId } from './mission-tools.ts';

const strict = { additionalProperties: false };

const AwaitingStep = Type.Object(
  {
    step: Type.String({ description: 'The step that waits' }),
    title: Type.String({ description: 'Purpose' }),
    capability: Type.String({ description: 'Capability that would do it' }),
    input: Type.Unsafe<unknown>({ description: 'Exactly what would be done' }),
    challenge: Type.Union([StepChallenge, Type.Null()], { description: 'Challenge that the human proves over' }),
    approveAt: Type.String({ description: 'Address to which the human sends the proof (POST {challengeId, proof})' }),
    declineAt: Type.String({ description: 'Address at which the owner declines (POST)' }),
  },
  strict,
);

const Executed = Type.Object(
  {
    missionId: MissionId,
    state: Type.Enum([...missionStates], { type: 'string', description: 'State of the mission' }),
    next: Type.String({ description: 'Next thing to do, in a sentence' }),
    receipt: Type.Union([Receipt, Type.Null()], { description: 'Sealed and anchored; null before' }),
    awaiting: Type.Array(AwaitingStep, { description: 'Steps that only the human behind the key can let run' }),
    error: MissionSummary.properties.error,
  },
  strict,
);

export const executeTool = tool({
  name: 'agent_mission_execute',
  title: 'Execute a mission',
  description:
    'Runs a planned mission and waits for its receipt, sealed and anchored on a chain; reports progress meanwhile. Calling it again for a mission under way only waits again. It answers early with state awaiting_human where a step needs the human behind the key: an API key alone never satisfies such a step, so show the human what would be done and where to approve it, then call again. Taking this call back ends the wait alone: the mission goes on, and agent_mission_status reports its progress.',
  surface: 'missions',
  scope: 'platform.mcp.execute',
  input: Type.Object(
    {
      missionId: MissionId,
      waitSeconds: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 120, description: 'Seconds to wait at most; 0 answers at once' }),
      ),
    },
    strict,
  ),
  output: Executed,
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  run: async (on, { input: { missionId, waitSeconds }, principal, base, progress, signal }) => {
    const { context, hub } = on;
    assertHuman(principal);
    await missionOf(context, principal, missionId);
    const waitMs = waitSeconds === undefined ? context.config.WAIT_MS : waitSeconds * 1_000;
    const subscription = await publishProgress(on, missionId, progress);
    try {
      await executeMission(context, missionId);
      await waitForMission(context, hub, missionId, isOver, waitMs, signal);
    } finally {
      subscription.close();
    }
    return await answer(on, await missionOf(context, principal, missionId), base('missions'));
  },
});

async function answer({ context }: McpContext, mission: Mission, base: string) {
  const { id, state, closedAt, sealedAt } = mission;
  const receipt = closedAt ? await readReceipt(context, id) : null;
  const awaiting = await stepsAwaiting({ context }, mission, base);
  const { error } = missionSummary(mission);
  const failed = state === 'failed' || state === 'cancelled';
  const next = receipt ? 'Read it, or verify it with agent_receipt_verify.' : nextOf[state];
  const output: Static<typeof Executed> = { missionId: id, state, next, receipt, awaiting, error };
  return { output, failed, links: sealedAt ? [linkOf(id)] : [] };
}

const later = 'It goes on by itself: call agent_mission_execute again to wait, or agent_mission_status to look.';
const nextOf: Readonly<Record<Mission['state'], string>> = {
  planned: 'Call agent_mission_execute again.',
  executing: later,
  sealing: later,
  sealed: 'The receipt is sealed and waits for the chain: call agent_mission_execute again to wait for it.',
  awaiting_human:
    'Show the human behind this key each step in `awaiting`: a proof of personhood over its challenge, sent to `approveAt`, lets it run. Then call agent_mission_execute again.',
  failed: 'Its receipt will say what was done before; create a new mission to try again.',
  cancelled: 'Its receipt will say what was done before; create a new mission to try again.',
};

async function stepsAwaiting({ context }: Pick<McpContext, 'context'>, { id, plan }: Mission, base: string) {
  const waiting = (await readSteps(context, id)).filter(({ state }) => state === 'awaiting_human');
  const inputs = await readInputs(
    context,
    id,
    waiting.map(({ step }) => step),
  );
  return waiting.map(({ step, challenge }) => {
    const { title = step, capability = '' } = plan.steps.find((one) => one.id === step) ?? {};
    const path = `${base}${missionPath(id)}/steps/${step}`;
    return {
      step,
      title,
      capability,
      input: inputs[step],
      challenge: challengeShown(challenge),
      approveAt: `${path}/approve`,
      declineAt: `${path}/decline`,
    };
  });
}

/**
 * Reports each event of a mission as progress from now on; one that is lost on the way is missed. A mission has few.
 */
async function publishProgress({ context, hub }: McpContext, id: string, progress: (message: string) => void) {
  const subscription = hub.bus.subscribe(missionChannel(context.config, id), {
    message: (text) => {
      const words = wordsOf(text);
      if (words !== null) progress(words);
    },
    resubscribed: () => {},
  });
  // while Redis is away the mission runs all the same, in silence
  await Promise.race([subscription.ready, pause(1_000, undefined, { ref: false })]);
  return subscription;
}

/** An event in words; null for a text that keeps no contract, which must not end the process. */
function wordsOf(text: string): string | null {
  try {
    const { type, data } = JSON.parse(text) as { type?: unknown; data?: { step?: unknown } };
    if (typeof type !== 'string') return null;
    return typeof data?.step === 'string' ? `${type} ${data.step}` : type;
  } catch {
    return null;
  }
}
