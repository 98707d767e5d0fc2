import { type MarketSymbol, marketSymbols } from '#src/analytics/domain/symbols.ts';
import type { NoAnswer, QuestionPlan } from './oracle-schema.ts';
import { readDates } from './read-dates.ts';
import { readGeneration, readHorizon, readLevels } from './read-options.ts';
import { readShocks } from './read-shocks.ts';
import { findWord, foldText, MAX_QUESTION, readSymbols } from './read-text.ts';
import type { OracleTool, ToolCall } from './tool.ts';

/** More calls than that answer no question; they are a way to make work. */
const MAX_CALLS = 12;
const STRESS = 'portfolio_stress';
const PORTFOLIO = 'portfolio_';
/** Words of options and markets: beside one of them a weak word is meant. */
const context = ['dealer', 'option', 'gamma', 'volatility', '0dte', 'hedging', 'market maker', 'the market'];
/** How a question goes on from the one before, where it names nothing of its own. */
const FOLLOWS = /^(?:and\b|what about|how about|same\b|the same|again\b|then\b|now\b)/;
const past = /\b(?:history|historical|historically|past|over time|so far this year|ytd)\b/;

/** What is known beside the question. */
export interface Known {
  /** What the caller holds, as arguments of the portfolio tools. */
  readonly portfolio?: { readonly symbols: readonly MarketSymbol[] } & Readonly<Record<string, unknown>>;
  /** What the conversation was about before. */
  readonly before?: Topic;
}

/** What a question was about, for the one that follows it. */
export interface Topic {
  readonly symbols: readonly MarketSymbol[];
  readonly tools: readonly string[];
}

/**
 * The calls that answer a question. A follow-up that names no analysis or no underlying takes those of the question
 * before. Only names and arguments of the tools given leave this function: text of the question
 * is matched against words, never passed on, so an instruction in it is words that match nothing.
 *
 * @param today `YYYY-MM-DD`, for "yesterday" and dates without a year
 */
export function parseQuestion(
  question: string,
  tools: readonly OracleTool[],
  today: string,
  { portfolio, before }: Known = {},
): QuestionPlan | NoAnswer {
  if (question.length > MAX_QUESTION) {
    return no('too_long', `expected a question of at most ${MAX_QUESTION} characters, got ${question.length}`, tools);
  }
  const folded = foldText(question);
  if (folded === '') return no('empty', 'expected a question, got none', tools);
  const { symbols, unknown, text: named } = readSymbols(folded.replaceAll(/(\d),(?=\d{3}(?!\d))/g, '$1'));
  const dates = readDates(named, today);
  const { shocks, notes, text } = readShocks(dates.text);
  const isKnown = symbols.length > 0 || portfolio !== undefined || before !== undefined;
  const asked = matchTools(text, tools, isKnown);
  const stress = tools.find(({ name }) => name === STRESS);
  const hasSubject = isKnown || asked.length > 0 || context.some((word) => findWord(dates.text, word) !== -1);
  if (shocks.length > 0 && hasSubject && stress !== undefined && !asked.includes(stress)) asked.push(stress);
  if (unknown.length > 0 && symbols.length === 0) {
    return no(
      'unknown_symbol',
      `there is no data of ${unknown.join(', ')}; there is of ${marketSymbols.join(', ')}`,
      tools,
    );
  }
  if (
    asked.length === 0 &&
    before !== undefined &&
    (symbols.length > 0 || dates.from !== null || FOLLOWS.test(named.trim()))
  )
    asked.push(...tools.filter(({ name }) => before.tools.includes(name)));
  if (asked.length === 0) {
    return no(
      'outside_domain',
      'the question names none of the analyses there are; ask for one of those listed',
      tools,
    );
  }
  const { used, note } = underlyings(symbols, portfolio?.symbols, before?.symbols);
  const said = [...notes, ...note];
  if (unknown.length > 0) said.push(`there is no data of ${unknown.join(', ')}`);
  const isPast = dates.from !== null || past.test(named);
  const dated = isPast ? asked.map((tool) => tools.find(({ name }) => name === tool.historyTool) ?? tool) : asked;
  const values: Readonly<Record<string, unknown>> = {
    symbols: [...used],
    generation: readGeneration(named) ?? undefined,
    horizon: readHorizon(named) ?? undefined,
    from: dates.from ?? undefined,
    to: dates.to ?? undefined,
    scenarios: shocks.length > 0 ? shocks : undefined,
  };
  const calls = [...new Set(dated)].flatMap((tool) =>
    callsOf(tool, used, tool.name.startsWith(PORTFOLIO) ? { ...values, ...portfolio } : values),
  );
  if (isPast && dates.from !== null) {
    for (const tool of dated)
      if (!('from' in tool.parameters.properties)) said.push(`${tool.name} is of now, not of the past`);
  }
  if (calls.length > MAX_CALLS) said.push(`only the first ${MAX_CALLS} of ${calls.length} analyses are made`);
  return {
    answerable: true,
    calls: calls.slice(0, MAX_CALLS),
    symbols: [...used],
    unknown_symbols: [...unknown],
    levels: readLevels(dates.text),
    shocks: [...shocks],
    from: dates.from,
    to: dates.to,
    notes: said,
  };
}

