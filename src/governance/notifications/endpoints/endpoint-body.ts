import { type Static, Type } from 'typebox';
import { OptionalText, OptionalTime, Time } from '#src/lib/validation/schema-parts.ts';
import type { EndpointWish } from './change-endpoint.ts';
import type { Endpoint } from './endpoint-row.ts';
import { families, formats, PATTERN } from './event-types.ts';
import { maskedAddress } from './shown-address.ts';

const list = (item: Type.TString, most: number, description: string) =>
  Type.Array(item, { maxItems: most, uniqueItems: true, description });

const eventsWords = 'Types of events wanted; `job.*` for all that begin so, `*` for all';
const familyWords = Object.values(families)
  .map(({ about, types }) => `${about}: ${types.map((type) => `\`${type}\``).join(', ')}`)
  .join('. ');

const fields = {
  url: Type.String({
    minLength: 1,
    maxLength: 2_000,
    description:
      'An https address of the open internet; for `slack`, `discord` and `teams` that of an incoming webhook there; for `mail` an address such as `mailto:ada@example.com`',
  }),
  title: Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: '^[^\\p{C}]+$',
    description: 'Its name, as you find it in lists',
  }),
  format: Type.Enum([...formats], {
    type: 'string',
    description:
      '`raw`: the event as JSON, signed as Standard Webhooks has it. Others: a sentence and a link, as that service takes it',
  }),
  events: Type.Array(Type.String({ maxLength: 100, pattern: PATTERN }), {
    minItems: 1,
    maxItems: 50,
    uniqueItems: true,
    description: eventsWords,
  }),
  queues: list(Type.String({ minLength: 3, maxLength: 100 }), 50, 'Of events of jobs: only those of these queues'),
  groups: list(Type.String({ minLength: 1, maxLength: 200 }), 50, 'Of events of jobs: only those of these groups'),
  symbols: list(
    Type.String({ pattern: '^[A-Z0-9.^-]{1,20}$' }),
    50,
    'Of market signals: only those of these underlyings',
  ),
  every_owner: Type.Boolean({
    description: 'Operators: events of all owners, such as approvals that they may decide; holds while they are one',
  }),
  enabled: Type.Boolean({ description: 'False: no event is noted for it, and nothing is sent' }),
};

const { url, title, events, format, queues, groups, symbols, every_owner, enabled } = fields;

/** An endpoint as a caller makes it. */
export const EndpointBody = Type.Object(
  {
    url,
    title: Type.Optional(title),
    events: {
      ...events,
      description: `${eventsWords}. ${familyWords}`,
      examples: [['job.failed', 'approval.*', 'budget.*']],
    },
    format: Type.Optional(format),
    queues: Type.Optional(queues),
    groups: Type.Optional(groups),
    symbols: Type.Optional(symbols),
    every_owner: Type.Optional(every_owner),
    enabled: Type.Optional(enabled),
  },
  {
    additionalProperties: false,
    description: 'An address that is notified of events',
    examples: [{ url: 'https://example.com/hooks', events: ['job.failed', 'approval.*'], title: 'On-call' }],
  },
);
export type EndpointBody = Static<typeof EndpointBody>;

/** A change of an endpoint: what is left out stays. */
export const EndpointChange = Type.Partial(Type.Object(fields), { additionalProperties: false, minProperties: 1 });
export type EndpointChange = Static<typeof EndpointChange>;

/** An endpoint as its owner sees it; never its secret. */
export const EndpointView = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    ...fields,
    url: Type.String({
      description:
        'Its address. To callers who may not change it, its origin and `…`: the address of a channel is itself the secret',
    }),
    disabled_why: OptionalText('Why it was disabled by itself; null where you did it, or where it is enabled'),
    failing_since: OptionalTime('No message was taken since; null where the newest was'),
    rests_until: OptionalTime(
      'Nothing is sent to it until then: its newest attempts failed, or it asked for the pause with `Retry-After`; null where it does not rest',
    ),
    previous_secret_until: OptionalTime('Messages are signed with the secret before as well until then'),
    made_by: Type.String({ description: 'Key or person who made it' }),
    created_at: Time('When it was made'),
    changed_at: Time('When it was last changed'),
  },
  { $id: 'WebhookEndpoint', title: 'WebhookEndpoint', description: 'An address that is notified of events' },
);
export type EndpointView = Static<typeof EndpointView>;

/** The same with its secret, which is shown once. */
export const EndpointWithSecret = Type.Object(
  {
    ...EndpointView.properties,
    secret: Type.String({ description: 'What messages are signed with; it is not shown again', examples: ['whsec_…'] }),
  },
  { $id: 'WebhookEndpointWithSecret', title: 'WebhookEndpointWithSecret' },
);

/** An endpoint as a caller sees it: its address as it is only where the caller may change it. */
export function endpointView(endpoint: Endpoint, mayChange: boolean): EndpointView {
  const {
    id,
    format: shape,
    everyOwner,
    disabledWhy,
    failingSince,
    notBefore,
    previousUntil,
    madeBy,
    createdAt,
    changedAt,
  } = endpoint;
  return {
    id,
    url: mayChange ? endpoint.url : maskedAddress(endpoint.url),
    title: endpoint.title,
    format: shape,
    events: endpoint.events,
    queues: endpoint.queues,
    groups: endpoint.groups,
    symbols: endpoint.symbols,
    every_owner: everyOwner,
    enabled: endpoint.enabled,
    disabled_why: disabledWhy,
    failing_since: failingSince?.toISOString() ?? null,
    rests_until: notBefore && notBefore > new Date() ? notBefore.toISOString() : null,
    previous_secret_until: previousUntil && previousUntil > new Date() ? previousUntil.toISOString() : null,
    made_by: madeBy,
    created_at: createdAt.toISOString(),
    changed_at: changedAt.toISOString(),
  };
}

/** An endpoint as it is stored, with the defaults of what the body leaves out. */
export function wishOf(body: EndpointBody): EndpointWish {
  const {
    title: name = hostOf(body.url),
    format: shape = 'raw',
    every_owner: everyOwner = false,
    enabled: on = true,
  } = body;
  const { queues: ofQueues = [], groups: ofGroups = [], symbols: ofSymbols = [] } = body;
  return {
    url: body.url,
    title: name,
    format: shape,
    events: body.events,
    queues: ofQueues,
    groups: ofGroups,
    symbols: ofSymbols,
    everyOwner,
    enabled: on,
  };
}

export function changeOf({ every_owner: everyOwner, ...rest }: EndpointChange): Partial<EndpointWish> {
  return { ...rest, ...(everyOwner !== undefined && { everyOwner }) };
}

/** Name of an endpoint without a title of its own. */
function hostOf(address: string): string {
  return (URL.parse(address)?.host || address.replace(/^mailto:/, '')).slice(0, 100);
}
