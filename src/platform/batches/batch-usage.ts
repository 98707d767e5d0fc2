import type { BatchUsage } from './batch-store.ts';

/** Token counts of text answers, in the words of either API of OpenAI's. */
interface Usage {
  readonly input_tokens?: unknown;
  readonly prompt_tokens?: unknown;
  readonly output_tokens?: unknown;
  readonly completion_tokens?: unknown;
  readonly input_tokens_details?: { readonly cached_tokens?: unknown };
  readonly prompt_tokens_details?: { readonly cached_tokens?: unknown };
  readonly output_tokens_details?: { readonly reasoning_tokens?: unknown };
  readonly completion_tokens_details?: { readonly reasoning_tokens?: unknown };
}

/** The tokens of another answer on top of those before; as it was where the answer says nothing of tokens. */
export function addUsage(sum: BatchUsage | null, answer: object): BatchUsage | null {
  const usage: Usage = 'usage' in answer && isObject(answer.usage) ? answer.usage : {};
  const input = count(usage.input_tokens ?? usage.prompt_tokens);
  const output = count(usage.output_tokens ?? usage.completion_tokens);
  if (input + output === 0) return sum;
  const cached = count((usage.input_tokens_details ?? usage.prompt_tokens_details)?.cached_tokens);
  const thought = count((usage.output_tokens_details ?? usage.completion_tokens_details)?.reasoning_tokens);
  return {
    input_tokens: (sum?.input_tokens ?? 0) + input,
    input_tokens_details: { cached_tokens: (sum?.input_tokens_details.cached_tokens ?? 0) + cached },
    output_tokens: (sum?.output_tokens ?? 0) + output,
    output_tokens_details: { reasoning_tokens: (sum?.output_tokens_details.reasoning_tokens ?? 0) + thought },
    total_tokens: (sum?.total_tokens ?? 0) + input + output,
  };
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const count = (value: unknown): number => (typeof value === 'number' && value >= 0 ? Math.floor(value) : 0);
