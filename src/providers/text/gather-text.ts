import type { TextMessageResult } from '#queues/platform.ts';
import type { FinishReason, ReportedUsage, TextDelta, TextToolCall, TextUsage } from '#src/providers/text/text.ts';
import { wholeUsage } from './usage.ts';

/** State of a turn after the pieces that have come. */
export interface GatheredText {
  readonly message: TextMessageResult;
  /** Null while it goes on. */
  readonly finish: FinishReason | null;
  /** Null where the provider has not reported both input and output. */
  readonly usage: TextUsage | null;
  /** Counts that it has reported. */
  readonly reported: ReportedUsage;
  /** Number of all characters written, the arguments of calls included. */
  readonly characters: number;
}

/** Puts a turn together again from its pieces. */
export function gatherText(): { readonly add: (delta: TextDelta) => void; readonly read: () => GatheredText } {
  let content = '';
  let refusal = '';
  let finish: FinishReason | null = null;
  let reported: ReportedUsage = {};
  let characters = 0;
  const calls = new Map<number, TextToolCall>();
  const add = (delta: TextDelta) => {
    if (delta.kind === 'finish') finish = delta.reason;
    else if (delta.kind === 'usage') reported = delta.usage;
    else if (delta.kind === 'tool') {
      const { id, name, arguments: text } = calls.get(delta.index) ?? { id: '', name: '', arguments: '' };
      calls.set(delta.index, {
        id: id || (delta.id ?? ''),
        name: name || (delta.name ?? ''),
        arguments: text + delta.arguments,
      });
      characters += delta.arguments.length;
    } else {
      if (delta.kind === 'text') content += delta.text;
      else refusal += delta.text;
      characters += delta.text.length;
    }
  };
  const read = () => ({
    message: {
      content: content === '' ? null : storable(content),
      refusal: refusal === '' ? null : storable(refusal),
      toolCalls: [...calls]
        .toSorted(([a], [b]) => a - b)
        .map(([, { id, name, arguments: text }]) => ({
          id: storable(id),
          name: storable(name),
          arguments: storable(text),
        })),
    },
    finish,
    usage: wholeUsage(reported),
    reported,
    characters,
  });
  return { add, read };
}

/** Text that Postgres can keep: a model may write anything. */
function storable(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}