/** The underlyings an answer is about, and what is to be said of where they come from. */
function underlyings(
  named: readonly MarketSymbol[],
  held: readonly MarketSymbol[] = [],
  before: readonly MarketSymbol[] = [],
): { readonly used: readonly MarketSymbol[]; readonly note: readonly string[] } {
  if (named.length > 0) return { used: named, note: [] };
  if (held.length > 0) return { used: held, note: [] };
  if (before.length === 0) return { used: ['SPX'], note: ['no underlying was named: SPX was taken'] };
  return { used: before, note: [`no underlying was named: ${before.join(', ')} was taken, as before`] };
}

/** The tools whose words occur, longer phrases first: what one phrase took, a shorter one in it does not take again. */
function matchTools(text: string, tools: readonly OracleTool[], hasSymbol: boolean): OracleTool[] {
  const strong = takeWords(text, tools, ({ metricWords }) => metricWords);
  const isMeant = hasSymbol || strong.found.size > 0 || context.some((word) => findWord(text, word) !== -1);
  const weak = isMeant ? takeWords(strong.left, tools, ({ weakWords = [] }) => weakWords).found : new Set<OracleTool>();
  return tools.filter((tool) => strong.found.has(tool) || weak.has(tool));
}

function takeWords(text: string, tools: readonly OracleTool[], wordsOf: (tool: OracleTool) => readonly string[]) {
  const phrases = [...new Set(tools.flatMap((tool) => [...wordsOf(tool)]))].toSorted((a, b) => b.length - a.length);
  const found = new Set<OracleTool>();
  let left = text;
  for (const phrase of phrases) {
    let at = findWord(left, phrase);
    if (at === -1) continue;
    for (const tool of tools) if (wordsOf(tool).includes(phrase)) found.add(tool);
    // A mark keeps the words on both sides from becoming a phrase.
    for (; at !== -1; at = findWord(left, phrase)) left = `${left.slice(0, at)}|${left.slice(at + phrase.length)}`;
  }
  return { found, left };
}

function callsOf(
  tool: OracleTool,
  symbols: readonly MarketSymbol[],
  values: Readonly<Record<string, unknown>>,
): ToolCall[] {
  const known = Object.keys(tool.parameters.properties).filter((name) => values[name] !== undefined);
  const shared = Object.fromEntries(known.map((name) => [name, values[name]]));
  if (!('symbol' in tool.parameters.properties)) return [{ tool: tool.name, arguments: shared }];
  return symbols.map((symbol) => ({ tool: tool.name, arguments: { symbol, ...shared } }));
}

function no(reason: NoAnswer['reason'], message: string, tools: readonly OracleTool[]): NoAnswer {
  return {
    answerable: false,
    reason,
    message,
    can: tools.map(({ name, description }) => ({ tool: name, description })),
  };
}
