import { type Static, Type } from 'typebox';
import {
  analyzeScopes,
  analyzeWindows,
  channels,
  exploreModes,
  modes,
  operateActions,
  operateTargets,
  routePolicies,
} from '#src/studio/domain/words.ts';

const strict = { additionalProperties: false };
const word = <const W extends readonly string[]>(words: W, description: string) =>
  Type.Unsafe<W[number]>({ type: 'string', enum: [...words], description });
const text = (most: number, description: string) => Type.String({ minLength: 1, maxLength: most, description });

export const Prompt = text(4_000, 'Goal, in words');
export const ModeWord = word(modes, 'Kind of work');
export const Channels = Type.Array(word(channels, 'A channel'), {
  minItems: 1,
  maxItems: 12,
  uniqueItems: true,
  description: 'Channels that it is meant for',
});
export const TargetFormats = Type.Array(Type.String({ minLength: 1, maxLength: 120 }), {
  minItems: 1,
  maxItems: 12,
  uniqueItems: true,
  description: 'Formats in words, such as `9:16 1080p 15s`',
});

export const ExploreInput = Type.Object(
  {
    mode: word(exploreModes, 'List to look through'),
    query: Type.Optional(text(240, 'Words that a result must have')),
    capability: Type.Optional(text(160, 'A capability that a result must have')),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 12, description: 'Most results' })),
  },
  strict,
);
export type ExploreInput = Static<typeof ExploreInput>;

export const BriefInput = Type.Object(
  {
    mode: ModeWord,
    prompt: Prompt,
    title: Type.Optional(text(140, 'Title')),
    targetFormats: Type.Optional(TargetFormats),
    channels: Type.Optional(Channels),
    managedByPlatform: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'True where this service carries it out; false for a brief that is only stored',
      }),
    ),
  },
  strict,
);
export type BriefInput = Static<typeof BriefInput>;

export const PlanInput = Type.Object(
  {
    briefId: Type.Optional(text(80, 'The brief that is planned')),
    prompt: Type.Optional(Prompt),
    mode: Type.Optional(ModeWord),
    routePolicy: Type.Optional(
      Type.Enum([...routePolicies], {
        type: 'string',
        default: 'balanced',
        description: 'Quality that decides between providers',
      }),
    ),
    targetFormats: Type.Optional(TargetFormats),
    budgetUsd: Type.Optional(
      Type.Number({ minimum: 0, maximum: 10_000, description: 'The most that carrying it out may cost, in dollars' }),
    ),
  },
  {
    ...strict,
    anyOf: [{ required: ['briefId'] }, { required: ['prompt', 'mode'] }],
    description: 'Either briefId, or both prompt and mode',
  },
);
export type PlanInput = Static<typeof PlanInput>;

export const RenderInput = Type.Object(
  {
    planId: text(80, 'The plan that is rendered'),
    dryRun: Type.Boolean({ description: 'true creates the approval boundary without provider execution' }),
    approvalRef: Type.Optional(text(160, 'The approval of this render; required before live provider execution')),
    maxCostUsd: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, maximum: 10_000, description: 'Hard cost ceiling, in dollars' }),
    ),
  },
  strict,
);
export type RenderInput = Static<typeof RenderInput>;

export const PublishInput = Type.Object(
  {
    assetId: Type.Optional(text(120, 'The asset that is published')),
    planId: Type.Optional(text(80, 'The plan whose assets are published')),
    channels: Channels,
    dryRun: Type.Boolean({ description: 'true creates only an approval and an outbox package' }),
    approvalRef: Type.Optional(text(160, 'The approval of this publication; required before external publishing')),
  },
  { ...strict, anyOf: [{ required: ['assetId'] }, { required: ['planId'] }], description: 'assetId, planId, or both' },
);
export type PublishInput = Static<typeof PublishInput>;

export const AnalyzeInput = Type.Object(
  {
    scope: word(analyzeScopes, 'Records to sum up'),
    window: Type.Optional(
      Type.Enum([...analyzeWindows], {
        type: 'string',
        default: '7d',
        description: 'Time that the summary reaches back',
      }),
    ),
    mode: Type.Optional(ModeWord),
  },
  strict,
);
export type AnalyzeInput = Static<typeof AnalyzeInput>;

export const OperateInput = Type.Object(
  {
    action: word(operateActions, 'Action'),
    targetType: word(operateTargets, 'Kind of the target'),
    targetId: text(160, 'Its id'),
    params: Type.Optional(
      Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object', description: 'More for the action' }),
    ),
  },
  strict,
);
export type OperateInput = Static<typeof OperateInput>;
