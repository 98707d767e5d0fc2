import Type, { type Static } from 'typebox';
import type { Amounts } from '#src/providers/routing/quote.ts';
import type { TextUsage } from './text.ts';

const nullable = <T extends Type.TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));

/** No model reads or writes so many in one turn; what is above them is no count. */
const MOST_TOKENS = 1_000_000_000;
const Tokens = Type.Integer({ minimum: 0, maximum: MOST_TOKENS });
const Cached = nullable(Type.Object({ cached_tokens: nullable(Tokens) }));

/** The tokens of chat completions. */
export const Usage = Type.Object({
  prompt_tokens: Tokens,
  completion_tokens: Tokens,
  prompt_tokens_details: Cached,
  completion_tokens_details: nullable(Type.Object({ reasoning_tokens: nullable(Tokens) })),
});

/** The tokens of pictures, transcripts and responses, which OpenAI names otherwise. */
export const InputOutputUsage = Type.Object({
  input_tokens: Tokens,
  output_tokens: Tokens,
  input_tokens_details: Cached,
});

/** Tokens as every part of this service names them. */
export function usageOf(usage: Static<typeof Usage>): TextUsage {
  const cached = usage.prompt_tokens_details?.cached_tokens;
  const reasoning = usage.completion_tokens_details?.reasoning_tokens;
  return {
    inputTokens: usage.prompt_tokens,
    outputTokens: usage.completion_tokens,
    ...(typeof cached === 'number' && { cachedTokens: cached }),
    ...(typeof reasoning === 'number' && { reasoningTokens: reasoning }),
  };
}

/** The amounts of a call by the tokens that its provider says it took; those it had read before are among its input. */
export function tokensUsed(usage: Static<typeof Usage> | Static<typeof InputOutputUsage>) {
  const {
    inputTokens,
    outputTokens,
    cachedTokens = 0,
  } = 'prompt_tokens' in usage ? usageOf(usage) : usageOf(renamed(usage));
  return { inputTokens, outputTokens, cachedInputTokens: cachedTokens } satisfies Partial<Amounts>;
}

function renamed({ input_tokens, output_tokens, input_tokens_details }: Static<typeof InputOutputUsage>) {
  return {
    prompt_tokens: input_tokens,
    completion_tokens: output_tokens,
    ...(input_tokens_details && { prompt_tokens_details: input_tokens_details }),
  };
}
