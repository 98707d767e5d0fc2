import { counted } from '#src/lib/text/counted.ts';
import { numberLeaves } from './check-answer.ts';
import type { Field, Unit } from './measures/measure.ts';
import type { Citation, WrittenAnswer } from './oracle-schema.ts';
import type { OracleTool, ToolResult } from './tool.ts';

/** Figures said of a result whose tool names none: more than that is a table, not an answer. */
const MAX_FACTS = 4;

/** An answer, and whether a requested figure is missing in it. */
export interface Written extends WrittenAnswer {
  readonly missing: boolean;
}

/**
 * An answer in plain sentences: of each result its underlying, the requested fields with their units, and its basis
 * (time, generated or real, generation). Every number is followed by `[n]` and is in the citations with the field
 * it comes from; a figure that is not there is said with its reason. Draws no conclusions, and repeats nothing of the
 * question. Passes {@link checkAnswer} with its own citations.
 *
 * @param results in the order of their calls; a call that failed is left out
 */
export function writeAnswer(results: readonly ToolResult[], tools: readonly OracleTool[]): Written {
  const citations: Citation[] = [];
  let missing = false;
  const sentences = results.map((result, call) => {
    if (result.result === null && result.tool.startsWith('history_')) {
      missing = true;
      return `${subjectOf(result)}: no history is stored${daysOf(result)}.`;
    }
    const fields = result.fields ?? fieldsOf(result, tools);
    const cite = (path: string, value: number) => {
      const n = citations.length + 1;
      citations.push({ n, tool: result.tool, call, path, value });
      return `[${n}]`;
    };
    const parts = fields.map((one) => partOf(result, one, cite));
    const said = parts.filter((part) => part !== null).map(({ text }) => text);
    if (parts.some((part) => part?.missing === true)) missing = true;
    if (said.length === 0) {
      missing = true;
      said.push(`${result.tool.replaceAll('_', ' ')} gives no figure`);
    }
    return `${subjectOf(result)}: ${said.join(', ')}${standingOf(result)}.`;
  });
  if (sentences.length === 0) return { text: 'None of the analyses gave a result.', citations, missing: true };
  return { text: sentences.join(' '), citations, missing };
}

function daysOf({ arguments: args, fields = [] }: ToolResult): string {
  const { from, to = from } = args as { from?: string; to?: string };
  const moment = fields.some(({ path }) => path.startsWith('opening.')) ? ' of the opening' : '';
  if (from === undefined) return moment;
  return `${moment} of ${from}${to === from ? '' : ` to ${to}`}`;
}

type Cite = (path: string, value: number) => string;

/** A field in words; null for one that this result has no place for, such as the weight of another symbol. */
function partOf({ result }: ToolResult, { path, said, unit, why }: Field, cite: Cite) {
  const value = at(result, path);
  if (typeof value === 'number' && Number.isFinite(value)) {
    return { text: `${said} ${writeNumber(value, unit)} ${cite(path, value)}`, missing: false };
  }
  if (typeof value === 'string') return { text: `${said} ${wordsOf(value)}`, missing: false };
  if (value === undefined && why === undefined && result !== null) return null;
  const reason = why === undefined ? undefined : at(result, why);
  return { text: `${said}: none${typeof reason === 'string' ? ` (${wordsOf(reason)})` : ''}`, missing: true };
}

/** A state as people say it, and an instant to the minute; labels of expiries stay as they are. */
function wordsOf(value: string): string {
  const instant = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})/.exec(value);
  if (instant) return `${instant[1]} ${instant[2]} UTC`;
  return value.replaceAll('_', ' ');
}

function at(result: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key], result);
}

/**
 * Describes the basis of the figures: their instant, whether the market is generated, and the generation of positions.
 */
function standingOf({ result, arguments: { generation } }: ToolResult): string {
  const { as_of: asOf, synthetic } = (result ?? {}) as { as_of?: unknown; synthetic?: unknown };
  const parts = [
    ...(typeof asOf === 'string' ? [`as of ${wordsOf(asOf)}`] : []),
    ...(synthetic === true ? ['synthetic market'] : []),
    ...(generation === undefined
      ? []
      : [generation === 'ensemble' ? 'dealers by the ensemble' : `dealers by generation ${generation as number}`]),
  ];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

/** Fields of a result where the question names none: those that its tool lists first, else its first figures. */
function fieldsOf({ tool, result }: ToolResult, tools: readonly OracleTool[]): Field[] {
  // Rows of a table and figures whose names carry digits cannot be said in a sentence.
  const leaves = numberLeaves(result).filter(({ path }) => !/(?:^|\.)\d+(?:\.|$)/.test(path));
  const facts = tools.find(({ name }) => name === tool)?.facts ?? [];
  const first = facts.filter((path) => leaves.some((leaf) => leaf.path === path));
  const named = leaves.length > 0 ? leaves : numberLeaves(result);
  const paths = first.length > 0 ? first : named.slice(0, MAX_FACTS).map(({ path }) => path);
  return paths.map((path) => ({ path, said: labelOf(path), unit: 'plain' }));
}

function subjectOf({ arguments: args }: ToolResult): string {
  if (typeof args['symbol'] === 'string') return args['symbol'];
  return Array.isArray(args['symbols']) ? args['symbols'].join(' and ') : 'The market';
}

/** A path or name in words without digits, for a digit there would be a number without a source. */
function labelOf(path: string): string {
  return path
    .replaceAll(/[._]/g, ' ')
    .replaceAll(/\d+\w*/g, '')
    .replaceAll(/ +/g, ' ')
    .trim();
}

const written: Readonly<Record<Unit, (value: number) => string>> = {
  usd: dollars,
  usd_per_pct: (value) => `${dollars(value)} of delta per +1 %`,
  usd_per_vol_point: (value) => `${dollars(value)} of delta per vol point`,
  usd_per_day: (value) => `${dollars(value)} per day`,
  points: (value) => `${grouped(value)} points`,
  fraction: (value) => `${plain(100 * value)} %`,
  percent: (value) => `${plain(value)} %`,
  vol_points: (value) => `${plain(value)} vol points`,
  skew: (value) => `${plain(value)} per unit of log-moneyness`,
  contracts: (value) => `${formatNumber(value)} contracts`,
  days: (value) => counted(shortest(value), 'day'),
  plain: (value) => (Number.isInteger(value) && Math.abs(value) < 1e6 ? String(value) : formatNumber(value)),
  text: String,
};

/** A number with its unit, as a sentence has it. */
export function writeNumber(value: number, unit: Unit): string {
  return written[unit](value);
}

function dollars(value: number): string {
  return `${value < 0 ? '-' : ''}$${formatNumber(Math.abs(value))}`;
}

/** A price: whole or with two decimals, thousands apart. */
function grouped(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: Math.abs(value) < 1 ? 4 : 2 });
}

function shortest(value: number): string {
  return Number.isInteger(value) ? String(value) : plain(value);
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
