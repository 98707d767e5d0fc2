import Type, { type Static } from 'typebox';
import { mediaCapabilities } from '#queues/providers.ts';
import { omissible } from './left-out.ts';

const strict = { additionalProperties: false };

/** Protocols of providers. */
export const providerStyles = ['local-animatic', 'openai-compatible', 'replicate-style', 'fal-style'] as const;

const Price = Type.Object(
  {
    /** Dollars for each call. */
    perCall: Type.Optional(Type.Number({ minimum: 0 })),
    /** Dollars for each second of film or sound. */
    perSecond: Type.Optional(Type.Number({ minimum: 0 })),
    /** Dollars for each picture. */
    perImage: Type.Optional(Type.Number({ minimum: 0 })),
    /** Dollars for 1,000 characters of text. */
    perThousandCharacters: Type.Optional(Type.Number({ minimum: 0 })),
    /** Dollars for a million tokens, in and out. */
    perMillionInput: Type.Optional(Type.Number({ minimum: 0 })),
    /**
     * Price of input tokens that the provider had read before (prompt caching); without it they cost `perMillionInput`.
     */
    perMillionCachedInput: Type.Optional(Type.Number({ minimum: 0 })),
    perMillionOutput: Type.Optional(Type.Number({ minimum: 0 })),
  },
  strict,
);

/** The words of a request that a model may know by another name. */
const requestWords = [
  'prompt',
  'aspect',
  'seconds',
  'resolution',
  'voice',
  'language',
  'count',
  'image',
  'images',
  'video',
  'audio',
  'narration',
  'music',
  'mask',
] as const;
export type RequestWord = (typeof requestWords)[number];

const FieldName = Type.Union([Type.String({ minLength: 1, maxLength: 80 }), Type.Null()]);
const fieldNames = Object.fromEntries(requestWords.map((word) => [word, FieldName])) as Record<
  RequestWord,
  typeof FieldName
>;

const Offered = Type.Object(
  {
    /** The provider's name of the model, or the path of its endpoint. */
    model: Type.String({ minLength: 1, maxLength: 200 }),
    price: Price,
    /** Seconds that a usual call takes: a fixed part, and one for each second of film or sound. */
    latency: Type.Object(
      { base: Type.Number({ minimum: 0 }), perSecond: Type.Optional(Type.Number({ minimum: 0 })) },
      strict,
    ),
    /** 0 to 1, in the operator's judgement. */
    quality: Type.Number({ minimum: 0, maximum: 1 }),
    limits: Type.Optional(
      Type.Object(
        {
          /** Longest film or sound, in seconds. */
          seconds: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
          /** Longest text. */
          characters: Type.Optional(Type.Integer({ minimum: 1 })),
        },
        strict,
      ),
    ),
    /** Parameters that every call of it carries; a caller's own options do not change them. */
    parameters: Type.Optional(Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object' })),
    /**
     * Parameters of a turn of text that the model does not know: they are left out of calls, and the answer says so.
     */
    ignores: Type.Optional(Type.Array(Type.Enum([...omissible], { type: 'string' }), { uniqueItems: true })),
    /**
     * Names of our words at the model, where they differ from the usual ones of its style; null for a word it does not
     * take.
     */
    fields: Type.Optional(Type.Partial(Type.Object(fieldNames, strict))),
  },
  strict,
);

/** A provider as the catalogue has it. */
export const Provider = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z][a-z0-9-]{0,39}$' }),
    title: Type.String({ minLength: 1, maxLength: 80 }),
    style: Type.Enum([...providerStyles], { type: 'string' }),
    /** Base address; none for what runs here. */
    url: Type.Optional(Type.String({ maxLength: 500 })),
    /** Name of the environment variable that holds its key. */
    credential: Type.Optional(Type.String({ pattern: '^[A-Z][A-Z0-9_]{0,79}$' })),
    /** Name of the environment variable that holds the secret (`whsec_…`) its webhooks are signed with. */
    webhookSecret: Type.Optional(Type.String({ pattern: '^[A-Z][A-Z0-9_]{0,79}$' })),
    capabilities: Type.Partial(
      Type.Object(
        Object.fromEntries(mediaCapabilities.map((name) => [name, Offered])) as Record<
          (typeof mediaCapabilities)[number],
          typeof Offered
        >,
      ),
      strict,
    ),
    /** Calls at once, over all processes. */
    concurrency: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
    /** Calls begun in a minute, over all processes. */
    perMinute: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    /** Statuses after which, before any output, it bills nothing; 429 and 503 where it is not said. */
    unbilledStatuses: Type.Optional(
      Type.Array(Type.Union([Type.Literal(408), Type.Literal(429), Type.Integer({ minimum: 500, maximum: 599 })]), {
        maxItems: 100,
      }),
    ),
    /** True where it does one thing once for one Idempotency-Key. */
    idempotent: Type.Optional(Type.Boolean()),
    timeoutSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 900 })),
  },
  strict,
);
export type Provider = Static<typeof Provider>;
export type Offered = Static<typeof Offered>;
export type ProviderStyle = (typeof providerStyles)[number];
export type Price = Static<typeof Price>;

/** Longest time that a call of a provider may take, from the request to the last byte of what was made. */
export function callTimeoutMs({ timeoutSeconds = 300 }: Pick<Provider, 'timeoutSeconds'>): number {
  return timeoutSeconds * 1_000;
}
