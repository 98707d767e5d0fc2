import { type Static, Type } from 'typebox';
import { Webhook } from '#src/platform/webhooks/webhook-body.ts';
import { routePolicies } from '#src/providers/routing/routing.ts';

const strict = { additionalProperties: false };
const open = { additionalProperties: true };
const nullable = <T extends Type.TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));
const oneOf = <T extends string>(...values: T[]) => Type.Enum(values, { type: 'string' });
const id = (description: string) => nullable(Type.String({ maxLength: 512, description }));

/** Read by {@link readItems}, whose sentences say more than those of a union. */
const LooseItem = Type.Unsafe<Readonly<Record<string, unknown>>>({
  type: 'object',
  properties: { type: { type: 'string' }, id: { type: ['string', 'null'] } },
});

const ToolRequest = Type.Object(
  {
    type: Type.String({ description: '`function`: tools that run on our side are not offered here' }),
    name: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' })),
    description: nullable(Type.String({ maxLength: 32_000 })),
    parameters: nullable(Type.Object({}, { ...open, description: 'JSON Schema of the arguments' })),
    strict: nullable(Type.Boolean()),
  },
  { ...open, title: 'ResponseTool' },
);
export type ToolRequest = Static<typeof ToolRequest>;

/** Shape of the text: any, some JSON, or JSON of one schema. */
export const TextFormat = Type.Union(
  [
    Type.Object({ type: oneOf('text') }, strict),
    Type.Object({ type: oneOf('json_object') }, strict),
    Type.Object(
      {
        type: oneOf('json_schema'),
        name: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }),
        schema: Type.Object({}, open),
        strict: nullable(Type.Boolean()),
        description: nullable(Type.String({ maxLength: 32_000 })),
      },
      strict,
    ),
  ],
  { title: 'ResponseTextFormat' },
);
export type TextFormat = Static<typeof TextFormat>;

/** Options for choosing a provider; the same in every body that requests text. */
const Routing = Type.Object(
  {
    policy: Type.Optional(oneOf(...routePolicies)),
    providers: Type.Optional(Type.Array(Type.String({ maxLength: 80 }), { minItems: 1, maxItems: 16 })),
    exclude: Type.Optional(Type.Array(Type.String({ maxLength: 80 }), { maxItems: 16 })),
    max_cost_usd: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000 })),
    fallback: Type.Optional(Type.Boolean()),
  },
  { title: 'ResponseRouting', ...strict, description: 'Options for choosing the provider' },
);

/**
 * Body of `POST /api/v2/responses`: what OpenAI documents, as far as it means something here, `routing`, and `webhook`
 * in the background.
 */
export const ResponseRequest = Type.Object(
  {
    model: nullable(
      Type.String({
        maxLength: 200,
        description: 'A model, or `provider/model`; `auto` or nothing for whichever suits',
      }),
    ),
    input: Type.Union([Type.String(), Type.Array(LooseItem, { minItems: 1, maxItems: 2_000 })], {
      description:
        'Text, or items: `message`, `function_call`, `function_call_output`, `item_reference`; `reasoning` is ignored',
    }),
    instructions: nullable(Type.String({ description: 'Said before all else, of this turn alone' })),
    stream: nullable(Type.Boolean()),
    stream_options: nullable(Type.Object({ include_obfuscation: Type.Optional(Type.Boolean()) }, strict)),
    background: nullable(Type.Boolean({ description: 'Answered at once with a response that is `queued`' })),
    store: nullable(Type.Boolean({ description: 'True where it is stored and can be read again; true without it' })),
    previous_response_id: id('The conversation goes on from that response'),
    conversation: Type.Optional(Type.Null({ description: 'Not offered here: use `previous_response_id`' })),
    prompt: Type.Optional(Type.Null({ description: 'Not offered here: send the text itself' })),
    tools: nullable(Type.Array(ToolRequest, { maxItems: 128 })),
    tool_choice: nullable(
      Type.Union([
        oneOf('auto', 'none', 'required'),
        Type.Object({ type: oneOf('function'), name: Type.String({ maxLength: 64 }) }, strict),
      ]),
    ),
    parallel_tool_calls: nullable(Type.Boolean()),
    max_output_tokens: nullable(Type.Integer({ minimum: 1, maximum: 10_000_000 })),
    max_tool_calls: nullable(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description: 'Limit for tools that run on our side: there are none',
      }),
    ),
    temperature: nullable(Type.Number({ minimum: 0, maximum: 2 })),
    top_p: nullable(Type.Number({ minimum: 0, maximum: 1 })),
    presence_penalty: nullable(Type.Number({ minimum: -2, maximum: 2 })),
    frequency_penalty: nullable(Type.Number({ minimum: -2, maximum: 2 })),
    top_logprobs: nullable(Type.Integer({ minimum: 0, maximum: 0, description: 'Probabilities are not offered here' })),
    text: nullable(
      Type.Object({ format: Type.Optional(TextFormat), verbosity: nullable(oneOf('low', 'medium', 'high')) }, strict),
    ),
    reasoning: nullable(
      Type.Object(
        {
          effort: nullable(Type.String({ maxLength: 40 })),
          summary: nullable(Type.String({ maxLength: 40 })),
          generate_summary: nullable(Type.String({ maxLength: 40 })),
          context: nullable(oneOf('auto')),
          mode: nullable(oneOf('standard')),
        },
        strict,
      ),
    ),
    truncation: nullable(
      Type.Enum(['auto', 'disabled'], {
        type: 'string',
        description: '`auto` is taken, and nothing is cut: what is too long is refused by the provider',
      }),
    ),
    moderation: Type.Optional(Type.Null({ description: 'Not offered here' })),
    context_management: Type.Optional(Type.Null({ description: 'Not offered here' })),
    metadata: nullable(
      Type.Record(Type.String({ pattern: '^[\\s\\S]{1,64}$' }), Type.String({ maxLength: 512 }), { maxProperties: 16 }),
    ),
    include: nullable(
      Type.Array(
        oneOf(
          'reasoning.encrypted_content',
          'message.input_image.image_url',
          'file_search_call.results',
          'web_search_call.results',
          'web_search_call.action.sources',
          'code_interpreter_call.outputs',
          'computer_call_output.output.image_url',
        ),
        { maxItems: 20, description: 'Parts of tools that are not offered here are never there' },
      ),
    ),
    service_tier: nullable(oneOf('auto', 'default', 'flex', 'scale', 'priority', 'fast')),
    prompt_cache_key: id('A hint for caches of providers; not used here'),
    prompt_cache_options: nullable(Type.Unknown({ description: 'A hint for caches of providers; not used here' })),
    prompt_cache_retention: nullable(oneOf('in_memory', 'in-memory', '24h')),
    safety_identifier: id('Your own name of the end user'),
    user: id('Your own name of the end user; older name'),
    routing: Type.Optional(Routing),
    webhook: Type.Optional(Webhook),
  },
  { ...strict, title: 'ResponseCreation' },
);
export type ResponseRequest = Static<typeof ResponseRequest>;
