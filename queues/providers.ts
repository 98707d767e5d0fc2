import Type, { type Static } from 'typebox';
import { defineQueue } from './define.ts';

const strict = { additionalProperties: false };
const Id = Type.String({ format: 'uuid' });

/** Capabilities of providers of media and text. */
export const mediaCapabilities = [
  'image.generate',
  'image.edit',
  'image.upscale',
  'video.generate',
  'video.from-image',
  'video.cinematic-shot',
  'video.edit',
  'avatar.talking-head-text',
  'tts.synthesize',
  'audio.transcribe',
  'music.generate',
  'text.generate',
] as const;
export type MediaCapability = (typeof mediaCapabilities)[number];

/** Surfaces that have something made. */
const mediaSurfaces = ['studio', 'missions', 'platform'] as const;
export type MediaSurface = (typeof mediaSurfaces)[number];

/** Width to height of what is shown. */
export const aspects = ['16:9', '9:16', '1:1', '4:5'] as const;
export type Aspect = (typeof aspects)[number];

/** Request for a generation, in words that every provider's adapter translates. */
export const GenerationRequest = Type.Object(
  {
    prompt: Type.String({ minLength: 1, maxLength: 32_000 }),
    title: Type.Optional(Type.String({ maxLength: 140 })),
    aspect: Type.Optional(Type.Enum([...aspects], { type: 'string' })),
    /** Narration and captions, where these are not the prompt; empty for none. */
    script: Type.Optional(Type.String({ maxLength: 32_000 })),
    /** Seconds of film, speech or music. */
    seconds: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 300 })),
    /** True where `seconds` is an estimate that no request named: a film that has a narration is as long as that. */
    isLengthOpen: Type.Optional(Type.Boolean()),
    /** True where no voice was requested: a film shows its words and says none. */
    isSilent: Type.Optional(Type.Boolean()),
    /** Pictures for a film, which lays its words over them: nothing is written into them here. */
    withoutText: Type.Optional(Type.Boolean()),
    /** Height in pixels of the short side: 720 is 1280 × 720 at 16:9. */
    resolution: Type.Optional(Type.Integer({ minimum: 64, maximum: 4_320 })),
    voice: Type.Optional(Type.String({ maxLength: 80 })),
    /** BCP 47. */
    language: Type.Optional(Type.String({ maxLength: 35 })),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: 16 })),
    /** Media type of what is wanted, where the provider has a choice. */
    mediaType: Type.Optional(Type.String({ maxLength: 100 })),
    /** Assets that it starts from, by what they are for. */
    inputs: Type.Optional(
      Type.Object(
        {
          images: Type.Optional(Type.Array(Id, { maxItems: 24 })),
          video: Type.Optional(Id),
          narration: Type.Optional(Id),
          /** Times at which each word of the narration is said. */
          words: Type.Optional(Id),
          music: Type.Optional(Id),
          mask: Type.Optional(Id),
          audio: Type.Optional(Id),
        },
        strict,
      ),
    ),
    /** Options that only one provider understands. */
    options: Type.Optional(Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object' })),
  },
  strict,
);
export type GenerationRequest = Static<typeof GenerationRequest>;

/** Reference to an asset, without its bytes. */
export const AssetRef = Type.Object(
  { id: Id, name: Type.String(), kind: Type.String(), mediaType: Type.String() },
  strict,
);

/** Asks a provider, and the next one where it cannot, to make something; keeps what it made and what it cost. */
export const generate = defineQueue({
  name: 'providers.generate',
  title: 'Have a provider make something',
  payload: Type.Object(
    {
      capability: Type.Enum([...mediaCapabilities], { type: 'string' }),
      request: GenerationRequest,
      /** Provider ids in the order in which they are tried, with what each was quoted at in millionths of a dollar. */
      route: Type.Array(
        Type.Object({ provider: Type.String({ maxLength: 80 }), quoted: Type.Integer({ minimum: 0 }) }, strict),
        {
          minItems: 1,
          maxItems: 16,
        },
      ),
      /** Budgets that it is reserved under before each call. */
      budgets: Type.Array(Type.String({ maxLength: 200 }), { maxItems: 8 }),
      surface: Type.Enum([...mediaSurfaces], { type: 'string' }),
      keyId: Type.Union([Id, Type.Null()]),
      /** Name of the assets within their job. */
      name: Type.String({ maxLength: 80 }),
    },
    strict,
  ),
  result: Type.Object(
    {
      provider: Type.String(),
      assets: Type.Array(AssetRef),
      /** Millionths of a dollar, of every provider that was paid. */
      cost: Type.Integer({ minimum: 0 }),
      /** Providers that were tried before, and why they did not do it. */
      tried: Type.Array(Type.Object({ provider: Type.String(), reason: Type.String() }, strict)),
      /** Text of a provider of text. */
      text: Type.Optional(Type.String()),
      /** Differences from the request, and parts of it that were left out, in sentences. */
      notes: Type.Optional(Type.Array(Type.String())),
    },
    strict,
  ),
  progress: Type.Object({ stage: Type.String(), fraction: Type.Optional(Type.Number()) }, strict),
  attempts: 5,
  backoffMs: 1_000,
  timeoutMs: 15 * 60_000,
});
