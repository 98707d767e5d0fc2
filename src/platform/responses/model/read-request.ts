import { assertSayable } from '#src/platform/text/assert-sayable.ts';
import { readRouting } from '#src/platform/text/read-routing.ts';
import type { TextWork } from '#src/platform/text/text-work.ts';
import type { TextMessage, TextRequest, TextTool } from '#src/providers/text/text.ts';
import type { ResponseRequest, ToolRequest } from './request-body.ts';
import type { Settings } from './response-object.ts';
import { wrongInput } from './wrong-input.ts';

/**
 * Checks a body beyond its schema.
 *
 * @throws AppError `invalid_request`
 */
export function checkRequest(body: ResponseRequest): void {
  const { background, store, tools, tool_choice: choice } = body;
  assertSayable(body);
  if (background && store === false)
    throw wrongInput(
      'store',
      'true with background: a response without a waiting client must be stored to be read',
      false,
    );
  for (const [index, { type, name }] of (tools ?? []).entries()) {
    if (type !== 'function')
      throw wrongInput(`tools[${index}].type`, 'function (tools that run on our side are not offered here)', type);
    if (name === undefined) throw wrongInput(`tools[${index}].name`, 'a name', name);
  }
  if (typeof choice !== 'object' || choice === null) return;
  if (!(tools ?? []).some(({ name }) => name === choice.name))
    throw wrongInput('tool_choice.name', 'the name of one of the tools', choice.name);
}

/** Builds the request to a provider. */
export function textWork(body: ResponseRequest, messages: readonly TextMessage[]): TextWork {
  return {
    request: { messages, ...toolsOf(body), ...boundsOf(body), ...formatOf(body) },
    model: modelOf(body),
    routing: readRouting(body.routing),
  };
}

function modelOf({ model }: ResponseRequest): string | null {
  return model === undefined || model === null || model === '' || model === 'auto' ? null : model;
}

type Part<K extends keyof TextRequest> = Partial<Pick<TextRequest, K>>;

function toolsOf({
  tools,
  tool_choice: choice,
  parallel_tool_calls: parallel,
}: ResponseRequest): Part<'tools' | 'toolChoice' | 'parallelToolCalls'> {
  if (!tools || tools.length === 0) return {};
  return {
    tools: tools.map(toolOf),
    ...(choice && { toolChoice: typeof choice === 'string' ? choice : { name: choice.name } }),
    ...(typeof parallel === 'boolean' && { parallelToolCalls: parallel }),
  };
}

function toolOf({ name = '', description, parameters, strict }: ToolRequest): TextTool {
  return {
    name,
    ...(typeof description === 'string' && { description }),
    ...(parameters && { parameters }),
    ...(typeof strict === 'boolean' && { strict }),
  };
}

function boundsOf(
  body: ResponseRequest,
): Part<
  | 'maxTokens'
  | 'temperature'
  | 'topP'
  | 'presencePenalty'
  | 'frequencyPenalty'
  | 'reasoningEffort'
  | 'verbosity'
  | 'user'
> {
  const { max_output_tokens: maxTokens, temperature, top_p: topP, reasoning, safety_identifier: safety } = body;
  const { presence_penalty: presencePenalty, frequency_penalty: frequencyPenalty } = body;
  const numbers = { maxTokens, temperature, topP, presencePenalty, frequencyPenalty };
  const effort = reasoning?.effort;
  const user = safety ?? body.user;
  const verbosity = body.text?.verbosity;
  return {
    ...Object.fromEntries(Object.entries(numbers).filter(([, value]) => typeof value === 'number')),
    ...(typeof effort === 'string' && { reasoningEffort: effort }),
    // a value that models use by default is not sent
    ...(typeof verbosity === 'string' && verbosity !== 'medium' && { verbosity }),
    ...(typeof user === 'string' && { user }),
  };
}

function formatOf({ text }: ResponseRequest): Part<'format'> {
  const format = text?.format;
  if (!format || format.type === 'text') return {};
  if (format.type === 'json_object') return { format: { type: 'json_object' } };
  const { type, name, schema, strict, description } = format;
  return {
    format: {
      type,
      name,
      schema,
      ...(typeof strict === 'boolean' && { strict }),
      ...(typeof description === 'string' && { description }),
    },
  };
}

/** Lists the request's settings, as the response shows them. */
export function settingsOf(body: ResponseRequest): Settings {
  const { text, reasoning } = body;
  const format = text?.format ?? { type: 'text' };
  return {
    model: modelOf(body) ?? 'auto',
    previous_response_id: body.previous_response_id ?? null,
    instructions: body.instructions ?? null,
    tools: (body.tools ?? []).map(({ name = '', description, parameters, strict }) => ({
      type: 'function',
      name,
      description: description ?? null,
      parameters: parameters ?? null,
      strict: strict ?? null,
    })),
    tool_choice: body.tool_choice ?? 'auto',
    truncation: 'disabled',
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    text: {
      format:
        format.type === 'json_schema'
          ? { ...format, strict: format.strict ?? false, description: format.description ?? null }
          : format,
      verbosity: text?.verbosity ?? 'medium',
    },
    top_p: body.top_p ?? 1,
    presence_penalty: body.presence_penalty ?? 0,
    frequency_penalty: body.frequency_penalty ?? 0,
    top_logprobs: 0,
    temperature: body.temperature ?? 1,
    reasoning: reasoning ? { effort: reasoning.effort ?? null, summary: null } : null,
    user: body.user ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: body.max_tool_calls ?? null,
    store: body.store ?? true,
    background: body.background ?? false,
    service_tier: 'default',
    metadata: body.metadata ?? {},
    safety_identifier: body.safety_identifier ?? null,
    prompt_cache_key: body.prompt_cache_key ?? null,
  };
}
