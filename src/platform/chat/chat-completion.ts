import Type from 'typebox';
import { JobLink } from '#src/platform/edge/job-link.ts';

const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const Count = Type.Integer({ minimum: 0 });

const ToolCall = Type.Object(
  {
    id: Type.String(),
    type: Type.Literal('function'),
    function: Type.Object({
      name: Type.String(),
      arguments: Type.String({ description: 'JSON as the model wrote it, unchecked' }),
    }),
  },
  { title: 'ChatToolCall' },
);

const Usage = Type.Object(
  {
    prompt_tokens: Count,
    completion_tokens: Count,
    total_tokens: Count,
    prompt_tokens_details: Type.Optional(Type.Object({ cached_tokens: Count })),
    completion_tokens_details: Type.Optional(Type.Object({ reasoning_tokens: Count })),
  },
  { title: 'ChatUsage' },
);

/** Names the work that an answer came from, beside what clients of OpenAI's kind read. */
const members = {
  job: JobLink,
  run: Type.Object({
    id: Type.String(),
    provider: Type.String(),
    model: Type.String(),
    cost_usd: nullable(Type.Number()),
    latency_ms: Count,
  }),
  audit_receipt: Type.Null({ description: 'A turn of text leaves no receipt' }),
};

export const ChatCompletion = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('chat.completion'),
    created: Type.Integer({ description: 'Seconds since 1970' }),
    model: Type.String(),
    choices: Type.Array(
      Type.Object({
        index: Count,
        message: Type.Object({
          role: Type.Literal('assistant'),
          content: nullable(Type.String()),
          refusal: nullable(Type.String()),
          tool_calls: Type.Optional(Type.Array(ToolCall)),
        }),
        logprobs: Type.Null(),
        finish_reason: Type.Enum(['stop', 'length', 'tool_calls', 'content_filter'], { type: 'string' }),
      }),
    ),
    usage: Type.Optional(Usage),
    ...members,
  },
  { $id: 'ChatCompletion', description: 'A whole answer' },
);

export const ChatCompletionChunk = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('chat.completion.chunk'),
    created: Type.Integer(),
    model: Type.String(),
    choices: Type.Array(Type.Unsafe<object>({ type: 'object' }), {
      description: 'One, with the `delta`; none in the chunk that has the usage',
    }),
    usage: Type.Optional(nullable(Usage)),
    ...Type.Partial(Type.Object(members)).properties,
  },
  { $id: 'ChatCompletionChunk', description: 'The data of one event; the last one has `job` and `run` too' },
);
