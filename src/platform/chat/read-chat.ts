import { AppError } from '#src/lib/errors.ts';
import { assertSayable } from '#src/platform/text/assert-sayable.ts';
import { readRouting } from '#src/platform/text/read-routing.ts';
import type { TextWork } from '#src/platform/text/text-work.ts';
import type { TextMessage, TextPart, TextRequest } from '#src/providers/text/text.ts';
import { isOpenUrl } from '#src/system/outside/outside.ts';
import type { ChatBody, ChatMessage } from './chat-body.ts';

/**
 * Reads from a body what is requested of a provider.
 *
 * @throws AppError `invalid_request` naming the field
 */
export function readChat(body: ChatBody): TextWork {
  assertSayable(body);
  checkTools(body);
  const { model } = body;
  return {
    request: { messages: body.messages.map(readMessage), ...optionsOf(body) },
    model: model === undefined || model === null || model === 'auto' ? null : model,
    routing: readRouting(body.routing),
  };
}

const pictureUrl = 'an https:// address of the open internet or a data:image/ URL';

function checkTools({ tools, tool_choice: choice }: ChatBody): void {
  const names = (tools ?? []).map((tool) => tool.function.name);
  if (choice === 'required' && names.length === 0) throw wrong('body.tools', 'tools to choose from', null);
  if (typeof choice !== 'object' || choice === null || names.includes(choice.function.name)) return;
  throw wrong('body.tool_choice.function.name', 'the name of one of the tools', choice.function.name);
}

function readMessage(message: ChatMessage, index: number): TextMessage {
  const at = `body.messages[${index}]`;
  const { role, content = null, name, tool_calls: calls, tool_call_id: call, refusal } = message;
  const isAssistant = role === 'assistant';
  if (!isAssistant && (calls ?? []).length > 0)
    throw wrong(`${at}.tool_calls`, 'none of a message that is not the assistant’s', calls);
  if (role === 'tool' && call === undefined)
    throw wrong(`${at}.tool_call_id`, 'the id of the call that it answers', null);
  const isEmpty = content === null && (calls ?? []).length === 0 && !refusal;
  if (isEmpty || (content === null && !isAssistant)) throw wrong(`${at}.content`, 'text or parts', null);
  return {
    role,
    content: Array.isArray(content)
      ? content.map((part, n) => readPart(part, role, `${at}.content[${n}]`))
      : (content ?? refusal ?? null),
    ...(name && { name }),
    ...(calls && calls.length > 0 && { toolCalls: calls.map(({ id, function: called }) => ({ id, ...called })) }),
    ...(role === 'tool' && call !== undefined && { toolCallId: call }),
  };
}

type Part = Extract<ChatMessage['content'], unknown[]>[number];

function readPart({ type, text, refusal, image_url: image }: Part, role: string, at: string): TextPart {
  if (type === 'text' && text !== undefined) return { type, text };
  if (type === 'refusal' && refusal !== undefined && role === 'assistant') return { type: 'text', text: refusal };
  if (type === 'image_url' && image !== undefined && role === 'user') {
    if (!image.url.startsWith('data:image/') && !isOpenUrl(image.url))
      throw wrong(`${at}.image_url.url`, pictureUrl, image.url.slice(0, 80));
    return { type: 'image', url: image.url, ...(image.detail && { detail: image.detail }) };
  }
  const may = role === 'user' ? 'a part of type text or image_url, with its content' : 'a part of type text';
  throw wrong(at, may, type);
}

type Options = Omit<TextRequest, 'messages'>;

function optionsOf(body: ChatBody): Options {
  const { tools, tool_choice: choice, response_format: format, stop } = body;
  const options: { readonly [K in keyof Options]: Options[K] | null | undefined } = {
    tools:
      tools &&
      tools.map(({ function: { strict, ...tool } }) => ({ ...tool, ...(typeof strict === 'boolean' && { strict }) })),
    toolChoice: typeof choice === 'object' && choice !== null ? choice.function : choice,
    parallelToolCalls: body.parallel_tool_calls,
    format: format && readFormat(format),
    maxTokens: body.max_completion_tokens ?? body.max_tokens,
    temperature: body.temperature,
    topP: body.top_p,
    presencePenalty: body.presence_penalty,
    frequencyPenalty: body.frequency_penalty,
    seed: body.seed,
    stop: typeof stop === 'string' ? [stop] : stop,
    reasoningEffort: body.reasoning_effort,
    // a value that models use by default is not sent: models that do not know the word take the call then
    verbosity: body.verbosity === 'medium' ? null : body.verbosity,
    user: body.user,
  };
  const present = Object.entries(options).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(present);
}

function readFormat(format: NonNullable<ChatBody['response_format']>): NonNullable<TextRequest['format']> {
  if (format.type !== 'json_schema') return format;
  const { name, description, schema = {}, strict } = format.json_schema;
  return {
    type: 'json_schema',
    name,
    schema,
    ...(description !== undefined && { description }),
    ...(typeof strict === 'boolean' && { strict }),
  };
}

function wrong(field: string, expected: string, got: unknown): AppError {
  return new AppError('invalid_request', `${field}: expected ${expected}, got ${shown(got)}.`, {
    field,
    value: got ?? null,
  });
}

function shown(got: unknown): string {
  return got === null || got === undefined ? 'none or another' : JSON.stringify(got).slice(0, 80);
}
