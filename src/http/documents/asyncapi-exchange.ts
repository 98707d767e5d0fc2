import { type TObject, type TSchema, Type } from 'typebox';
import { ErrorCodeName } from '#src/lib/error-code-schema.ts';
import { plainSchema } from './plain-schema.ts';

/** A socket on which each message of a client is answered, as `/v1/asyncapi.json` describes it. */
export interface ExchangeDescription {
  /** Names it in the document. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly websocket: string;
  /** Messages of a client by their type: what each says beside `id` and `type`, and what a success answers. */
  readonly messages: Readonly<
    Record<
      string,
      { readonly summary: string; readonly said: TObject; readonly status: number; readonly answer: TSchema }
    >
  >;
}

/** Parts of the document, by name. */
export interface DocumentParts {
  readonly channels: Readonly<Record<string, object>>;
  readonly operations: Readonly<Record<string, object>>;
  readonly messages: Readonly<Record<string, object>>;
}

const id = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Number that the client gives its message; the answer has the same',
});

/** The answer to a message that cannot be followed. */
const refusal = Type.Object({
  id: Type.Union([id, Type.Null()], { description: 'Null where the message had none that could be read' }),
  status: Type.Integer({ minimum: 400, maximum: 599, description: 'As an HTTP answer would have it' }),
  body: Type.Object({
    code: ErrorCodeName('The code that programs go by'),
    detail: Type.String({ description: 'The failure in a sentence' }),
    details: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'More for machines' })),
  }),
});

/** The channel of an exchange, an operation for each message of a client, and all messages. */
export function exchangeParts({ name, title, description, websocket, messages }: ExchangeDescription): DocumentParts {
  const refused = `${name}_refused`;
  const channel = `${name}_websocket`;
  const named = Object.entries(messages).map(([type, message]) => ({
    ...message,
    type,
    said: { name: `${name}_${type}`, schema: message.said },
    answered: `${name}_${type}_answer`,
  }));
  const refOf = (message: string) => ({ $ref: `#/channels/${channel}/messages/${message}` });
  const all: Record<string, object> = {
    [refused]: {
      name: refused,
      title: 'refused',
      summary: 'The message could not be followed; the socket stays open',
      payload: plainSchema(refusal),
    },
  };
  for (const { type, summary, said, answered, status, answer } of named) {
    const message = Type.Object({ id, type: Type.Literal(type), ...said.schema.properties });
    all[said.name] = { name: said.name, title: type, summary, payload: plainSchema(message) };
    const reply = Type.Object({ id, status: Type.Literal(status), body: Type.Unsafe<unknown>(plainSchema(answer)) });
    all[answered] = { name: answered, title: `answer to ${type}`, summary: 'Done', payload: plainSchema(reply) };
  }
  return {
    channels: {
      [channel]: {
        address: websocket,
        title,
        description,
        servers: [{ $ref: '#/servers/websocket' }],
        messages: Object.fromEntries(Object.keys(all).map((one) => [one, { $ref: `#/components/messages/${one}` }])),
        bindings: { ws: { method: 'GET', bindingVersion: '0.1.0' } },
      },
    },
    operations: Object.fromEntries(
      named.map(({ type, summary, said, answered }) => [
        `${type}_${channel}`,
        {
          action: 'receive',
          title: type,
          summary,
          channel: { $ref: `#/channels/${channel}` },
          messages: [refOf(said.name)],
          reply: { channel: { $ref: `#/channels/${channel}` }, messages: [refOf(answered), refOf(refused)] },
        },
      ]),
    ),
    messages: all,
  };
}
