import { type Static, Type } from 'typebox';
import type { TextUsage } from '#src/providers/text/text.ts';
import { responseId } from './ids.ts';
import { OutputItem } from './items.ts';

const open = { additionalProperties: true };
const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const oneOf = <T extends string>(...values: T[]) => Type.Enum(values, { type: 'string' });
const Text = Type.String();
const Count = Type.Integer({ minimum: 0 });

const Format = Type.Union(
  [
    Type.Object({ type: oneOf('text') }),
    Type.Object({ type: oneOf('json_object') }),
    Type.Object({
      type: oneOf('json_schema'),
      name: Text,
      schema: nullable(Type.Object({}, open)),
      strict: Type.Boolean(),
      description: nullable(Text),
    }),
  ],
  { title: 'ResponseTextFormatSet' },
);

const Tool = Type.Object(
  {
    type: oneOf('function'),
    name: Text,
    description: nullable(Text),
    parameters: nullable(Type.Object({}, open)),
    strict: nullable(Type.Boolean()),
  },
  { title: 'ResponseToolSet' },
);

/** Settings of the request, as a response shows them; every member is always there. */
export const Settings = Type.Object({
  model: Type.String({ description: 'Model that was called, once it is known; `auto` before' }),
  previous_response_id: nullable(Text),
  instructions: nullable(Text),
  tools: Type.Array(Tool),
  tool_choice: Type.Union([oneOf('auto', 'none', 'required'), Type.Object({ type: oneOf('function'), name: Text })]),
  truncation: oneOf('disabled'),
  parallel_tool_calls: Type.Boolean(),
  text: Type.Object({ format: Format, verbosity: oneOf('low', 'medium', 'high') }),
  top_p: Type.Number(),
  presence_penalty: Type.Number(),
  frequency_penalty: Type.Number(),
  top_logprobs: Type.Integer(),
  temperature: Type.Number(),
  reasoning: nullable(Type.Object({ effort: nullable(Text), summary: Type.Null() })),
  user: nullable(Text),
  max_output_tokens: nullable(Type.Integer()),
  max_tool_calls: nullable(Type.Integer()),
  store: Type.Boolean(),
  background: Type.Boolean(),
  service_tier: oneOf('default'),
  metadata: Type.Record(Text, Text),
  safety_identifier: nullable(Text),
  prompt_cache_key: nullable(Text),
});
export type Settings = Static<typeof Settings>;

const ResponseUsage = Type.Object(
  {
    input_tokens: Count,
    input_tokens_details: Type.Object({ cached_tokens: Count, cache_write_tokens: Count }),
    output_tokens: Count,
    output_tokens_details: Type.Object({ reasoning_tokens: Count }),
    total_tokens: Count,
  },
  { title: 'ResponseUsage' },
);
export type ResponseUsage = Static<typeof ResponseUsage>;

const statuses = ['queued', 'in_progress', 'completed', 'incomplete', 'failed', 'cancelled'] as const;

const ResponseError = Type.Object({ code: Text, message: Text }, { title: 'ResponseFailure' });
export type ResponseError = Static<typeof ResponseError>;

/** A response, with every member that OpenAI's and the Open Responses description ask for. */
export const ResponseObject = Type.Object(
  {
    id: Type.String({ description: '`resp_…`' }),
    object: oneOf('response'),
    created_at: Type.Integer({ description: 'Seconds since 1970' }),
    completed_at: nullable(Type.Integer({ description: 'Seconds since 1970' })),
    status: oneOf(...statuses),
    incomplete_details: nullable(Type.Object({ reason: oneOf('max_output_tokens', 'content_filter') })),
    error: nullable(ResponseError),
    output: Type.Array(OutputItem),
    usage: nullable(ResponseUsage),
    ...Settings.properties,
    access_programs: Type.Null(),
    conversation: Type.Null(),
    provider: nullable(Type.String({ description: 'Provider that was called, once it is known' })),
    job: Type.String({ description: 'Its job, for `/v1/jobs/{id}`' }),
    warnings: Type.Optional(Type.Array(Text, { description: 'Parameters of the request without an effect' })),
  },
  { title: 'ModelResponse' },
);
export type ResponseObject = Static<typeof ResponseObject>;

/** Members of a response that are fixed from its beginning. */
export interface ResponseHead {
  readonly job: string;
  readonly createdAt: Date;
  readonly settings: Settings;
  readonly warnings: readonly string[];
}

/** A response as it begins. */
export function newResponse(
  { job, createdAt, settings, warnings }: ResponseHead,
  status: 'queued' | 'in_progress',
): ResponseObject {
  return {
    id: responseId(job),
    object: 'response',
    created_at: seconds(createdAt),
    completed_at: null,
    status,
    incomplete_details: null,
    error: null,
    output: [],
    usage: null,
    ...settings,
    access_programs: null,
    conversation: null,
    provider: null,
    job,
    ...(warnings.length > 0 && { warnings: [...warnings] }),
  };
}

/** Whole seconds since 1970. */
export function seconds(at: Date): number {
  return Math.floor(at.getTime() / 1_000);
}

/** Converts the tokens of a turn into the words of responses. */
export function responseUsageOf({
  inputTokens,
  outputTokens,
  cachedTokens = 0,
  reasoningTokens = 0,
}: TextUsage): ResponseUsage {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedTokens, cache_write_tokens: 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: inputTokens + outputTokens,
  };
}
