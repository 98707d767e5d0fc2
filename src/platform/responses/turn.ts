import { type Ending, endedResponse } from '#src/platform/responses/model/ending.ts';
import type { ResponseEvent } from '#src/platform/responses/model/event-types.ts';
import { idOfItem } from '#src/platform/responses/model/ids.ts';
import type { OutputItem } from '#src/platform/responses/model/items.ts';
import { type ResponseObject, responseUsageOf } from '#src/platform/responses/model/response-object.ts';
import type { FinishReason, TextDelta, TextUsage } from '#src/providers/text/text.ts';
import { wholeUsage } from '#src/providers/text/usage.ts';
import type { NewResponseEvent } from './new-event.ts';
import { type OpenItem, openFunctionCall, openMessage } from './open-items.ts';

/** Provider and model that were called, where they are known only at the end. */
export type CalledModel = Partial<Pick<ResponseObject, 'provider' | 'model'>>;

/** One response as it comes to be: every piece gives the events that it makes, numbered without a gap. */
export interface ResponseTurn {
  /** Emits the first events: that the response exists, and its status. */
  readonly begin: () => readonly ResponseEvent[];
  /** Emits that work on it has begun: for a response that began as `queued`. */
  readonly start: () => readonly ResponseEvent[];
  readonly take: (delta: TextDelta) => readonly ResponseEvent[];
  /** The last events. Without an ending of its own it is as the turn's finish says. */
  readonly end: (at: Date, ending?: Ending, by?: CalledModel) => readonly ResponseEvent[];
  /** Returns the response as it is now. */
  readonly response: () => ResponseObject;
}

/**
 * @param first the response as it begins, `queued` or `in_progress`
 * @param from the number of the next event: how many there are already
 */
export function openTurn(first: ResponseObject, from = 0): ResponseTurn {
  const items: OpenItem[] = [];
  const calls = new Map<number, OpenItem>();
  let message: OpenItem | null = null;
  let finish: FinishReason | null = null;
  let usage: TextUsage | null = null;
  let response = first;
  let next = from;

  const numbered = (events: readonly NewResponseEvent[]): readonly ResponseEvent[] =>
    events.map((event) => ({ ...event, sequence_number: next++ }));
  const place = (type: OutputItem['type']) => ({
    index: first.output.length + items.length,
    id: idOfItem(first.job, type, 'output', first.output.length + items.length),
  });
  const add = (item: OpenItem) => {
    items.push(item);
    return item;
  };
  const closeMessage = (): readonly NewResponseEvent[] => {
    const events = message?.close('completed') ?? [];
    message = null;
    return events;
  };
  const say = (kind: 'text' | 'refusal', text: string): readonly NewResponseEvent[] => {
    if (text === '') return [];
    message ??= add(openMessage(place('message')));
    return message.take(kind, text);
  };
  const call = ({
    index,
    id,
    name,
    arguments: text,
  }: Extract<TextDelta, { kind: 'tool' }>): readonly NewResponseEvent[] => {
    const closed = closeMessage();
    const known = calls.get(index);
    if (known) return [...closed, ...known.take('arguments', text)];
    const at = place('function_call');
    const opened = add(openFunctionCall(at, id ?? `call_${at.id.slice('fc_'.length)}`, name ?? ''));
    calls.set(index, opened);
    return [...closed, ...opened.take('arguments', text)];
  };
  const taken = (delta: TextDelta): readonly NewResponseEvent[] => {
    if (delta.kind === 'tool') return call(delta);
    if (delta.kind === 'finish') finish = delta.reason;
    else if (delta.kind === 'usage') usage = wholeUsage(delta.usage);
    else return say(delta.kind, delta.text);
    return [];
  };
  const snapshot = (): ResponseObject => ({
    ...response,
    output: [...first.output, ...items.map((item) => item.shown())],
  });

  return {
    begin: () =>
      numbered([
        { type: 'response.created', response },
        { type: `response.${phase(first)}`, response },
      ]),
    start: () => {
      response = { ...response, status: 'in_progress' };
      return numbered([{ type: 'response.in_progress', response }]);
    },
    take: (delta) => numbered(taken(delta)),
    end: (at, ending = endingOf(finish), by = {}) => {
      const status = ending.status === 'completed' ? 'completed' : 'incomplete';
      const closed = items.flatMap((item) => item.close(status));
      response = endedResponse({ ...snapshot(), ...by, usage: usage && responseUsageOf(usage) }, ending, at);
      return numbered([...closed, { type: eventOf(ending), response }]);
    },
    response: snapshot,
  };
}

const phase = ({ status }: ResponseObject) => (status === 'queued' ? 'queued' : 'in_progress');

/** Maps the provider's last reason to the end of a turn. */
function endingOf(finish: FinishReason | null): Ending {
  if (finish === 'length') return { status: 'incomplete', reason: 'max_output_tokens' };
  if (finish === 'content_filter') return { status: 'incomplete', reason: 'content_filter' };
  if (finish !== null) return { status: 'completed' };
  const message = 'expected the provider to say why its answer ends, got an answer that ends without.';
  return { status: 'failed', error: { code: 'provider_failed', message } };
}

/** Clients know three endings and refuse others: a response that was cancelled is not complete. */
function eventOf({ status }: Ending): 'response.completed' | 'response.incomplete' | 'response.failed' {
  return status === 'cancelled' ? 'response.incomplete' : `response.${status}`;
}
