import Type, { type Static } from 'typebox';
import { routePolicies } from '#src/providers/routing/routing.ts';

const strict = { additionalProperties: false };
const Text = Type.String();
/** Clients send null for what they leave out. */
const optional = <T extends Type.TSchema>(schema: T, description: string) =>
  Type.Optional(Type.Union([schema, Type.Null()], { description }));
const Name = Type.String({ pattern: '^[a-zA-Z0-9_-]{1,64}$' });

const Part = Type.Object(
  {
    type: Text,
    text: Type.Optional(Text),
    refusal: Type.Optional(Text),
    image_url: Type.Optional(
      Type.Object({ url: Text, detail: Type.Optional(Type.Enum(['auto', 'low', 'high'], { type: 'string' })) }, strict),
    ),
  },
  { title: 'ChatPart', description: '`text`, `image_url` (of a user), or `refusal` (of an assistant)' },
);

const ToolCall = Type.Object(
  {
    id: Text,
    type: Type.Enum(['function'], { type: 'string' }),
    function: Type.Object({ name: Text, arguments: Text }),
  },
  { title: 'ChatToolCallInput', description: 'A call that the model has requested' },
);

const Message = Type.Object(
  {
    role: Type.Enum(['developer', 'system', 'user', 'assistant', 'tool'], { type: 'string' }),
    content: Type.Optional(Type.Union([Text, Type.Array(Part, { minItems: 1, maxItems: 256 }), Type.Null()])),
    name: optional(Type.String({ maxLength: 64 }), 'Who, among several of the same role'),
    tool_calls: optional(Type.Array(ToolCall, { maxItems: 128 }), 'Calls that an assistant has requested'),
    tool_call_id: Type.Optional(Text),
    refusal: optional(Text, 'Refusal that an assistant gave instead of an answer'),
    annotations: Type.Optional(Type.Unknown({ description: 'Not used' })),
    audio: Type.Optional(Type.Null()),
    function_call: Type.Optional(Type.Null()),
    parsed: Type.Optional(Type.Unknown({ description: 'Member of some clients; not used' })),
  },
  { ...strict, title: 'ChatMessage' },
);
export type ChatMessage = Static<typeof Message>;

const Tool = Type.Object(
  {
    type: Type.Enum(['function'], { type: 'string' }),
    function: Type.Object(
      {
        name: Name,
        description: Type.Optional(Text),
        parameters: Type.Optional(Type.Unsafe<object>({ type: 'object' })),
        strict: optional(Type.Boolean(), 'True where arguments must fit the parameters'),
      },
      strict,
    ),
  },
  { ...strict, title: 'ChatTool' },
);

const ResponseFormat = Type.Union(
  [
    Type.Object({ type: Type.Enum(['text', 'json_object'], { type: 'string' }) }, strict),
    Type.Object(
      {
        type: Type.Enum(['json_schema'], { type: 'string' }),
        json_schema: Type.Object(
          {
            name: Name,
            description: Type.Optional(Text),
            schema: Type.Optional(Type.Unsafe<object>({ type: 'object' })),
            strict: optional(Type.Boolean(), 'True where the answer must fit the schema'),
          },
          strict,
        ),
      },
      strict,
    ),
  ],
  { title: 'ChatResponseFormat' },
);

const ToolChoice = Type.Union(
  [
    Type.Enum(['none', 'auto', 'required'], { type: 'string' }),
    Type.Object(
      { type: Type.Enum(['function'], { type: 'string' }), function: Type.Object({ name: Name }, strict) },
      strict,
    ),
  ],
  { title: 'ChatToolChoice' },
);

/** Options for choosing a provider. */
export const ChatRouting = Type.Object(
  {
    policy: Type.Optional(Type.Enum([...routePolicies], { type: 'string', description: '`balanced` without it' })),
    providers: Type.Optional(Type.Array(Text, { minItems: 1, maxItems: 32, description: 'Only these, by id' })),
    exclude: Type.Optional(Type.Array(Text, { maxItems: 32, description: 'None of these, by id' })),
    max_cost_usd: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1_000_000, description: 'Most that a call may be quoted at' }),
    ),
    fallback: Type.Optional(
      Type.Boolean({ description: 'True where another provider is called after the first fails; true without it' }),
    ),
  },
  { title: 'ChatRouting', ...strict, description: 'Options for choosing a provider' },
);

