import { type Static, Type } from 'typebox';
import { Webhook } from '#src/platform/webhooks/webhook-body.ts';
import { routePolicies } from '#src/providers/routing/routing.ts';

export const strict = { additionalProperties: false };
const ProviderIds = Type.Array(Type.String({ minLength: 1, maxLength: 40 }), { minItems: 1, maxItems: 50 });

/** Options for choosing the provider; all of them optional. */
export const MediaRouting = Type.Object(
  {
    policy: Type.Optional(
      Type.Enum([...routePolicies], { type: 'string', description: 'Quality that counts most; `balanced` without it' }),
    ),
    providers: Type.Optional({ ...ProviderIds, description: 'Only these, by id' }),
    exclude: Type.Optional({ ...ProviderIds, description: 'None of these, by id' }),
    max_cost_usd: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1_000_000, description: 'Most that the work may cost, in dollars' }),
    ),
    fallback: Type.Optional(
      Type.Boolean({ description: 'True where another provider is called after the first fails; true without it' }),
    ),
  },
  { title: 'MediaRouting', ...strict, description: 'Options for choosing the provider' },
);

/** Members of every body of work. */
export const common = {
  model: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 250,
      description: '`auto` (as without it) for whichever suits, `provider/model`, or a model’s name',
    }),
  ),
  routing: Type.Optional(MediaRouting),
  webhook: Type.Optional(Webhook),
  user: Type.Optional(
    Type.String({ maxLength: 512, description: 'Taken from clients of OpenAI’s kind, and not used' }),
  ),
  safety_identifier: Type.Optional(
    Type.String({ maxLength: 512, description: 'Taken from clients of OpenAI’s kind, and not used' }),
  ),
};
export type Common = {
  readonly model?: string;
  readonly routing?: Static<typeof MediaRouting>;
};
