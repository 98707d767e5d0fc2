import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { readBounded } from './read-bounded.ts';

const MAX_BYTES = 1_048_576;
/** Calls of one answer; more are no plan. */
const MAX_TOOL_CALLS = 128;

/** A service that speaks OpenAI's chat completions. */
export interface ChatEndpoint {
  /** Base address, such as `https://api.example.com/v1`. */
  readonly url: string;
  readonly model: string;
  /** Bearer key; without one no key is sent. Never logged, and in no outcome. */
  readonly key?: string | undefined;
}

const ToolCall = Type.Object({
  id: Type.String(),
  function: Type.Object({ name: Type.String(), arguments: Type.String() }),
});
/** A tool the model wants called; its arguments are JSON as the model wrote it, unchecked. */
export type ChatToolCall = Static<typeof ToolCall>;

export type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string | null; readonly toolCalls?: readonly ChatToolCall[] }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: string };

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly { readonly name: string; readonly description: string; readonly parameters: object }[];
  /** `none` where the model has to write now. */
  readonly toolChoice: 'auto' | 'none';
  readonly maxTokens: number;
  /** From the call to the last byte of the answer. */
  readonly timeoutMs: number;
}

/**
 * Why there is no answer. `busy`: 429. `refused`: another 4xx, or a redirect, which is not followed as it would carry the
 * key elsewhere. `failed`: 5xx. `unreadable`: not the JSON of a completion, larger than 1 MiB, or cut off.
 */
export type ChatFailure = 'unreachable' | 'slow' | 'busy' | 'refused' | 'failed' | 'unreadable';

export type ChatOutcome =
  | {
      readonly ok: true;
      readonly content: string | null;
      readonly toolCalls: readonly ChatToolCall[];
      /** Tokens that were paid for, where the service says so. */
      readonly usage: { readonly input: number; readonly output: number } | null;
    }
  | { readonly ok: false; readonly reason: ChatFailure; readonly status: number | null };

const Completion = Compile(
  Type.Object({
    choices: Type.Array(
      Type.Object({
        message: Type.Object({
          content: Type.Optional(Type.Union([Type.String(), Type.Null()])),
          tool_calls: Type.Optional(Type.Union([Type.Array(ToolCall, { maxItems: MAX_TOOL_CALLS }), Type.Null()])),
        }),
        finish_reason: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      }),
      { minItems: 1 },
    ),
    usage: Type.Optional(
      Type.Union([
        Type.Object({ prompt_tokens: Type.Integer({ minimum: 0 }), completion_tokens: Type.Integer({ minimum: 0 }) }),
        Type.Null(),
      ]),
    ),
  }),
);

/**
 * One turn of a conversation, asked once: whoever calls has another way, or asks again. What the service says of a
 * failure is not read, as it may repeat the key.
 *
 * @param signal ends the call; its reason is thrown
 */
export async function completeChat(
  endpoint: ChatEndpoint,
  request: ChatRequest,
  signal: AbortSignal,
): Promise<ChatOutcome> {
  const timeout = AbortSignal.timeout(Math.max(1, Math.floor(request.timeoutMs)));
  const until = AbortSignal.any([timeout, signal]);
  try {
    const response = await fetch(`${endpoint.url.replace(/\/+$/, '')}/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(endpoint.key !== undefined && { authorization: `Bearer ${endpoint.key}` }),
      },
      body: JSON.stringify(bodyOf(endpoint.model, request)),
      redirect: 'manual',
      signal: until,
    });
    if (!response.ok) {
      await response.body?.cancel();
      return { ok: false, reason: failureOf(response.status), status: response.status };
    }
    return readCompletion(await readBounded(response, MAX_BYTES), response.status);
  } catch {
    signal.throwIfAborted();
    // fetch has many errors for one fact; some of them carry headers, so none is passed on
    return { ok: false, reason: timeout.aborted ? 'slow' : 'unreachable', status: null };
  }
}

function bodyOf(model: string, { messages, tools, toolChoice, maxTokens }: ChatRequest) {
  return {
    model,
    messages: messages.map(wireMessage),
    // not max_tokens, which newer models refuse
    max_completion_tokens: maxTokens,
    ...(tools.length > 0 && {
      tools: tools.map((tool) => ({ type: 'function', function: tool })),
      tool_choice: toolChoice,
    }),
  };
}

function wireMessage(message: ChatMessage): object {
  if (message.role === 'tool') {
    return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
  }
  if (message.role !== 'assistant' || message.toolCalls === undefined) return message;
  const { toolCalls, ...rest } = message;
  return { ...rest, tool_calls: toolCalls.map((call) => ({ type: 'function', ...call })) };
}

function failureOf(status: number): ChatFailure {
  if (status === 429) return 'busy';
  return status >= 500 ? 'failed' : 'refused';
}

function readCompletion(text: string | null, status: number): ChatOutcome {
  const value = text === null ? undefined : parsed(text);
  const completion = Completion.Check(value) ? value : undefined;
  const choice = completion?.choices[0];
  // half an answer has another meaning
  const isWhole = choice?.finish_reason !== 'length' && choice?.finish_reason !== 'content_filter';
  if (choice === undefined || !isWhole) return { ok: false, reason: 'unreadable', status };
  const { content = null, tool_calls: calls } = choice.message;
  const toolCalls = (calls ?? []).map(({ id, function: { name, arguments: given } }) => ({
    id,
    function: { name, arguments: given },
  }));
  const used = completion?.usage;
  const usage = used ? { input: used.prompt_tokens, output: used.completion_tokens } : null;
  return { ok: true, content, toolCalls, usage };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
