import { type Static, Type } from 'typebox';

const Text = Type.String();
const open = { additionalProperties: true };

/** A part of a message, as it is stored and shown. */
export const ContentPart = Type.Union(
  [
    Type.Object({ type: Type.Enum(['input_text'], { type: 'string' }), text: Text }),
    Type.Object({
      type: Type.Enum(['input_image'], { type: 'string' }),
      image_url: Text,
      detail: Type.Enum(['auto', 'low', 'high'], { type: 'string' }),
    }),
    Type.Object({
      type: Type.Enum(['output_text'], { type: 'string' }),
      text: Text,
      annotations: Type.Array(Type.Object({}, open)),
      logprobs: Type.Array(Type.Object({}, open)),
    }),
    Type.Object({ type: Type.Enum(['refusal'], { type: 'string' }), refusal: Text }),
  ],
  { title: 'ResponseContentPart' },
);
export type ContentPart = Static<typeof ContentPart>;

const Status = Type.Enum(['in_progress', 'completed', 'incomplete'], { type: 'string' });
const Id = Type.String({ description: '`msg_…`, `fc_…` or `fco_…`' });

export const MessageItem = Type.Object(
  {
    type: Type.Enum(['message'], { type: 'string' }),
    id: Id,
    role: Type.Enum(['user', 'assistant', 'system', 'developer'], { type: 'string' }),
    status: Status,
    content: Type.Array(ContentPart),
  },
  { title: 'ResponseMessageItem' },
);
export type MessageItem = Static<typeof MessageItem>;

export const FunctionCallItem = Type.Object(
  {
    type: Type.Enum(['function_call'], { type: 'string' }),
    id: Id,
    call_id: Type.String({ description: 'Id that its output refers to' }),
    name: Text,
    arguments: Type.String({ description: 'JSON as the model wrote it, unchecked' }),
    status: Status,
  },
  { title: 'ResponseFunctionCall' },
);
export type FunctionCallItem = Static<typeof FunctionCallItem>;

const FunctionCallOutputItem = Type.Object(
  {
    type: Type.Enum(['function_call_output'], { type: 'string' }),
    id: Id,
    call_id: Text,
    output: Type.Union([Text, Type.Array(ContentPart)]),
    status: Status,
  },
  { title: 'ResponseFunctionOutput' },
);

/** An item that a response gives: words, or a call that the model wants made. */
export const OutputItem = Type.Union([MessageItem, FunctionCallItem]);
export type OutputItem = Static<typeof OutputItem>;

/** An item of a conversation, whichever side it came from. */
export const Item = Type.Union([MessageItem, FunctionCallItem, FunctionCallOutputItem]);
export type Item = Static<typeof Item>;

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> & { readonly id?: string } : never;
/** An item before it has its name: those of an input get theirs from the place where they stand. */
export type NewItem = WithoutId<Item>;
