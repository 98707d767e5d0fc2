import type { FastifyInstance } from 'fastify';
import { type TSchema, Type } from 'typebox';
import type { Filtering } from '#src/http/streams/stream-filter.ts';
import { version } from '#src/system/config/version.ts';
import { type ExchangeDescription, exchangeParts } from './asyncapi-exchange.ts';
import { plainSchema } from './plain-schema.ts';

/** One stream, as `/v1/asyncapi.json` describes it: the same messages over SSE and WebSocket. */
export interface StreamDescription {
  /** Names it in the document: `job`, `market`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Paths with their parameters in braces; null where a transport is not offered. */
  readonly sse: string | null;
  readonly websocket: string | null;
  readonly parameters: Readonly<Record<string, string>>;
  /** Event types, each with what its `data` holds. */
  readonly events: Readonly<
    Record<string, { readonly summary: string; readonly data: TSchema; readonly transient?: boolean }>
  >;
  /** For streams of a state, what `snapshot` carries. */
  readonly snapshot?: TSchema;
  /** Filter by which a client can narrow it. */
  readonly filtering?: Filtering;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Adds a stream to `/v1/asyncapi.json`. */
    describeStream: (stream: StreamDescription) => void;
    /** Adds a socket whose messages are answered. */
    describeExchange: (exchange: ExchangeDescription) => void;
  }
}

/** `/v1/asyncapi.json` (AsyncAPI 3). Routes add what they have with `app.describeStream` and `app.describeExchange`. */
export function describeStreams(app: FastifyInstance, publicUrl: string | undefined): void {
  const streams: StreamDescription[] = [];
  const exchanges: ExchangeDescription[] = [];
  app.decorate('describeStream', (stream: StreamDescription) => void streams.push(stream));
  app.decorate('describeExchange', (exchange: ExchangeDescription) => void exchanges.push(exchange));
  app.get('/v1/asyncapi.json', { config: { access: 'public' }, schema: { hide: true } }, async (request, reply) => {
    const document = asyncApi(streams, exchanges, publicUrl ?? `${request.protocol}://${request.host}`);
    return reply.type('application/json').send(JSON.stringify(document));
  });
}

const headers = Type.Object({
  'Last-Event-ID': Type.Optional(
    Type.String({
      description: 'SSE only: id of the last event seen; the query parameter last_event_id does the same everywhere',
    }),
  ),
});

function asyncApi(
  streams: readonly StreamDescription[],
  exchanges: readonly ExchangeDescription[],
  url: string,
): object {
  const { host, protocol } = new URL(url);
  const secure = protocol === 'https:' ? 's' : '';
  const security = ['bearer', 'apiKey'].map((name) => ({ $ref: `#/components/securitySchemes/${name}` }));
  const channels: Record<string, object> = {};
  const operations: Record<string, object> = {};
  const messages: Record<string, object> = {};
  for (const stream of streams) {
    const events = Object.entries(withControl(stream)).map(([type, event]) => {
      const name = `${stream.name}_${type}`;
      messages[name] = message(name, type, event);
      return name;
    });
    const answers = stream.filtering
      ? Object.entries(dialogue).map(([type, event]) => {
          messages[type] = message(type, type, event);
          return type;
        })
      : [];
    const said = `${stream.name}_client`;
    if (stream.filtering) messages[said] = clientMessage(said, stream.filtering);
    for (const [transport, address] of [
      ['sse', stream.sse],
      ['websocket', stream.websocket],
    ] as const) {
      if (address === null) continue;
      const name = `${stream.name}_${transport}`;
      const speaks = transport === 'websocket' && stream.filtering !== undefined;
      const names = speaks ? [...events, ...answers] : events;
      channels[name] = channel(stream, transport, address, speaks ? [...names, said] : names);
      if (speaks)
        operations[`narrow_${name}`] = {
          action: 'receive',
          title: 'Choose events',
          channel: { $ref: `#/channels/${name}` },
          messages: [{ $ref: `#/channels/${name}/messages/${said}` }],
        };
      operations[`follow_${name}`] = {
        action: 'send',
        title: `${stream.title} (${transport})`,
        channel: { $ref: `#/channels/${name}` },
        messages: names.map((one) => ({ $ref: `#/channels/${name}/messages/${one}` })),
      };
    }
  }
  for (const parts of exchanges.map(exchangeParts)) {
    Object.assign(channels, parts.channels);
    Object.assign(operations, parts.operations);
    Object.assign(messages, parts.messages);
  }
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Proofline streams',
      version,
      description:
        'Events as they happen, in order, without gap or repeat, or with an explicit `reset`; and the socket of workers.',
    },
    defaultContentType: 'application/json',
    servers: {
      http: { host, protocol: `http${secure}`, description: 'Server-sent events', security },
      websocket: { host, protocol: `ws${secure}`, description: 'WebSocket', security },
    },
    channels,
    operations,
    components: {
      messages,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        apiKey: { type: 'httpApiKey', in: 'header', name: 'X-API-Key' },
      },
    },
  };
}

