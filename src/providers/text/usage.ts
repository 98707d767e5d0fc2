import type { Amounts } from '#src/providers/routing/quote.ts';
import type { ReportedUsage, TextUsage } from './text.ts';

/** No model reads or writes so many in one turn; what is above them is no count. */
const MOST_TOKENS = 1_000_000_000;
/** A week of sound in seconds; no recording is longer. */
const MOST_SECONDS = 604_800;

/**
 * Reads the tokens that a provider reports, in the words of chat completions (`prompt_tokens`, `completion_tokens`) or
 * in those of pictures, transcripts and responses (`input_tokens`, `output_tokens`). A count that cannot be true is left
 * out, and so taken as not reported: one that is no whole number from 0, an input of nothing, more cached tokens than
 * input, more reasoning than output.
 */
export function readUsage(usage: unknown): ReportedUsage {
  if (!isObject(usage)) return {};
  const input = countOf(usage['prompt_tokens'] ?? usage['input_tokens'], 1, MOST_TOKENS);
  const output = countOf(usage['completion_tokens'] ?? usage['output_tokens'], 0, MOST_TOKENS);
  const read = detailsOf(usage['prompt_tokens_details'] ?? usage['input_tokens_details']);
  const written = detailsOf(usage['completion_tokens_details'] ?? usage['output_tokens_details']);
  const cached = countOf(read['cached_tokens'], 0, input ?? -1);
  const reasoning = countOf(written['reasoning_tokens'], 0, output ?? -1);
  return {
    ...(input !== undefined && { inputTokens: input }),
    ...(output !== undefined && { outputTokens: output }),
    ...(cached !== undefined && { cachedTokens: cached }),
    ...(reasoning !== undefined && { reasoningTokens: reasoning }),
  };
}

/** Usage that callers may be shown: null where input or output is not known. */
export function wholeUsage({ inputTokens, outputTokens, ...details }: ReportedUsage): TextUsage | null {
  return inputTokens === undefined || outputTokens === undefined ? null : { inputTokens, outputTokens, ...details };
}

/**
 * Returns the tokens of a call by what its provider reports; those it had read before are among its input. Where it
 * reports one of input and output alone, the other is the usual amount of such a call; none where it reports neither.
 *
 * @param least fewest tokens that the output has
 */
export function tokensUsed(usage: unknown, usual: Amounts, least = 0): Partial<Amounts> {
  const { inputTokens, outputTokens, cachedTokens = 0 } = readUsage(usage);
  const output = outputTokens !== undefined && outputTokens >= least ? outputTokens : undefined;
  if (inputTokens === undefined && output === undefined) return {};
  return {
    inputTokens: inputTokens ?? usual.inputTokens,
    outputTokens: output ?? usual.outputTokens,
    cachedInputTokens: cachedTokens,
  };
}

/** The length that a provider reports of a recording, in seconds; undefined for what no recording lasts. */
export function secondsUsed(seconds: unknown): number | undefined {
  return typeof seconds === 'number' && seconds > 0 && seconds <= MOST_SECONDS ? seconds : undefined;
}

function countOf(value: unknown, least: number, most: number): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most ? value : undefined;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
const detailsOf = (value: unknown) => (isObject(value) ? value : {});
