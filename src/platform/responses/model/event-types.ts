import { type Static, Type } from 'typebox';
import { ContentPart, OutputItem } from './items.ts';
import { ResponseObject } from './response-object.ts';

const oneOf = <T extends string>(...values: T[]) => Type.Enum(values, { type: 'string' });
const Text = Type.String();
const Index = Type.Integer({ minimum: 0 });
const Probabilities = Type.Array(Type.Object({}, { additionalProperties: true }));

const event = <T extends string, P extends Record<string, Type.TSchema>>(type: T | readonly T[], properties: P) =>
  Type.Object({
    type: oneOf(...(typeof type === 'string' ? [type] : type)),
    sequence_number: Type.Integer({ minimum: 0, description: 'Dense, from 0' }),
    ...properties,
  });

const ofItem = { item_id: Text, output_index: Index };
const ofPart = { ...ofItem, content_index: Index };

/** Events of a response: those of its life have it whole, in the form that is given. */
export const eventsAround = <R extends Type.TSchema>(response: R) =>
  Type.Union([
    event(
      [
        'response.created',
        'response.queued',
        'response.in_progress',
        'response.completed',
        'response.incomplete',
        'response.failed',
      ],
      { response },
    ),
    event(['response.output_item.added', 'response.output_item.done'], { output_index: Index, item: OutputItem }),
    event(['response.content_part.added', 'response.content_part.done'], { ...ofPart, part: ContentPart }),
    event('response.output_text.delta', { ...ofPart, delta: Text, logprobs: Probabilities }),
    event('response.output_text.done', { ...ofPart, text: Text, logprobs: Probabilities }),
    event('response.refusal.delta', { ...ofPart, delta: Text }),
    event('response.refusal.done', { ...ofPart, refusal: Text }),
    event('response.function_call_arguments.delta', { ...ofItem, delta: Text }),
    event('response.function_call_arguments.done', { ...ofItem, name: Text, arguments: Text }),
  ]);

/** One event of a response, as it is stored. */
export const ResponseEvent = eventsAround(ResponseObject);
export type ResponseEvent = Static<typeof ResponseEvent>;

const last: ReadonlySet<string> = new Set(['response.completed', 'response.incomplete', 'response.failed']);

/** Checks whether an event is the last of its response. */
export function endsResponse({ type }: Pick<ResponseEvent, 'type'>): boolean {
  return last.has(type);
}
