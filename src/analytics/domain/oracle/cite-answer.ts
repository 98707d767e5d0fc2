import { readNumbers, type WrittenNumber } from '#src/analytics/domain/oracle/read/read-numbers.ts';
import { plainText } from '#src/analytics/domain/oracle/read/read-text.ts';
import { type Leaf, matchesLeaf, numberLeaves, textLeaves } from './check-answer.ts';
import type { Citation, Offence, WrittenAnswer } from './oracle-schema.ts';
import type { ToolResult } from './tool.ts';

/** A draft with the source of each number, and the numbers that have none. */
export interface CitedAnswer extends WrittenAnswer {
  readonly offences: readonly Pick<Offence, 'text' | 'reason'>[];
}

/**
 * Amounts in words: they could not be checked, so a model has to write digits. "one" and "zero" are left alone, as in
 * "one of them" and "zero gamma"; before a unit they are offences, too (`readNumbers`).
 */
const AMOUNTS =
  /\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[a-z]+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundreds?|thousands?|millions?|billions?|trillions?|dozens?|twice|thrice|doubl(?:e|es|ed|ing)|tripl(?:e|es|ed|ing)|half|halves|halved)\b/g;
/** Marks that only this function gives, and numbers of a list: both would be numbers without a source. */
const MARKS = /\[\d{1,3}\]/g;
const LIST_NUMBERS = /^\s*\d{1,2}[.)]\s+/gm;
/** A span in a field's name, such as the 1d of expected_move_1d, and how a sentence says it. */
const SPAN = /^(?<count>\d{1,4})(?<unit>d|m|h|y)$/;
const SAID = /^(?<count>\d{1,4})[ -]?(?<unit>d|days?|sessions?|delta|min|minutes?|hours?|years?)\b/;

interface Source extends Leaf {
  readonly call: number;
  readonly tool: string;
  readonly words: readonly string[];
}

/**
 * A free text about results, each of its numbers followed by `[n]` for the field it comes from: the one of the same value
 * as written (as in `checkAnswer`) whose name has most words in the sentence, and of those the nearest. Arguments of calls are
 * no sources: the writer of the text chose them.
 *
 * @param times what dates and times of the text may be beside those in the results
 */
export function citeAnswer(draft: string, results: readonly ToolResult[], times: readonly string[]): CitedAnswer {
  // a space in its place: the characters around a mark must not become one
  const text = plainText(plainText(draft.replaceAll(LIST_NUMBERS, '')).replaceAll(MARKS, ' '));
  const read = readNumbers(text);
  // letters that change their length with their case would put every mark in a wrong place
  if (read.text !== text.toLowerCase()) return { text, citations: [], offences: [{ text: '', reason: 'unreadable' }] };
  const sources = results.flatMap((result, call) => sourcesOf(result, call));
  const spans = spansOf(results);
  const said = [...times, ...results.flatMap(({ result }) => textLeaves(result))].map((one) => one.toLowerCase());
  const amounts = [...read.left.matchAll(AMOUNTS)].map(([amount]) => ({ text: amount }));
  const offences: Pick<Offence, 'text' | 'reason'>[] = [
    ...[...read.unreadable, ...amounts].map((item) => ({ text: item.text, reason: 'unreadable' as const })),
    ...read.dates
      .filter((date) => !said.some((one) => one.includes(date.text)))
      .map((date) => ({ text: date.text, reason: 'not_in_results' as const })),
  ];
  const cited: Source[] = [];
  let marked = '';
  let from = 0;
  for (const number of read.numbers) {
    if (isSpan(read.text.slice(number.at), spans)) continue;
    const source = sourceOf(number, sentenceAt(read.text, number.at), sources);
    if (source === null) {
      offences.push({ text: number.text, reason: 'not_in_results' });
      continue;
    }
    if (!cited.includes(source)) cited.push(source);
    const end = number.at + number.text.length;
    marked += `${text.slice(from, end)} [${cited.indexOf(source) + 1}]`;
    from = end;
  }
  const citations = cited.map(
    ({ tool, call, path, value }, index): Citation => ({ n: index + 1, tool, call, path, value }),
  );
  return { text: marked + text.slice(from), citations, offences };
}

function sourcesOf({ tool, arguments: args, result }: ToolResult, call: number): Source[] {
  const about = [args['symbol'], args['symbols']].flat().filter((item) => typeof item === 'string');
  return numberLeaves(result).map(({ path, value }) => ({
    path,
    value,
    call,
    tool,
    words: [...new Set([...about, ...path.split(/[._]/), ...tool.split('_')].map((word) => word.toLowerCase()))],
  }));
}

function sourceOf(number: WrittenNumber, sentence: string, sources: readonly Source[]): Source | null {
  const words = new Set(sentence.match(/[a-z]+/g));
  const fits = sources.filter((source) => matchesLeaf(number, source));
  const ranked = fits
    .map((source) => ({
      source,
      shared: source.words.filter((word) => words.has(word)).length,
      gap: Math.abs(number.value - source.value) / (Math.abs(source.value) || 1),
    }))
    .toSorted((a, b) => b.shared - a.shared || a.gap - b.gap);
  return ranked[0]?.source ?? null;
}

function sentenceAt(text: string, at: number): string {
  const start = Math.max(text.lastIndexOf('. ', at), text.lastIndexOf('! ', at), text.lastIndexOf('? ', at));
  const rest = text.slice(at).search(/[.!?](?: |$)/);
  return text.slice(start + 1, rest === -1 ? undefined : at + rest);
}

/** Spans that the results speak of, such as 1d of a field `flow_1d` or of a value `1d`. */
function spansOf(results: readonly ToolResult[]): Set<string> {
  const names = results.flatMap(({ result }) => [
    ...numberLeaves(result).map(({ path }) => path),
    ...textLeaves(result),
  ]);
  return new Set(names.flatMap((name) => name.split(/[._]/)).filter((part) => SPAN.test(part)));
}

function isSpan(text: string, spans: ReadonlySet<string>): boolean {
  const { count = '', unit = '' } = SAID.exec(text)?.groups ?? {};
  return unit !== '' && spans.has(`${count}${unit.startsWith('session') ? 'd' : unit[0]}`);
}
