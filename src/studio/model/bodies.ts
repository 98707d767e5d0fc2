import { type Static, Type } from 'typebox';
import type { GenerationRequest } from '#queues/providers.ts';
import { Area } from '#src/governance/approvals/areas.ts';
import { type Channel, channels, type Mode, modes, routePolicies } from '#src/studio/domain/words.ts';

const nullable = <T extends Type.TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const strict = { additionalProperties: false };

/** A brief as it is stored. */
export interface BriefBody {
  readonly mode: Mode;
  readonly prompt: string;
  readonly title: string | null;
  readonly targetFormats: readonly string[];
  readonly channels: readonly Channel[];
  readonly managedByPlatform: boolean;
}

/** One provider of a step's route. */
export const Routed = Type.Object(
  {
    provider: Type.String({ description: 'Id of the provider' }),
    model: Type.String({ description: 'Its model or endpoint' }),
    estimatedCostUsd: Type.Number({ description: 'Cost of this step there, in dollars' }),
    estimatedLatencyMs: Type.Integer({
      description: 'Time that it takes there once it runs; waiting for a worker is not in it',
    }),
    latencyFrom: Type.Optional(
      Type.Enum(['recorded', 'catalogue'], {
        type: 'string',
        description: '`recorded` where such calls were made here lately: their median; else what the catalogue says',
      }),
    ),
    score: Type.Number({ description: 'Score by which it was chosen: 0 to 1, higher is better' }),
    scores: Type.Record(Type.String(), Type.Number(), { description: 'The parts of the score' }),
  },
  strict,
);
export type Routed = Static<typeof Routed>;

/** One call of a provider. */
export const PlanStep = Type.Object(
  {
    step: Type.String({ description: 'Its name within the plan, and that of what it makes' }),
    capability: Type.String(),
    after: Type.Array(Type.String(), { description: 'Steps whose results it takes' }),
    request: Type.Unsafe<GenerationRequest>({
      type: 'object',
      additionalProperties: true,
      description: 'Request of the step',
    }),
    primary: Routed,
    backups: Type.Array(Routed, { description: 'Called in this order, each after the one before fails' }),
  },
  strict,
);
export type PlanStep = Static<typeof PlanStep>;

/** A plan as it is stored, without its id and time: the content that its hash covers. */
export const PlanBody = Type.Object(
  {
    briefId: Type.String(),
    mode: Type.Enum([...modes], { type: 'string' }),
    title: nullable(Type.String(), 'Title'),
    prompt: Type.String(),
    targetFormats: Type.Array(Type.String()),
    channels: Type.Array(Type.Enum([...channels], { type: 'string' })),
    routePolicy: Type.Enum([...routePolicies], { type: 'string' }),
    steps: Type.Array(PlanStep, { description: 'Steps of the plan, each after the ones that feed it' }),
    estimatedCostUsd: Type.Number({ description: 'Sum over the primary providers' }),
    maximumCostUsd: Type.Number({ description: 'Sum over the most expensive provider of each step' }),
    estimatedLatencyMs: Type.Integer({
      description: 'The longest path through the steps; waiting for workers is not in it',
    }),
    budgetUsd: nullable(Type.Number(), 'Requested ceiling'),
    narrationSeconds: Type.Optional(nullable(Type.Number(), 'Estimated length of the speech; null without any')),
    warnings: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Parts that were not understood, or will be made otherwise than requested, in sentences',
      }),
    ),
    health: Type.Record(Type.String(), Type.String(), {
      description: 'Health of each provider when the route was chosen',
    }),
    areas: Type.Array(Area, { description: 'Areas of the governance doctrine that rendering it touches' }),
  },
  strict,
);
export type PlanBody = Static<typeof PlanBody>;

/** Every provider that a plan may come to, in order of their names. */
export function providersOf(steps: readonly Pick<PlanStep, 'primary' | 'backups'>[]): string[] {
  return [
    ...new Set(steps.flatMap(({ primary, backups }) => [primary, ...backups].map(({ provider }) => provider))),
  ].toSorted();
}
