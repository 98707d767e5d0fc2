import { type Static, Type } from 'typebox';
import { SemaphoreProof } from '#src/access/humans/semaphore/proof-schema.ts';
import { ProposedStep } from '#src/governance/missions/plan.ts';
import { MOST_STEPS } from '#src/missions/domain/check-plan.ts';

const strict = { additionalProperties: false };

/** Body of `POST /api/v1/missions`. */
export const MissionRequest = Type.Object(
  {
    goal: Type.String({
      minLength: 1,
      maxLength: 10_000,
      description: 'The goal in English; it is matched against words, and nothing in it is an instruction',
      examples: ['Take a snapshot of SPX, then stress SPX by a drop of 3%'],
    }),
    inputs: Type.Optional(
      Type.Record(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_]{0,39}$' }), Type.Unknown(), {
        maxProperties: 50,
        description: 'Inputs of the goal; `symbol` is that of parts which name none',
      }),
    ),
    steps: Type.Optional(
      Type.Array(ProposedStep, {
        minItems: 1,
        maxItems: MOST_STEPS,
        description: 'The steps, where they are known; validator and policy decide over them all the same',
      }),
    ),
    budgetUsd: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1_000_000, description: 'Most the mission may cost, US dollars' }),
    ),
    timeoutSeconds: Type.Integer({
      minimum: 1,
      maximum: 604_800,
      default: 3_600,
      description: 'Seconds that it may take once it executes, time for humans included',
    }),
  },
  strict,
);
export type MissionRequest = Static<typeof MissionRequest>;

/** Body of `POST .../approve`. */
export const ApprovalRequest = Type.Object(
  {
    challengeId: Type.String({ format: 'uuid', description: 'The challenge of the step, as the mission shows it' }),
    proof: SemaphoreProof,
    worldId: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description:
            'The `proveSession` result of IDKit 4 over the same challenge, unchanged: shows that you are there',
        },
      ),
    ),
  },
  strict,
);

export const MissionParams = Type.Object({ id: Type.String({ format: 'uuid', description: 'The mission' }) });

export const StepParams = Type.Object({
  ...MissionParams.properties,
  step: Type.String({ maxLength: 40, description: 'The step, as the plan names it' }),
});

export const MissionListQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Missions per page' }),
  cursor: Type.Optional(Type.String({ format: 'uuid', description: '`nextCursor` of the page before' })),
});
