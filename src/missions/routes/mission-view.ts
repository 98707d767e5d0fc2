import { type Static, Type } from 'typebox';
import { type Mission, type Step, StepChallenge } from '#src/governance/missions/mission-row.ts';
import { missionStates, stepStates } from '#src/governance/missions/mission-states.ts';
import { Plan } from '#src/governance/missions/plan.ts';
import type { StepInFull } from '#src/governance/missions/step-contents.ts';
import { OptionalText, OptionalTime, Time } from '#src/lib/validation/schema-parts.ts';
import { summaryOf } from '#src/missions/run/summarise.ts';

const MissionFailure = Type.Object(
  {
    code: Type.String({ description: 'The code that programs go by; docs/errors.md lists all' }),
    message: Type.String({ description: 'The failure in a sentence' }),
    details: Type.Optional(Type.Unsafe<unknown>({ description: 'More for machines; depends on the code' })),
  },
  { title: 'MissionFailure', description: 'Why it failed' },
);

const StepView = Type.Object(
  {
    id: Type.String({ description: 'The step, as the plan names it' }),
    state: Type.Enum([...stepStates], { type: 'string', description: 'State of the step' }),
    status: Type.Enum([...stepStates], { type: 'string', description: 'The same as `state`' }),
    jobId: OptionalText('The job that does it; null before it runs'),
    input: Type.Unsafe<unknown>({ description: 'Its input with every reference resolved; null before it is its turn' }),
    output: Type.Unsafe<unknown>({ description: 'Its output; null before' }),
    summary: OptionalText('The same in a sentence; null before, and for a kind of step that has none'),
    outputSaltedSha256: OptionalText('Salted hash of the output, as the receipt has it'),
    effectSha256: OptionalText('Hash of exactly what a human approves; null where none is asked'),
    challenge: Type.Union([StepChallenge, Type.Null()], {
      description: 'Challenge that its human answers now; null where there is none',
    }),
    error: Type.Union([MissionFailure, Type.Null()], { description: 'Why it failed; null otherwise' }),
    startedAt: OptionalTime('When it began'),
    finishedAt: OptionalTime('When it ended'),
  },
  { title: 'MissionStep' },
);

/** A mission as lists show it. */
export const MissionSummary = Type.Object(
  {
    missionId: Type.String({ format: 'uuid', description: 'Names the mission, and its receipt' }),
    state: Type.Enum([...missionStates], { type: 'string', description: 'State of the mission' }),
    status: Type.Enum([...missionStates], { type: 'string', description: 'The same as `state`' }),
    goal: Type.String({ description: 'Goal as the client wrote it' }),
    budgetUsd: Type.Union([Type.Number(), Type.Null()], {
      description: 'Most it may cost, US dollars; null for no bound',
    }),
    spentUsd: Type.Number({ description: 'Cost so far, US dollars' }),
    error: Type.Union([MissionFailure, Type.Null()], { description: 'Why it failed; null otherwise' }),
    createdAt: Time('When it was accepted'),
    executedAt: OptionalTime('When it was started'),
    deadlineAt: OptionalTime('Time at which it fails if it has not ended'),
    finishedAt: OptionalTime('When its last step ended'),
    sealedAt: OptionalTime('When its receipt was sealed'),
    links: Type.Object(
      {
        self: Type.String({ description: 'This mission' }),
        events: Type.String({ description: 'Its events as they happen (SSE)' }),
        websocket: Type.String({ description: 'The same by WebSocket' }),
        receipt: OptionalText('Its receipt, once sealed'),
      },
      { title: 'MissionLinks', description: 'Paths of what belongs to it' },
    ),
  },
  { $id: 'MissionSummary', title: 'MissionSummary', description: 'A goal and its status' },
);

/** A mission as its owner sees it. */
export const MissionView = Type.Object(
  {
    ...MissionSummary.properties,
    inputs: Type.Record(Type.String(), Type.Unknown(), { description: 'Inputs of the goal' }),
    plan: Plan,
    answer: OptionalText(
      'Outputs of its steps, a sentence a line in the order of the plan; null before the first has succeeded',
    ),
    steps: Type.Array(StepView, { description: 'Status of each step of the plan' }),
    salt: Type.String({
      description: 'Hexadecimal; with it the owner shows what a salted hash of the receipt stands for. Keep it private',
    }),
  },
  { $id: 'Mission', title: 'Mission', description: 'A goal, its plan, and how far it is' },
);
export type MissionView = Static<typeof MissionView>;

/** Schemas that routes of missions refer to; to be added to the app before them. */
export const missionSchemas = [MissionSummary, MissionView] as const;

export const missionsPath = '/api/v1/missions';

export function missionPath(id: string): string {
  return `${missionsPath}/${id}`;
}

export function missionSummary(mission: Mission): Static<typeof MissionSummary> {
  const { id } = mission;
  return {
    missionId: id,
    state: mission.state,
    status: mission.state,
    goal: mission.goal,
    budgetUsd: mission.budget === null ? null : mission.budget / 1e6,
    spentUsd: mission.spent / 1e6,
    error: mission.error,
    createdAt: mission.createdAt.toISOString(),
    executedAt: text(mission.executedAt),
    deadlineAt: text(mission.deadlineAt),
    finishedAt: text(mission.finishedAt),
    sealedAt: text(mission.sealedAt),
    links: {
      self: missionPath(id),
      events: `${missionPath(id)}/events`,
      websocket: `/ws${missionPath(id)}`,
      receipt: mission.sealedAt ? `/api/v1/receipts/${id}` : null,
    },
  };
}

export function missionView(mission: Mission, steps: readonly StepInFull[]): MissionView {
  const kinds = new Map(mission.plan.steps.map(({ id, capability }) => [id, capability]));
  const contents = steps.map(({ step, input, output, state }) => ({
    input,
    output: output ?? null,
    summary: state === 'succeeded' ? summaryOf(kinds.get(step) ?? '', output) : null,
  }));
  const brief = missionInBrief(mission, steps);
  const said = contents.flatMap(({ summary }) => summary ?? []);
  return {
    ...brief,
    answer: said.length > 0 ? said.join('\n') : null,
    steps: brief.steps.map((step, n) => ({ ...step, ...contents[n]! })),
  };
}

/** The view without what steps took and gave, which may be long. */
export function missionInBrief(mission: Mission, steps: readonly Step[]) {
  return {
    ...missionSummary(mission),
    inputs: { ...mission.inputs },
    plan: mission.plan,
    steps: steps.map((step) => ({
      id: step.step,
      state: step.state,
      status: step.state,
      jobId: step.job,
      outputSaltedSha256: step.outputHash,
      effectSha256: step.effect,
      challenge: step.state === 'awaiting_human' ? step.challenge : null,
      error: step.error,
      startedAt: text(step.startedAt),
      finishedAt: text(step.finishedAt),
    })),
    salt: mission.salt.toString('hex'),
  };
}

function text(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}
