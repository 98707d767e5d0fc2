import { numberLeaves } from './check-answer.ts';
import type { Citation, WrittenAnswer } from './oracle-schema.ts';
import type { OracleTool, ToolResult } from './tool.ts';

/** Figures said of a result whose tool names none: more than that is a table, not an answer. */
const MAX_FACTS = 4;

/**
 * An answer in plain sentences, every number of which is followed by `[n]` and stands in the citations with the field it
 * comes from. It says figures and where they stand; it draws no conclusions, and repeats nothing of the question. Passes
 * {@link checkAnswer} with its own citations.
 *
 * @param results in the order of their calls; a call that failed is left out
 */
export function writeAnswer(results: readonly ToolResult[], tools: readonly OracleTool[]): WrittenAnswer {
  const citations: Citation[] = [];
  const sentences = results.map((result, call) => {
    const tool = tools.find(({ name }) => name === result.tool);
    const facts = chooseFacts(result.result, tool?.facts ?? []);
    const who = subjectOf(result);
    const label = words(result.tool);
    if (facts.length === 0) return `${who}: ${label} gives no figure.`;
    const parts = facts.map(({ path, value }) => {
      const n = citations.length + 1;
      citations.push({ n, tool: result.tool, call, path, value });
      return `${words(path)} ${formatNumber(value)} [${n}]`;
    });
    return `${who}, ${label}: ${parts.join(', ')}.`;
  });
  if (sentences.length === 0) return { text: 'None of the analyses gave a result.', citations };
  return { text: sentences.join(' '), citations };
}

function chooseFacts(result: unknown, preferred: readonly string[]) {
  // Rows of a table and figures whose names carry digits cannot be said in a sentence.
  const leaves = numberLeaves(result).filter(({ path }) => !/(?:^|\.)\d+(?:\.|$)/.test(path));
  const first = preferred.map((path) => leaves.find((leaf) => leaf.path === path)).filter((leaf) => leaf !== undefined);
  if (first.length > 0) return first;
  const named = leaves.length > 0 ? leaves : numberLeaves(result);
  return named.slice(0, MAX_FACTS);
}

function subjectOf({ arguments: given }: ToolResult): string {
  if (typeof given['symbol'] === 'string') return given['symbol'];
  return Array.isArray(given['symbols']) ? given['symbols'].join(' and ') : 'The market';
}

/** A path or name in words without digits, for a digit there would be a number without a source. */
function words(path: string): string {
  return path
    .replaceAll(/[._]/g, ' ')
    .replaceAll(/\d+\w*/g, '')
    .replaceAll(/ +/g, ' ')
    .trim();
}

/** Four significant digits, large ones in millions, billions or trillions. */
export function formatNumber(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e6) {
    const [scale, name] = size >= 1e12 ? [1e12, 'trillion'] : size >= 1e9 ? [1e9, 'billion'] : [1e6, 'million'];
    return `${plain(value / scale)} ${name}`;
  }
  return plain(value);
}

function plain(value: number): string {
  if (value === 0) return '0';
  const digits = Math.max(0, 3 - Math.floor(Math.log10(Math.abs(value))));
  if (digits > 20 || Math.abs(value) >= 1e15) return value.toExponential(3);
  return value.toFixed(digits);
}