export const Caching = Type.Object(
  { ttl_seconds: Type.Integer({ minimum: 1, maximum: 86_400 }) },
  {
    title: 'ChatCaching',
    ...strict,
    description: 'The same request of the same owner gets the same answer for so long, at no cost',
  },
);

const TokenCount = Type.Integer({ minimum: 1, maximum: 1_000_000 });
const Penalty = Type.Number({ minimum: -2, maximum: 2 });
const ignored = Type.Optional(Type.Unknown({ description: 'Taken, and not used' }));

/**
 * Body of a chat completion. A parameter that cannot change the answer is accepted; one that would is in the schema
 * only with its neutral value.
 */
export const ChatBody = Type.Object(
  {
    messages: Type.Array(Message, { minItems: 1, maxItems: 2_048 }),
    model: optional(
      Type.String({ minLength: 1, maxLength: 300 }),
      '`auto` or nothing for whichever suits; else a model of the catalogue, or `provider/model`',
    ),
    stream: optional(Type.Boolean(), 'True for an answer piece by piece, as server-sent events'),
    stream_options: optional(
      Type.Object(
        { include_usage: Type.Optional(Type.Boolean()), include_obfuscation: Type.Optional(Type.Boolean()) },
        strict,
      ),
      'With `include_usage` the last chunk has the tokens',
    ),
    tools: optional(Type.Array(Tool, { maxItems: 128 }), 'Tools that the model may request calls of'),
    tool_choice: optional(ToolChoice, 'Says whether the model must call a tool'),
    parallel_tool_calls: optional(Type.Boolean(), 'True where it may request several calls at once'),
    response_format: optional(ResponseFormat, 'Required form of the text'),
    max_completion_tokens: optional(TokenCount, 'Most tokens of the answer'),
    max_tokens: optional(TokenCount, 'The older name of `max_completion_tokens`'),
    temperature: optional(Type.Number({ minimum: 0, maximum: 2 }), 'Share of chance in the answer'),
    top_p: optional(Type.Number({ minimum: 0, maximum: 1 }), 'Share of the likeliest tokens that are considered'),
    presence_penalty: optional(Penalty, 'Against what was said already'),
    frequency_penalty: optional(Penalty, 'Against what was said often'),
    seed: optional(
      Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
      'For answers that can be repeated, where the provider can',
    ),
    stop: optional(
      Type.Union([Text, Type.Array(Text, { minItems: 1, maxItems: 4 })]),
      'Texts before which the answer ends',
    ),
    reasoning_effort: optional(Type.String({ maxLength: 20 }), 'Effort of a model that reasons'),
    verbosity: optional(
      Type.Enum(['low', 'medium', 'high'], { type: 'string' }),
      'Length of the answer; passed on to the provider',
    ),
    user: optional(Type.String({ maxLength: 512 }), 'Your own name of the end user; the provider gets it'),
    n: optional(Type.Literal(1), 'One answer; several are not made'),
    logprobs: optional(Type.Literal(false), 'Not available'),
    top_logprobs: optional(Type.Literal(0), 'Not available'),
    logit_bias: optional(Type.Object({}, strict), 'Not taken'),
    modalities: optional(Type.Array(Type.Literal('text'), { maxItems: 1 }), 'Text alone'),
    audio: Type.Optional(Type.Null({ description: 'Text alone' })),
    moderation: Type.Optional(Type.Null({ description: 'Not made' })),
    web_search_options: Type.Optional(Type.Null({ description: 'Not made' })),
    metadata: ignored,
    store: ignored,
    service_tier: ignored,
    safety_identifier: ignored,
    prompt_cache_key: ignored,
    prompt_cache_retention: ignored,
    prompt_cache_options: ignored,
    prediction: ignored,
    routing: Type.Optional(ChatRouting),
    cache: Type.Optional(Caching),
  },
  {
    ...strict,
    $id: 'ChatCompletionRequest',
    description: 'A request of OpenAI’s chat completions, with `routing` and `cache`',
  },
);
export type ChatBody = Static<typeof ChatBody>;
