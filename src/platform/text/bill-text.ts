import type { Price } from '#src/providers/catalogue/catalogue.ts';
import { assumed, costOf } from '#src/providers/routing/quote.ts';
import type { GatheredText } from '#src/providers/text/gather-text.ts';
import type { TextRequest } from '#src/providers/text/text.ts';
import { countImages, promptOf } from './route-text.ts';

/** Part of an answer that has come. */
type Came = Pick<GatheredText, 'reported' | 'characters'>;

/** Size of a request's input to a provider. */
export interface TextSize {
  readonly characters: number;
  /** Most tokens that all of it can have: its bytes, its pictures, and what is put around them. */
  readonly mostTokens: number;
  readonly images: number;
}

/** Tokens that templates and services put around a prompt and around each message. */
const SPARE_TOKENS = 4_096;
const SPARE_OF_MESSAGE = 32;
/**
 * Most tokens of a picture: no provider is known to count more than twice what an expensive picture is assumed to take.
 */
const MOST_OF_IMAGE = 2 * assumed.tokensPerImage;

export function sizeOf(request: TextRequest): TextSize {
  const prompt = promptOf(request);
  const images = countImages(request);
  const around = SPARE_TOKENS + request.messages.length * SPARE_OF_MESSAGE;
  return {
    characters: prompt.length,
    mostTokens: Buffer.byteLength(prompt) + around + images * MOST_OF_IMAGE,
    images,
  };
}

/**
 * Computes the cost of a call, in millionths of a dollar: from the tokens that the provider reports, each count that is
 * not plausible from the characters that went and came, and nothing as cached where that is not known. Output beyond the bound that the provider got is not owed
 * then.
 *
 * @param maxTokens most tokens that the provider was to write
 */
export function billOf(price: Price, { characters, images }: TextSize, maxTokens: number, came: Came): number {
  return costOf(price, {
    calls: 1,
    characters,
    inputTokens: came.reported.inputTokens ?? inputOf({ characters, images }),
    cachedInputTokens: came.reported.cachedTokens ?? 0,
    outputTokens: came.reported.outputTokens ?? Math.min(maxTokens, tokens(came.characters)),
  });
}

/**
 * Computes the most that a broken-off call can have cost, in millionths of a dollar: its input, and what a provider can
 * have written in that time, which is no less than what came. A provider is assumed to stop when its answer is no
 * longer read.
 *
 * @param elapsedMs from its request to its end
 */
export function mostOf(price: Price, size: TextSize, maxTokens: number, came: Came, elapsedMs: number): number {
  const written = Math.ceil((elapsedMs / 1_000) * assumed.mostTokensPerSecond);
  const outputTokens = Math.min(maxTokens, Math.max(tokens(came.characters), written));
  return billOf(price, size, maxTokens, {
    ...came,
    reported: { inputTokens: inputOf(size), ...came.reported, outputTokens },
  });
}

const tokens = (characters: number): number => Math.ceil(characters / assumed.charactersPerToken);

function inputOf({ characters, images }: Pick<TextSize, 'characters' | 'images'>): number {
  return tokens(characters) + images * assumed.tokensPerImage;
}
