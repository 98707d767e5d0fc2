import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { parseJson } from '#src/lib/text/parse-json.ts';
import type { FinishReason, TextDelta, TextMessage, TextPart, TextRequest } from './text.ts';
import { readUsage } from './usage.ts';

const nullable = <T extends Type.TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));

const ToolCall = Type.Object({
  index: Type.Optional(Type.Integer({ minimum: 0, maximum: 127 })),
  id: nullable(Type.String()),
  function: Type.Optional(Type.Object({ name: nullable(Type.String()), arguments: nullable(Type.String()) })),
});

const Said = Type.Object({
  content: nullable(Type.String()),
  refusal: nullable(Type.String()),
  tool_calls: nullable(Type.Array(ToolCall, { maxItems: 128 })),
});

const Piece = Type.Object({
  error: Type.Optional(Type.Unknown()),
  choices: Type.Optional(
    Type.Array(
      Type.Object({
        index: Type.Optional(Type.Integer()),
        /** Delta of a chunk; `message` is that of a whole answer. */
        delta: Type.Optional(Said),
        message: Type.Optional(Said),
        finish_reason: nullable(Type.String()),
      }),
    ),
  ),
  /** Read by itself: an answer is none the worse for counts that are none. */
  usage: Type.Optional(Type.Unknown()),
});
const pieces = Compile(Piece);

/**
 * Checks whether a JSON text of an answer reports an error: the streamed form of a status that is not one of success.
 */
export function isError(text: string): boolean {
  const piece = parseJson(text);
  return pieces.Check(piece) && (piece.error ?? null) !== null;
}

/**
 * Reads the deltas of one JSON text of an answer, in order; `null` where it is not of the protocol or reports an error.
 */
export function readPiece(text: string): readonly TextDelta[] | null {
  const piece = parseJson(text);
  if (!pieces.Check(piece) || (piece.error ?? null) !== null) return null;
  if (piece.choices === undefined && !piece.usage) return null;
  // one turn is requested; a service that sends more of them is read as far as the first
  const choice = piece.choices?.find(({ index = 0 }) => index === 0);
  const said = choice?.delta ?? choice?.message;
  const usage = readUsage(piece.usage);
  return [
    ...(said ? readSaid(said) : []),
    ...(choice?.finish_reason ? [{ kind: 'finish', reason: finishOf(choice.finish_reason) } as const] : []),
    ...(Object.keys(usage).length > 0 ? [{ kind: 'usage', usage } as const] : []),
  ];
}

function readSaid({ content, refusal, tool_calls: calls }: Static<typeof Said>): TextDelta[] {
  return [
    ...(content ? [{ kind: 'text', text: content } as const] : []),
    ...(refusal ? [{ kind: 'refusal', text: refusal } as const] : []),
    ...(calls ?? []).map(
      ({ index, id, function: called }, position): TextDelta => ({
        kind: 'tool',
        index: index ?? position,
        ...(id && { id }),
        ...(called?.name && { name: called.name }),
        arguments: called?.arguments ?? '',
      }),
    ),
  ];
}

/** Maps a reason to ours: reasons beside OpenAI's own words (`end_turn`, `eos`) are ways to stop. */
function finishOf(reason: string): FinishReason {
  if (reason === 'length' || reason === 'content_filter' || reason === 'tool_calls') return reason;
  return reason === 'function_call' ? 'tool_calls' : 'stop';
}

/** A turn as chat completions want it, streamed and with its usage. `maxTokens` is a bound of ours. */
export function wireBody(model: string, request: TextRequest, maxTokens: number): Readonly<Record<string, unknown>> {
  const { tools = [], toolChoice, format } = request;
  return defined({
    model,
    messages: request.messages.map(wireMessage),
    stream: true,
    stream_options: { include_usage: true },
    // not max_tokens, which newer models refuse
    max_completion_tokens: maxTokens,
    tools: tools.length > 0 ? tools.map((tool) => ({ type: 'function', function: tool })) : undefined,
    tool_choice: typeof toolChoice === 'object' ? { type: 'function', function: toolChoice } : toolChoice,
    parallel_tool_calls: request.parallelToolCalls,
    response_format: format && (format.type === 'json_schema' ? schemaFormat(format) : format),
    temperature: request.temperature,
    top_p: request.topP,
    presence_penalty: request.presencePenalty,
    frequency_penalty: request.frequencyPenalty,
    seed: request.seed,
    stop: request.stop,
    reasoning_effort: request.reasoningEffort,
    verbosity: request.verbosity,
    user: request.user,
  });
}

function schemaFormat({ type, ...schema }: Extract<TextRequest['format'], { type: 'json_schema' }>) {
  return { type, json_schema: schema };
}

function wireMessage({ role, content, name, toolCalls, toolCallId }: TextMessage) {
  return defined({
    role,
    content: content === null || typeof content === 'string' ? content : content.map(wirePart),
    name,
    tool_calls: toolCalls?.map((call) => ({
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: call.arguments },
    })),
    tool_call_id: toolCallId,
  });
}

function wirePart(part: TextPart) {
  if (part.type === 'text') return part;
  return { type: 'image_url', image_url: defined({ url: part.url, detail: part.detail }) };
}

function defined(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
