import { type MarketSymbol, marketSymbols } from '#src/analytics/domain/chain/symbols.ts';
import { leftWords, quoteWords } from '#src/analytics/domain/oracle/read/left-words.ts';
import { type MarkedText, sentencesOf, takeAll } from '#src/analytics/domain/oracle/read/marked-text.ts';
import type { Qualifiers } from '#src/analytics/domain/oracle/read/qualifiers.ts';
import { readMeasures } from '#src/analytics/domain/oracle/read/read-measures.ts';
import { readLevels } from '#src/analytics/domain/oracle/read/read-options.ts';
import { kindsOf, readAspects, readQualifiers } from '#src/analytics/domain/oracle/read/read-qualifiers.ts';
import { foldText, MAX_QUESTION, plainText, readSymbols } from '#src/analytics/domain/oracle/read/read-text.ts';
import { chooseVariant } from './choose-variant.ts';
import type { Measure } from './measures/measure.ts';
import { measures } from './measures/measures.ts';
import type { NoAnswer, QuestionPlan } from './oracle-schema.ts';
import { planCalls } from './plan-calls.ts';
import type { OracleTool } from './tool.ts';

/** Words by which a question continues the one before, where it names nothing of its own. */
const FOLLOWS = /^(?:and\b|what about|how about|same\b|the same|again\b|then\b|now\b|how (?:sure|certain))/;
const CAUSES =
  /\b(?:why|what(?:'s| is| are)? (?:causing|driving|behind|moving)|reason for|what (?:caused|drove|moved))\b/;
const OWN = new Set(['portfolio', 'optimum']);

/** Context of a question beside its text. */
export interface Known {
  /** Holdings of the caller, as arguments of the portfolio tools. */
  readonly portfolio?: { readonly symbols: readonly MarketSymbol[] } & Readonly<Record<string, unknown>>;
  /** Topic of the conversation before this question. */
  readonly before?: Topic;
}

/** Topic of a question, for the question that follows it. */
export interface Topic {
  readonly symbols: readonly MarketSymbol[];
  /** Measures; of a question a model answered, tools. */
  readonly tools: readonly string[];
}

/**
 * The calls that answer a question, each with the fields that do: question → underlyings, measures and what narrows
 * them. Every number, unit, tenor, bucket, day, negation and condition must be taken by the requested measure; a part
 * for which one is left over is refused in a sentence, and other words that nothing knows are named. A follow-up that
 * names no measure or no underlying takes those of the question before. Only names and arguments of these tools are
 * called: text of the question is matched against words, so an instruction in it is words that match nothing.
 *
 * @param today `YYYY-MM-DD`, for "yesterday" and dates without a year
 */
export function parseQuestion(
  question: string,
  tools: readonly OracleTool[],
  today: string,
  known: Known = {},
): QuestionPlan | NoAnswer {
  return inParts(question, tools, today, known) ?? parseWhole(question, tools, today, known);
}

/** Marks after which another question begins. */
const NEXT = /[;?!](?=\s)|\.(?=\s)|, and\b/;

/**
 * A question of several, each with what narrows it: only where every part is understood by itself, whole and without a
 * word left over. A part that names no underlying is about those of the whole.
 */
function inParts(question: string, tools: readonly OracleTool[], today: string, known: Known): QuestionPlan | null {
  if (question.length > MAX_QUESTION) return null;
  const parts = foldText(question)
    .split(NEXT)
    .filter((part) => part.trim() !== '');
  if (parts.length < 2 || parts.length > 6) return null;
  const all = readSymbols(parts.join(' ')).symbols;
  const plans: QuestionPlan[] = [];
  for (const part of parts) {
    const own = readSymbols(part);
    const plan = parseWhole(own.symbols.length > 0 ? part : `${part} ${all.join(' ')}`, tools, today, {
      ...(known.portfolio && { portfolio: known.portfolio }),
    });
    const isWhole = plan.answerable && plan.refused.length + plan.not_understood.length + own.unknown.length === 0;
    if (!isWhole || (all.length === 0 && plan.notes.length > 0)) return null;
    plans.push(plan);
  }
  return {
    ...plans[0]!,
    calls: plans.flatMap(({ calls }) => calls).slice(0, 12),
    symbols: [...new Set(plans.flatMap(({ symbols }) => symbols))],
    levels: plans.flatMap(({ levels }) => levels),
    shocks: plans.flatMap(({ shocks }) => shocks),
    from: plans.find(({ from }) => from !== null)?.from ?? null,
    to: plans.find(({ to }) => to !== null)?.to ?? null,
    notes: [...new Set(plans.flatMap(({ notes }) => notes))],
  };
}

function parseWhole(
  question: string,
  tools: readonly OracleTool[],
  today: string,
  known: Known,
): QuestionPlan | NoAnswer {
  if (question.length > MAX_QUESTION) {
    return no('too_long', `expected a question of at most ${MAX_QUESTION} characters, got ${question.length}`);
  }
  // characters that questions do not contain are the marks of what was taken
  const folded = foldText(question).replaceAll(/[\uE000-\uF8FF|]/g, ' ');
  if (folded.trim() === '') return no('empty', 'expected a question, got none', tools);
  const { portfolio, before } = known;
  const { symbols, unknown, text } = readSymbols(withoutCommas(folded));
  const marked: MarkedText = { text };
  const found = readQualifiers(marked, symbols, today);
  takeAll(marked, symbolWords, () => {});
  const hasSubject = symbols.length > 0 || portfolio !== undefined || before !== undefined;
  const requested = readMeasures(marked, hasSubject);
  readAspects(marked, found);
  if (unknown.length > 0 && symbols.length === 0) return no('unknown_symbol', withoutData(unknown));
  const wanted =
    requested.length > 0 ? requested : impliedMeasures(found, { hasSubject, marked, folded, before, symbols });
  if (CAUSES.test(folded)) return no('no_causes', CAUSE);
  if (wanted.length === 0) {
    const names = symbols.length === 0 ? namesIn(question, leftWords(marked.text).unknown) : [];
    if (names.length > 0 && (hasMarketWord(folded) || folded.trim().split(' ').length <= 2))
      return no('unknown_symbol', withoutData(names));
    return found.refused.length > 0
      ? no('not_available', found.refused.join('; '))
      : no('outside_domain', 'the question names none of the analyses there are; ask for one of those listed', tools);
  }
  return planOf(question, { marked, found, wanted, symbols, unknown, tools, known, folded });
}

/** 7,500 as 7500. */
function withoutCommas(folded: string): string {
  return folded.replaceAll(/(\d),(?=\d{3}(?!\d))/g, '$1');
}

interface Read {
  readonly marked: MarkedText;
  readonly found: Qualifiers;
  readonly wanted: readonly Measure[];
  readonly symbols: readonly MarketSymbol[];
  readonly unknown: readonly string[];
  readonly tools: readonly OracleTool[];
  readonly known: Known;
  readonly folded: string;
}

function planOf(question: string, read: Read): QuestionPlan | NoAnswer {
  const { marked, found, wanted, symbols, unknown, tools, known, folded } = read;
  const refused = [...found.refused];
  const blocked = new Set<Measure>();
  const leftover: string[] = [];
  for (const { left, marks } of sentencesOf(marked)) {
    const words = leftWords(left, symbols.length > 1);
    leftover.push(...words.unknown);
    const own = measures.filter((_, n) => marks.includes(n));
    const inSentence = own.length > 0 ? own : sentencesOf(marked).length === 1 ? wanted : [];
    if (words.narrowing.length === 0) continue;
    if (inSentence.length === 0) {
      leftover.push(...words.narrowing);
      continue;
    }
    for (const measure of inSentence) blocked.add(measure);
    const said = inSentence.map((one) => one.said).join(' and ');
    refused.push(
      `${quoteWords(words.narrowing)} beside ${said} was not understood, so nothing replaces it. Ask for ${said} without it`,
    );
  }
  const names = symbols.length === 0 ? namesIn(question, leftover) : [];
  if (
    symbols.length === 0 &&
    found.weights === undefined &&
    leftover.length > 0 &&
    known.portfolio === undefined &&
    known.before === undefined
  ) {
    return names.length > 0
      ? no('unknown_symbol', withoutData(names))
      : no(
          'not_understood',
          `${quoteWords(leftover)} was not understood, and no underlying is named: name one of ${marketSymbols.join(', ')}`,
        );
  }
  const { used, note } = underlyings(symbols, known);
  if (
    symbols.length === 0 &&
    known.portfolio === undefined &&
    known.before === undefined &&
    wanted.some(({ name }) => OWN.has(name))
  )
    return no(
      'not_available',
      `what you hold is not known: name its symbols with their weights, such as 60% SPX, 40% IWM, or send it as portfolio`,
    );
  const parts = [];
  for (const measure of wanted) {
    if (blocked.has(measure)) continue;
    const chosen = chooseVariant(measure, found);
    if (typeof chosen === 'string') refused.push(chosen.replace(/\.$/, ''));
    else if (tools.some(({ name }) => name === chosen.variant.tool)) parts.push({ measure, ...chosen });
  }
  const planned = planCalls(parts, { tools, used, portfolio: known.portfolio });
  if (planned.calls.length === 0)
    return no(
      blocked.size > 0 ? 'not_understood' : 'not_available',
      refused.length > 0 ? refused.join('; ') : 'none of the requested analyses is served here',
    );
  const notes = [...found.notes, ...note, ...planned.notes];
  if (unknown.length > 0) notes.push(withoutData(unknown));
  const strange = [...new Set(leftover)];
  if (strange.length > 0) notes.push(`not understood, and not taken into account: ${quoteWords(strange)}`);
  return {
    answerable: true,
    calls: planned.calls,
    symbols: [...used],
    unknown_symbols: [...unknown],
    levels: readLevels(withoutCommas(folded)),
    shocks: [...(found.moves ?? [])],
    from: found.from ?? null,
    to: found.to ?? null,
    notes,
    refused,
    not_understood: strange,
  };
}

interface Around {
  readonly hasSubject: boolean;
  readonly marked: MarkedText;
  readonly folded: string;
  readonly before: Topic | undefined;
  readonly symbols: readonly MarketSymbol[];
}

/**
 * Chooses the measures of a question that names none: a move is stressed, weights are analysed, a follow-up goes on.
 */
function impliedMeasures(found: Qualifiers, { hasSubject, folded, before, symbols }: Around): readonly Measure[] {
  const named = (names: readonly string[]) => measures.filter(({ name }) => names.includes(name));
  if (found.moves !== undefined && (hasSubject || hasMarketWord(folded))) return named(['stress']);
  if (found.weights !== undefined) return named(['portfolio']);
  const isFollowUp = symbols.length > 0 || kindsOf(found).length > 0 || FOLLOWS.test(folded);
  if (before === undefined || !isFollowUp) return [];
  const own = named(before.tools);
  return own.length > 0
    ? own
    : measures.filter(
        ({ variants }, at) =>
          before.tools.includes(variants[0]?.tool ?? '') &&
          measures.findIndex((one) => one.variants[0]?.tool === variants[0]?.tool) === at,
      );
}

const symbolWords = new RegExp(String.raw`\$?\b(?:${marketSymbols.join('|').toLowerCase()})\b(?:'s)?`, 'g');
const MARKET =
  /\b(?:dealers?|options?|gamma|vol|volatility|iv|0dte|hedging|market makers?|the market|market|gex|vanna|charm|flip|walls?|skew|spx|index)\b/;

function hasMarketWord(folded: string): boolean {
  return MARKET.test(folded);
}

/** Words written as a ticker is, among those that nothing knows. */
function namesIn(question: string, leftover: readonly string[]): string[] {
  const written = plainText(question).match(/(?<![\p{L}\p{N}])\$?[A-Z]{2,5}(?![\p{L}\p{N}])/gu) ?? [];
  return [
    ...new Set(written.map((name) => name.replace('$', '')).filter((name) => leftover.includes(name.toLowerCase()))),
  ].slice(0, 6);
}

function withoutData(names: readonly string[]): string {
  return `there is no data of ${names.slice(0, 6).join(', ')}; there is of ${marketSymbols.join(', ')}. Ask, for instance, where the gamma flip of SPX is`;
}

const CAUSE =
  'no analysis here says why a market moves, and none is made up. You can ask how dealers are placed in the move: the regime, the gamma flip and the walls, the signals in force, the hedging flow, or the charm flow to the close';

/** The underlyings an answer is about, and what is to be said of where they come from. */
function underlyings(
  named: readonly MarketSymbol[],
  { portfolio, before }: Known,
): { readonly used: readonly MarketSymbol[]; readonly note: readonly string[] } {
  const held = portfolio?.symbols ?? [];
  const earlier = before?.symbols ?? [];
  if (named.length > 0) return { used: named, note: [] };
  if (held.length > 0) return { used: held, note: [] };
  if (earlier.length === 0) return { used: ['SPX'], note: ['no underlying was named: SPX was taken'] };
  return { used: earlier, note: [`no underlying was named: ${earlier.join(', ')} was taken, as before`] };
}

function no(reason: NoAnswer['reason'], message: string, tools: readonly OracleTool[] = []): NoAnswer {
  return {
    answerable: false,
    reason,
    message,
    can: tools.map(({ name, description }) => ({ tool: name, description })),
  };
}
