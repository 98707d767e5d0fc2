import { type Static, Type } from 'typebox';
import { AssuranceName } from '#src/access/humans/store/assurance-schema.ts';

const strict = { additionalProperties: false };

/**
 * Effects of a step beyond reading and computing. `none` needs no human; the others do. `confirm` does nothing but let
 * the steps after it run.
 */
export const sensitivities = ['none', 'confirm', 'spend', 'publish', 'likeness', 'claim', 'outside'] as const;
export const SensitivityName = Type.Enum([...sensitivities], {
  title: 'Sensitivity',
  type: 'string',
  description: 'What it does beyond reading and computing',
});
export type Sensitivity = (typeof sensitivities)[number];

export const StepId = Type.String({
  pattern: '^[a-z][a-z0-9_-]{0,39}$',
  description: 'Names the step within its mission: a letter, then up to 39 letters, digits, _ or -',
});

/** A step as a client or a model proposes it: the rest of it follows from its capability. */
export const ProposedStep = Type.Object(
  {
    id: StepId,
    capability: Type.String({
      minLength: 1,
      maxLength: 80,
      description: 'Capability that does it, as the catalogue names it',
    }),
    title: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Purpose, in a line' })),
    input: Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: 'object',
      additionalProperties: true,
      description:
        'Input of the capability. `{"$from": "step", "path": "data.net_gex"}` anywhere in it stands for what an earlier step gave',
    }),
    dependsOn: Type.Optional(
      Type.Array(StepId, {
        maxItems: 50,
        uniqueItems: true,
        description: 'Steps that must have succeeded before; steps that `input` refers to are added',
      }),
    ),
  },
  { ...strict, title: 'ProposedStep' },
);
export type ProposedStep = Static<typeof ProposedStep>;

/** One provider of a step's route. */
const RouteLeg = Type.Object(
  {
    provider: Type.String({ description: 'Provider that is called' }),
    model: Type.String({ description: 'For what, in its own words' }),
    quotedUsd: Type.Number({ minimum: 0, description: 'Quote of the call, US dollars' }),
  },
  { ...strict, title: 'RouteLeg' },
);
export type RouteLeg = Static<typeof RouteLeg>;

/** One step of a plan as it was decided. */
export const PlanStep = Type.Object(
  {
    ...ProposedStep.properties,
    title: Type.String({ description: 'Purpose, in a line' }),
    dependsOn: Type.Array(StepId, { description: 'Steps that must have succeeded before' }),
    sensitivity: Type.Enum([...sensitivities], {
      type: 'string',
      description: 'What it does beyond reading and computing',
    }),
    policy: Type.Object(
      {
        name: Type.String({ description: 'The policy that decided' }),
        decision: Type.Enum(['allow', 'human'], {
          type: 'string',
          description: '`human`: stops until a human approves',
        }),
        assurance: Type.Union([AssuranceName('Assurance that a human is behind the proof'), Type.Null()], {
          description: 'Least assurance of the proof of personhood that approves it; null where none is needed',
        }),
      },
      { ...strict, description: 'Policy that decides whether it may run' },
    ),
    costUsd: Type.Number({ minimum: 0, description: 'Estimated cost, US dollars' }),
    route: Type.Optional(
      Type.Array(RouteLeg, {
        description:
          'Providers that are called in turn, where it calls any; joins the input, so that a human approves it',
      }),
    ),
  },
  { ...strict, title: 'MissionPlanStep' },
);
export type PlanStep = Static<typeof PlanStep>;

/** An ordered graph of steps: each depends only on those before it. */
export const Plan = Type.Object(
  {
    planner: Type.Enum(['rules', 'model', 'client'], {
      type: 'string',
      description: 'Proposer of the steps: the rules built in, a model, or the request itself',
    }),
    steps: Type.Array(PlanStep, { description: 'In an order in which they can run' }),
    unmapped: Type.Array(Type.String(), {
      description:
        'Parts of the goal that no step does, in its own words. Where numbers, negations, conditions, symbols, times or deeds are among them, the plan begins with a step that waits for a human’s yes',
    }),
    notes: Type.Array(Type.String(), { description: 'Remarks on the plan' }),
    costUsd: Type.Number({ minimum: 0, description: 'Estimated cost of all steps, US dollars' }),
  },
  { title: 'MissionPlan', ...strict, description: 'Plan of a mission' },
);
export type Plan = Static<typeof Plan>;