function channel(
  { title, description, parameters, filtering }: StreamDescription,
  transport: 'sse' | 'websocket',
  address: string,
  names: readonly string[],
): object {
  const query = Type.Object({
    last_event_id: Type.Optional(
      Type.String({ description: 'Id of the last event seen; the stream goes on behind it' }),
    ),
    ...filtering?.query,
  });
  return {
    address,
    title,
    description: transport === 'websocket' ? `${description}\n\n${closing}` : description,
    servers: [{ $ref: transport === 'sse' ? '#/servers/http' : '#/servers/websocket' }],
    parameters: Object.fromEntries(Object.entries(parameters).map(([name, text]) => [name, { description: text }])),
    messages: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/messages/${name}` }])),
    ...(transport === 'websocket' && {
      bindings: { ws: { method: 'GET', query: plainSchema(query), bindingVersion: '0.1.0' } },
    }),
  };
}

type Events = StreamDescription['events'];

/** Adds the control events that every stream may send. */
function withControl({ events, snapshot }: StreamDescription): Events {
  const reset = Type.Object({
    reason: Type.String({
      description:
        'too_long, epoch, ahead, gap: the history cannot be replayed; slow: this client was too slow and is closed; gone: the subject does not exist any more',
    }),
    snapshot: Type.Optional(
      snapshot ??
        Type.Unsafe<unknown>({ description: 'The state of the whole subject; what was known before is void' }),
    ),
  });
  const revoked = Type.Object({ reason: Type.String({ description: 'revoked or expired' }) });
  return {
    ...(snapshot && {
      snapshot: { summary: 'The state, for a client that comes without a cursor or subscribes', data: snapshot },
      heartbeat: {
        summary: 'Nothing is missing up to its id, which is a cursor even where a filter let nothing through',
        data: Type.Object({}),
      },
    }),
    ...events,
    reset: { summary: 'What the client knows does not fit any more', data: reset },
    revoked: { summary: 'The key is no longer valid; the stream is closed', data: revoked, transient: true },
  };
}

/** Events that answer a client's own messages. */
const dialogue: Events = (() => {
  const data = Type.Object({
    subscription: Type.Record(Type.String(), Type.Array(Type.String()), { description: 'Values wanted, by field' }),
    subscriptions: Type.Integer({ description: 'Number of subscriptions now' }),
  });
  const problem = Type.Object({
    code: Type.String({ description: 'As in the problem details of HTTP answers' }),
    detail: Type.String({ description: 'The expected value and the received one' }),
  });
  return {
    subscribed: { summary: 'Subscribed; a snapshot of all that is now wanted follows', data, transient: true },
    unsubscribed: {
      summary: 'Its events are not sent any more, unless another subscription takes them',
      data,
      transient: true,
    },
    error: {
      summary: 'A message could not be followed, or the stream ends because too much is wanted',
      data: problem,
      transient: true,
    },
  };
})();

const closing =
  'Close codes: 1000 the stream has ended, 1001 this process stops (come back), 1011 failed, 1013 too slow (come back with the cursor), 4401 the key is no longer valid, 4429 too many streams of the key, or subscriptions or messages of the connection; the reason says which.';

function clientMessage(name: string, { message: payload }: Filtering): object {
  return {
    name,
    title: 'subscribe or unsubscribe',
    summary:
      'An event is sent once if it fits any subscription. The query makes the first one; one to everything ends with the first `subscribe`.',
    payload: plainSchema(payload),
  };
}

function message(name: string, type: string, { summary, data, transient }: Events[string]): object {
  const payload = Type.Object({
    ...(transient
      ? {}
      : { id: Type.Optional(Type.String({ description: '`<epoch>.<n>`; what a client gives as last_event_id' })) }),
    type: Type.Literal(type),
    at: Type.String({ format: 'date-time', description: 'When it happened' }),
    data,
  });
  return { name, title: type, summary, headers: plainSchema(headers), payload: plainSchema(payload) };
}
