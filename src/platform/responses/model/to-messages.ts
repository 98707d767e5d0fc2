import type { TextMessage, TextPart } from '#src/providers/text/text.ts';
import type { ContentPart, NewItem } from './items.ts';
import { wrongInput } from './wrong-input.ts';

/**
 * Converts a conversation into the messages that text providers take: calls follow the message before them, and each
 * output answers a call that precedes it.
 *
 * @param earlier items of the responses that this one continues, oldest first
 * @throws AppError `invalid_request` for an output that answers no call.
 */
export function toMessages(
  instructions: string | null,
  earlier: readonly NewItem[],
  input: readonly NewItem[],
): readonly TextMessage[] {
  const messages: Message[] = instructions === null ? [] : [{ role: 'system', content: instructions }];
  const calls = new Set<string>();
  for (const [index, item] of [...earlier, ...input].entries()) {
    if (item.type === 'function_call') {
      calls.add(item.call_id);
      addCall(messages, item);
      continue;
    }
    if (item.type === 'message') {
      messages.push({ role: item.role, content: contentOf(item.content) });
      continue;
    }
    const { call_id: id, output } = item;
    if (!calls.has(id)) {
      const at = `input[${index - earlier.length}].call_id`;
      throw wrongInput(at, 'the call_id of a function_call before it in this conversation', id);
    }
    messages.push({ role: 'tool', toolCallId: id, content: typeof output === 'string' ? output : contentOf(output) });
  }
  return messages;
}

type Message = { -readonly [K in keyof TextMessage]: TextMessage[K] };

function addCall(
  messages: Message[],
  { call_id: id, name, arguments: args }: Extract<NewItem, { type: 'function_call' }>,
): void {
  const call = { id, name, arguments: args };
  const last = messages.at(-1);
  if (last?.role === 'assistant') last.toolCalls = [...(last.toolCalls ?? []), call];
  else messages.push({ role: 'assistant', content: null, toolCalls: [call] });
}

/** Text alone goes as text: every provider takes that. */
function contentOf(content: readonly ContentPart[]): string | readonly TextPart[] {
  const parts = content.map(partOf);
  const [first] = parts;
  return parts.length === 1 && first?.type === 'text' ? first.text : parts;
}

function partOf(part: ContentPart): TextPart {
  if (part.type === 'input_image') return { type: 'image', url: part.image_url, detail: part.detail };
  return { type: 'text', text: part.type === 'refusal' ? part.refusal : part.text };
}
