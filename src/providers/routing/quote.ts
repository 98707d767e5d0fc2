import type { GenerationRequest, MediaCapability } from '#queues/providers.ts';
import { AppError } from '#src/lib/errors.ts';
import type { Offered, Price, Provider } from '#src/providers/catalogue/catalogue.ts';

/** Quantities of a call that can have a price. */
export interface Amounts {
  readonly calls: number;
  readonly images: number;
  readonly seconds: number;
  readonly characters: number;
  readonly inputTokens: number;
  /** Number of input tokens that the provider had read before. */
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
}

/** Quantities that are assumed where a request does not say; docs/providers.md has the same figures. */
export const assumed = {
  /** Seconds of film, of music, and of a recording that is transcribed. */
  filmSeconds: 6,
  musicSeconds: 30,
  recordingSeconds: 60,
  /** Characters of speech per second. */
  charactersPerSecond: 15,
  /** Few, so that there are rather too many tokens. */
  charactersPerToken: 3,
  textOutputTokens: 1_024,
  /** Output tokens of a turn of a conversation; it is also the bound that the provider gets. */
  chatOutputTokens: 4_096,
  /** No service is known that writes faster: what a call can have cost that broke off. */
  mostTokensPerSecond: 1_000,
  /** The most expensive picture that a token-priced model of pictures makes: 1536 × 1024 in high quality. */
  tokensPerImage: 6_240,
} as const;

/** @throws AppError `invalid_request` where the provider does not offer that */
export function offerOf(provider: Provider, capability: MediaCapability): Offered {
  const offered = provider.capabilities[capability];
  if (offered) return offered;
  throw new AppError('invalid_request', `expected a capability that ${provider.id} offers, got ${capability}.`, {
    provider: provider.id,
    capability,
  });
}

/**
 * Quotes a call: its cost in millionths of a dollar (rounded up), and its time.
 *
 * @throws AppError `invalid_request` where the provider does not offer that
 */
export function quote(
  provider: Provider,
  capability: MediaCapability,
  request: GenerationRequest,
): { readonly cost: number; readonly latencyMs: number } {
  const offered = offerOf(provider, capability);
  const { price, latency } = offered;
  const amounts = usualAmounts(offered, capability, request);
  const latencyMs = Math.ceil(tidy((latency.base + (latency.perSecond ?? 0) * amounts.seconds) * 1_000));
  return { cost: costOf(price, amounts), latencyMs };
}

/** Estimates the amounts of a call of an offer before it is made. */
export function usualAmounts(offered: Offered, capability: MediaCapability, request: GenerationRequest): Amounts {
  const usual = amountsOf(capability, request);
  return capability === 'text.generate' ? { ...usual, outputTokens: textTokensOf(offered) } : usual;
}

/** Most tokens that a text may have: the offer's own parameter, or what is assumed. */
export function textTokensOf({ parameters }: Offered): number {
  const bound = parameters?.['max_completion_tokens'];
  return typeof bound === 'number' && bound >= 1 ? Math.floor(bound) : assumed.textOutputTokens;
}

/** Prices the use as far as it is known, by an offer; null where a quantity that has a price is not known. */
export function billedFor(price: Price, used: Partial<Amounts>): number | null {
  const known: Partial<Amounts> = { cachedInputTokens: 0, ...used };
  const unknown = (Object.keys(price) as (keyof Price)[]).some((name) => known[priced[name]] === undefined);
  return unknown ? null : costOf(price, used);
}

const priced = {
  perCall: 'calls',
  perSecond: 'seconds',
  perImage: 'images',
  perThousandCharacters: 'characters',
  perMillionInput: 'inputTokens',
  perMillionCachedInput: 'cachedInputTokens',
  perMillionOutput: 'outputTokens',
} as const satisfies Readonly<Record<keyof Price, keyof Amounts>>;

/** Highest cost of one call in millionths of a dollar, a million dollars: a figure above it is an error. */
export const mostCost = 1_000_000_000_000;

/**
 * Computes the cost of these amounts, in millionths of a dollar, rounded up; at most {@link mostCost}. Cached tokens
 * are part of the input: they cost their own price, and the ordinary one where the offer has none for them.
 */
export function costOf(price: Price, amounts: Partial<Amounts>): number {
  const { calls = 1, images = 0, seconds = 0, characters = 0, inputTokens = 0, outputTokens = 0 } = amounts;
  const cached = Math.min(inputTokens, amounts.cachedInputTokens ?? 0);
  const { perMillionInput = 0, perMillionCachedInput = perMillionInput, perMillionOutput = 0 } = price;
  const dollars =
    (price.perCall ?? 0) * calls +
    (price.perImage ?? 0) * images +
    (price.perSecond ?? 0) * seconds +
    ((price.perThousandCharacters ?? 0) * characters) / 1_000;
  // a dollar for a million tokens is a millionth for each
  const tokens =
    perMillionInput * (inputTokens - cached) + perMillionCachedInput * cached + perMillionOutput * outputTokens;
  return Math.min(mostCost, Math.ceil(tidy(dollars * 1_000_000 + tokens)));
}

/** Without the dust of binary fractions: 0.05 × 6 is 0.3, and not a millionth more. */
const tidy = (value: number): number => Number(value.toFixed(6));

/** Estimates the amounts of a call before it is made. */
export function amountsOf(capability: MediaCapability, request: GenerationRequest): Amounts {
  const characters = Array.from(request.prompt).length;
  const promptTokens = Math.ceil(characters / assumed.charactersPerToken);
  const inputImages = request.inputs?.images?.length ?? 0;
  const images = capability.startsWith('image.') ? (request.count ?? 1) : 0;
  return {
    calls: 1,
    images,
    seconds: secondsOf(capability, request, characters),
    characters,
    inputTokens: promptTokens + inputImages * assumed.tokensPerImage,
    // whether a provider has read any of it before is known when it says so
    cachedInputTokens: 0,
    outputTokens: images > 0 ? images * assumed.tokensPerImage : assumed.textOutputTokens,
  };
}

/** Seconds of film or sound; none for what has no length. */
export function secondsOf(capability: MediaCapability, request: GenerationRequest, characters: number): number {
  if (capability.startsWith('image.') || capability === 'text.generate') return 0;
  if (request.seconds !== undefined) return request.seconds;
  if (capability === 'tts.synthesize' || capability === 'avatar.talking-head-text') {
    return characters / assumed.charactersPerSecond;
  }
  if (capability === 'music.generate') return assumed.musicSeconds;
  return capability === 'audio.transcribe' ? assumed.recordingSeconds : assumed.filmSeconds;
}
