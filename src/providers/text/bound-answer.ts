import type { ReportedUsage, TextDelta } from './text.ts';

/**
 * Characters of one token at most. The longest tokens of the vocabularies in use (cl100k, o200k and what comes of them)
 * are runs of 128 spaces, so that no answer which keeps to its bound is cut off, whatever it says.
 */
const CHARACTERS_PER_TOKEN = 128;
/** Tokens that are no text: the ends of a turn and of its calls, and a count that goes one beyond its bound. */
const SPARE_TOKENS = 64;

export interface AnswerBounds {
  /** Most tokens that the request allows. */
  readonly maxTokens: number;
  /** Most tokens that the request can have. */
  readonly maxInputTokens: number;
  /** Reports output beyond the bound. */
  readonly doubt: (what: string, facts: Readonly<Record<string, number>>) => void;
}

/**
 * Limits an answer to what is plausible. A text that no number of tokens below the bound can make is cut off, and ends
 * with `length`. A count of tokens that neither the bound nor the text can explain is left out: a token has at least one
 * byte, a text at least one token, and hidden tokens (reasoning) are within the bound.
 */
export async function* boundAnswer(
  deltas: AsyncIterable<readonly TextDelta[]>,
  { maxTokens, maxInputTokens, doubt }: AnswerBounds,
): AsyncGenerator<readonly TextDelta[], void> {
  const most = maxTokens * CHARACTERS_PER_TOKEN;
  let characters = 0;
  let bytes = 0;
  for await (const given of deltas) {
    const passed: TextDelta[] = [];
    for (const delta of given) {
      if (delta.kind === 'usage') {
        const maxOutputTokens = Math.max(maxTokens, bytes) + SPARE_TOKENS;
        const usage = plausible(delta.usage, maxInputTokens, bytes > 0 ? 1 : 0, maxOutputTokens);
        if (Object.keys(usage).length < Object.keys(delta.usage).length)
          doubt('reports tokens that there cannot be', { ...delta.usage, maxTokens, bytes });
        if (Object.keys(usage).length > 0) passed.push({ kind: 'usage', usage });
        continue;
      }
      const text = textOf(delta);
      if (characters + text.length > most) {
        doubt('wrote more than the request allows, and was cut off', { maxTokens, characters: most });
        const rest = shortened(delta, most - characters);
        yield [...passed, ...(rest ? [rest] : []), { kind: 'finish', reason: 'length' }];
        return;
      }
      characters += text.length;
      bytes += Buffer.byteLength(text);
      passed.push(delta);
    }
    if (passed.length > 0) yield passed;
  }
}

function plausible(
  { inputTokens = -1, outputTokens = -1, cachedTokens, reasoningTokens }: ReportedUsage,
  maxInput: number,
  minOutput: number,
  maxOutput: number,
): ReportedUsage {
  const isInput = inputTokens >= 0 && inputTokens <= maxInput;
  const isOutput = outputTokens >= minOutput && outputTokens <= maxOutput;
  return {
    ...(isInput && { inputTokens, ...(cachedTokens !== undefined && { cachedTokens }) }),
    ...(isOutput && { outputTokens, ...(reasoningTokens !== undefined && { reasoningTokens }) }),
  };
}

/** All that was written for a piece. */
function textOf(delta: Exclude<TextDelta, { kind: 'usage' }>): string {
  if (delta.kind === 'finish') return '';
  return delta.kind === 'tool' ? `${delta.id ?? ''}${delta.name ?? ''}${delta.arguments}` : delta.text;
}

/** The beginning of a text; a call in the middle of its arguments is none, so nothing of those. */
function shortened(delta: TextDelta, length: number): TextDelta | null {
  if (length <= 0 || (delta.kind !== 'text' && delta.kind !== 'refusal')) return null;
  return { ...delta, text: delta.text.slice(0, length).toWellFormed() };
}
