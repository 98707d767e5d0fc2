import type { ResponseEvent } from '#src/platform/responses/model/event-types.ts';
import type { ContentPart, OutputItem } from '#src/platform/responses/model/items.ts';

/** Rebuilds the output from the events that came before a stream broke off: every item as far as it got. */
export function outputOfEvents(events: readonly ResponseEvent[]): readonly OutputItem[] {
  const items: OutputItem[] = [];
  for (const event of events) {
    if (!('output_index' in event)) continue;
    const at = event.output_index;
    const item = items[at];
    if ('item' in event) items[at] = structuredClone(event.item);
    else if (item?.type === 'function_call') {
      if (event.type === 'response.function_call_arguments.delta') item.arguments += event.delta;
    } else if (item && 'content_index' in event) say(item.content, event);
  }
  return items.map((item) => (item.status === 'in_progress' ? { ...item, status: 'incomplete' } : item));
}

function say(content: ContentPart[], event: Extract<ResponseEvent, { content_index: number }>): void {
  const part = content[event.content_index];
  if ('part' in event) content[event.content_index] = structuredClone(event.part);
  else if (event.type === 'response.output_text.delta' && part?.type === 'output_text') part.text += event.delta;
  else if (event.type === 'response.refusal.delta' && part?.type === 'refusal') part.refusal += event.delta;
}
