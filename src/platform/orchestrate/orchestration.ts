import { type Static, Type } from 'typebox';
import { AssuranceName } from '#src/access/humans/store/assurance-schema.ts';
import { type Mission, type Step, StepChallenge } from '#src/governance/missions/mission-row.ts';
import { missionStates, stepStates } from '#src/governance/missions/mission-states.ts';
import { Plan } from '#src/governance/missions/plan.ts';
import { missionLink } from '#src/platform/edge/job-link.ts';
import { Webhook } from '#src/platform/webhooks/webhook-body.ts';
import { routePolicies } from '#src/providers/routing/routing.ts';
import { Receipt } from '#src/receipts/format/receipt-schema.ts';

const Time = Type.String({ format: 'date-time' });
const OptionalTime = Type.Union([Time, Type.Null()]);
const State = Type.Enum([...missionStates], { type: 'string', description: 'Status of the mission' });

/** For a goal that says nothing of its time. */
export const TIMEOUT_SECONDS = 3_600;

/** Body of `POST /api/v2/orchestrate/run`. */
export const OrchestrationRequest = Type.Object(
  {
    query: Type.String({
      minLength: 1,
      maxLength: 10_000,
      description: 'Goal, in English; nothing in it is an instruction to this service',
      examples: ['Make a square picture of a lighthouse'],
    }),
    capabilities: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 80 }), {
        minItems: 1,
        maxItems: 50,
        uniqueItems: true,
        description:
          'All that the plan may use: capabilities of missions (`gov/mission-contracts` lists them) and what providers make (`image.generate`). Everything without it',
      }),
    ),
    policy: Type.Optional(
      Type.Enum([...routePolicies], {
        type: 'string',
        description: 'Policy for choosing providers, where any are needed; `balanced` without it',
      }),
    ),
    budget_usd: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1_000_000, description: 'Most that it may cost, US dollars' }),
    ),
    timeout_seconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 604_800,
        default: TIMEOUT_SECONDS,
        description: 'Time that it may take, decisions of humans included',
      }),
    ),
    plan_only: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'True where it is only planned, and executed by `links.execute`',
      }),
    ),
    webhook: Type.Optional(Webhook),
  },
  { title: 'OrchestrationCreation', additionalProperties: false },
);

const Awaited = Type.Object(
  {
    step: Type.String(),
    capability: Type.String(),
    cost_usd: Type.Number({ description: 'Estimated, US dollars' }),
    effect_sha256: Type.Union([Type.String(), Type.Null()], { description: 'Hash of exactly what is approved' }),
    assurance: Type.Union([AssuranceName('Certainty that a human made a proof'), Type.Null()], {
      description: 'Least assurance of the proof',
    }),
    challenge: Type.Union([StepChallenge, Type.Null()]),
    approve_at: Type.String({ description: 'Address for the proof of the human who owns the key (POST)' }),
  },
  { title: 'AwaitedApproval', description: 'A step that waits for its human' },
);

/** A goal, its plan, and how far it is. */
export const Orchestration = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Names the mission, and its receipt' }),
    object: Type.Literal('orchestration'),
    status: State,
    state: State,
    query: Type.String(),
    plan: Plan,
    budget_usd: Type.Union([Type.Number(), Type.Null()], { description: 'Null for no bound' }),
    spent_usd: Type.Number(),
    approvals: Type.Array(Awaited, { description: 'Approvals that it waits for' }),
    links: Type.Object({
      mission: Type.String(),
      execute: Type.String(),
      events: Type.String({ description: 'Its events as they happen (SSE)' }),
      receipt: Type.Union([Type.String(), Type.Null()], { description: 'Public; null before it is sealed' }),
    }),
    job: Type.Object(
      {
        id: Type.String({ format: 'uuid' }),
        kind: Type.Literal('mission'),
        state: State,
        status: State,
        created_at: Time,
        finished_at: OptionalTime,
        url: Type.String({ pattern: '^/', description: 'Path at which it can be read' }),
      },
      { description: 'The mission as a job' },
    ),
    run: Type.Union(
      [
        Type.Object({
          id: Type.String({ format: 'uuid' }),
          started_at: Time,
          deadline_at: OptionalTime,
          steps: Type.Array(
            Type.Object({
              id: Type.String(),
              capability: Type.String(),
              status: Type.Enum([...stepStates], { type: 'string' }),
              job_id: Type.Union([Type.String(), Type.Null()], { description: 'The job that does it' }),
            }),
          ),
        }),
        Type.Null(),
      ],
      { description: 'Its execution; null before it begins' },
    ),
    audit_receipt: Type.Union([Receipt, Type.Null()], {
      description: 'Sealed proof of what was done; null before. Its `anchor` is null until the chain has it',
    }),
  },
  { title: 'Orchestration' },
);
export type Orchestration = Static<typeof Orchestration>;

/** @param base address of missions, without a path */
export function orchestrationView(
  base: string,
  mission: Mission,
  steps: readonly Step[],
  receipt: Receipt | null,
): Orchestration {
  const { id, state, goal, plan, budget, spent, createdAt, executedAt, deadlineAt, finishedAt } = mission;
  const url = `${base}/api/v1/missions/${id}`;
  const planned = new Map(plan.steps.map((step) => [step.id, step]));
  const capabilityOf = (step: Step) => planned.get(step.step)?.capability ?? '';
  return {
    id,
    object: 'orchestration',
    status: state,
    state,
    query: goal,
    plan,
    budget_usd: budget === null ? null : budget / 1e6,
    spent_usd: spent / 1e6,
    approvals: steps
      .filter((step) => step.state === 'awaiting_human')
      .map((step) => ({
        step: step.step,
        capability: capabilityOf(step),
        cost_usd: planned.get(step.step)?.costUsd ?? 0,
        effect_sha256: step.effect,
        assurance: planned.get(step.step)?.policy.assurance ?? null,
        challenge: step.challenge,
        approve_at: `${url}/steps/${step.step}/approve`,
      })),
    links: {
      mission: url,
      execute: `${url}/execute`,
      events: `${url}/events`,
      receipt: receipt && `${base}/api/v1/receipts/${id}`,
    },
    job: {
      ...missionLink(id, state),
      created_at: createdAt.toISOString(),
      finished_at: finishedAt?.toISOString() ?? null,
    },
    run: executedAt && {
      id,
      started_at: executedAt.toISOString(),
      deadline_at: deadlineAt?.toISOString() ?? null,
      steps: steps.map((step) => ({
        id: step.step,
        capability: capabilityOf(step),
        status: step.state,
        job_id: step.job,
      })),
    },
    audit_receipt: receipt,
  };
}
