import type { ContentPart, FunctionCallItem, MessageItem, OutputItem } from '#src/platform/responses/model/items.ts';
import type { NewResponseEvent } from './new-event.ts';

/** An item of an output that still grows. */
export interface OpenItem {
  /** More of it; the first piece adds the item. */
  readonly take: (kind: 'text' | 'refusal' | 'arguments', piece: string) => readonly NewResponseEvent[];
  /** Nothing more comes; an item that is closed already stays as it is. */
  readonly close: (status: 'completed' | 'incomplete') => readonly NewResponseEvent[];
  readonly shown: () => OutputItem;
}

interface Place {
  readonly id: string;
  readonly index: number;
}

type Said = { kind: 'text' | 'refusal'; text: string };

/** Words of the model: text, or why it refuses; where one follows the other, each is a part of its own. */
export function openMessage({ id, index }: Place): OpenItem {
  const parts: Said[] = [];
  let status: MessageItem['status'] = 'in_progress';
  const shown = (): MessageItem => ({ type: 'message', id, role: 'assistant', status, content: parts.map(partOf) });
  const closePart = (): readonly NewResponseEvent[] => {
    const part = parts.at(-1);
    if (!part) return [];
    const at = { item_id: id, output_index: index, content_index: parts.length - 1 };
    const done: NewResponseEvent =
      part.kind === 'text'
        ? { type: 'response.output_text.done', ...at, text: part.text, logprobs: [] }
        : { type: 'response.refusal.done', ...at, refusal: part.text };
    return [done, { type: 'response.content_part.done', ...at, part: partOf(part) }];
  };
  const openPart = (kind: Said['kind']): readonly NewResponseEvent[] => {
    const added: NewResponseEvent[] =
      parts.length === 0 ? [{ type: 'response.output_item.added', output_index: index, item: shown() }] : [];
    const closed = closePart();
    const part = { kind, text: '' };
    parts.push(part);
    const at = { item_id: id, output_index: index, content_index: parts.length - 1 };
    return [...added, ...closed, { type: 'response.content_part.added', ...at, part: partOf(part) }];
  };
  return {
    take: (kind, piece) => {
      if (kind === 'arguments') return [];
      const opened = parts.at(-1)?.kind === kind ? [] : openPart(kind);
      const part = parts.at(-1);
      if (part) part.text += piece;
      const at = { item_id: id, output_index: index, content_index: parts.length - 1 };
      const delta: NewResponseEvent =
        kind === 'text'
          ? { type: 'response.output_text.delta', ...at, delta: piece, logprobs: [] }
          : { type: 'response.refusal.delta', ...at, delta: piece };
      return [...opened, delta];
    },
    close: (how) => {
      if (status !== 'in_progress') return [];
      const closed = closePart();
      status = how;
      return [...closed, { type: 'response.output_item.done', output_index: index, item: shown() }];
    },
    shown,
  };
}

function partOf({ kind, text }: Said): ContentPart {
  return kind === 'text' ? { type: 'output_text', text, annotations: [], logprobs: [] } : { type: kind, refusal: text };
}

/** A call that the model wants made. */
export function openFunctionCall({ id, index }: Place, callId: string, name: string): OpenItem {
  let text = '';
  let status: FunctionCallItem['status'] = 'in_progress';
  let isAdded = false;
  const at = { item_id: id, output_index: index };
  const shown = (): FunctionCallItem => ({ type: 'function_call', id, call_id: callId, name, arguments: text, status });
  return {
    take: (_kind, piece) => {
      const added: NewResponseEvent[] = isAdded
        ? []
        : [{ type: 'response.output_item.added', output_index: index, item: shown() }];
      isAdded = true;
      text += piece;
      if (piece === '') return added;
      return [...added, { type: 'response.function_call_arguments.delta', ...at, delta: piece }];
    },
    close: (how) => {
      if (status !== 'in_progress') return [];
      status = how;
      return [
        { type: 'response.function_call_arguments.done', ...at, name, arguments: text },
        { type: 'response.output_item.done', output_index: index, item: shown() },
      ];
    },
    shown,
  };
}
