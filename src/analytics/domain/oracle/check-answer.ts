import { type NumbersRead, readNumbers, type WrittenNumber } from '#src/analytics/domain/oracle/read/read-numbers.ts';
import type { AnswerCheck, Citation, Offence } from './oracle-schema.ts';
import type { ToolResult } from './tool.ts';

/** A figure of a result, and its path. */
export interface Leaf {
  readonly path: string;
  readonly value: number;
}

/**
 * Checks whether every number of an answer is a figure of the results or an argument of their calls. A written number
 * stands for a value if the value, rounded to the digits written, is that number, and besides is within 5 % of it, so
 * that "1 billion" is not 1.4 billion and "0" is only zero. "%" may stand for a decimal fraction times a hundred. A
 * number without a sign may stand for a value below zero only after a word such as "short" or "fell" in its sentence.
 * Dates and times must occur in a text of the results. Numbers in words before a unit cannot be checked and are
 * offences.
 *
 * @param citations where given, each number must be followed in its sentence by `[n]`, and be that citation's value
 */
export function checkAnswer(
  answer: string,
  results: readonly ToolResult[],
  citations?: readonly Citation[],
): AnswerCheck {
  const read = readNumbers(answer);
  const leaves = results.flatMap(({ arguments: args, result }) => [...numberLeaves(args), ...numberLeaves(result)]);
  const texts = results.flatMap(({ arguments: args, result }) => [...textLeaves(args), ...textLeaves(result)]);
  const offences: Offence[] = read.unreadable.map((item) => ({ ...item, reason: 'unreadable' }));
  for (const { text, at } of read.dates) {
    if (!texts.some((leaf) => leaf.toLowerCase().includes(text))) offences.push({ text, at, reason: 'not_in_results' });
  }
  for (const number of read.numbers) {
    const reason =
      citations === undefined ? looseReason(number, leaves) : citedReason(number, read, results, citations);
    if (reason !== null) offences.push({ text: number.text, at: number.at, reason });
  }
  return {
    ok: offences.length === 0,
    checked: read.numbers.length + read.dates.length + read.unreadable.length,
    offences: offences.toSorted((a, b) => a.at - b.at),
  };
}

function looseReason(number: WrittenNumber, leaves: readonly Leaf[]): Offence['reason'] | null {
  return leaves.some((leaf) => matchesLeaf(number, leaf)) ? null : 'not_in_results';
}

function citedReason(
  number: WrittenNumber,
  { text }: NumbersRead,
  results: readonly ToolResult[],
  citations: readonly Citation[],
): Offence['reason'] | null {
  const rest = text.slice(number.at);
  const marker = /\[(\d{1,3})\]/.exec(rest);
  const end = rest.search(/[.!?] /);
  if (marker === null || (end !== -1 && end < marker.index)) return 'no_citation';
  const citation = citations.find(({ n }) => n === Number(marker[1]));
  if (citation === undefined) return 'unknown_citation';
  const call = results[citation.call];
  // The citation is taken at its word for the place, never for the value.
  const leaf =
    call?.tool === citation.tool ? numberLeaves(call.result).find(({ path }) => path === citation.path) : undefined;
  if (leaf === undefined) return 'unknown_citation';
  return matchesLeaf(number, leaf) ? null : 'not_the_cited_value';
}

/** Checks whether a number as written can be a value: see {@link checkAnswer}. */
export function matchesLeaf(number: WrittenNumber, { path, value }: Leaf): boolean {
  if (matches(number, value)) return true;
  // A field that says it is in percent is not to be multiplied again.
  return number.percent && !/_pct$|percent/.test(path) && matches(number, 100 * value);
}

function matches({ value: written, halfUnit, saidNegative }: WrittenNumber, value: number): boolean {
  const target = saidNegative && written > 0 && value < 0 ? -value : value;
  const gap = Math.abs(written - target);
  // A value half-way between two roundings may be written as either; doubles cannot tell.
  return gap <= halfUnit * (1 + 1e-9) + 4 * Number.EPSILON * Math.abs(target) && gap <= 0.05 * Math.abs(target);
}

/** Every finite number in a value, with its path. */
export function numberLeaves(value: unknown, path = ''): Leaf[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [{ path, value }] : [];
  return children(value, path).flatMap(([child, at]) => numberLeaves(child, at));
}

/** Every text in a value. */
export function textLeaves(value: unknown): string[] {
  return typeof value === 'string' ? [value] : children(value, '').flatMap(([child]) => textLeaves(child));
}

function children(value: unknown, path: string): [unknown, string][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).map(([key, child]) => [child, path === '' ? key : `${path}.${key}`]);
}
