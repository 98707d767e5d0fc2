import type { Price } from '#src/providers/catalogue/catalogue.ts';
import { assumed, costOf } from '#src/providers/routing/quote.ts';
import type { GatheredText } from '#src/providers/text/gather-text.ts';
import type { TextRequest } from '#src/providers/text/text.ts';
import { countImages, promptOf } from './route-text.ts';

/** What has come of an answer. */
type Came = Pick<GatheredText, 'usage' | 'characters'>;

/** What a request asks a provider to read, in figures. */
export interface TextAsked {
  readonly characters: number;
  /** Most tokens that all of it can have: its bytes, its pictures, and what is put around them. */
  readonly mostTokens: number;
  readonly images: number;
}

/** Of a prompt: what templates and services put around it, and around each message. */
const SPARE_TOKENS = 4_096;
const SPARE_OF_MESSAGE = 32;
/** Nobody is known to take more for a picture than twice what a dear one is taken for. */
const MOST_OF_IMAGE = 2 * assumed.tokensPerImage;

export function askedOf(request: TextRequest): TextAsked {
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
 * What a call costs, in millionths of a dollar: by the tokens that its provider says it took, where that can be true, else
 * by the characters that went and came. What it wrote beyond the bound that it was given is not owed then.
 *
 * @param maxTokens most that it was asked to write
 */
export function billOf(price: Price, { characters, images }: TextAsked, maxTokens: number, came: Came): number {
  return costOf(price, {
    calls: 1,
    characters,
    inputTokens: came.usage?.inputTokens ?? inputOf({ characters, images }),
    cachedInputTokens: came.usage?.cachedTokens ?? 0,
    outputTokens: came.usage?.outputTokens ?? Math.min(maxTokens, tokens(came.characters)),
  });
}

/**
 * The most that a call which broke off can have cost, in millionths of a dollar: what it read, and what a provider can
 * have written in that time, which is no less than what came. One that nobody reads any more is taken to stop.
 *
 * @param elapsedMs from its request to its end
 */
export function mostOf(price: Price, asked: TextAsked, maxTokens: number, came: Came, elapsedMs: number): number {
  const written = Math.ceil((elapsedMs / 1_000) * assumed.mostTokensPerSecond);
  const outputTokens = Math.min(maxTokens, Math.max(tokens(came.characters), written));
  return billOf(price, asked, maxTokens, {
    ...came,
    usage: { inputTokens: inputOf(asked), ...came.usage, outputTokens },
  });
}

const tokens = (characters: number): number => Math.ceil(characters / assumed.charactersPerToken);

function inputOf({ characters, images }: Pick<TextAsked, 'characters' | 'images'>): number {
  return tokens(characters) + images * assumed.tokensPerImage;
}
