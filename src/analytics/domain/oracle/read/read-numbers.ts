import { foldText } from './read-text.ts';

/** A number as a text writes it. */
export interface WrittenNumber {
  /** As written, for the person who reads of it. */
  readonly text: string;
  readonly at: number;
  readonly value: number;
  /** Half a unit of the last digit written, in the value's unit: what rounding may have hidden. */
  readonly halfUnit: number;
  readonly percent: boolean;
  /** True where a word near it states that it is below zero, such as "short 2 billion". */
  readonly saidNegative: boolean;
}

/** Numbers and dates of a text that can be compared with results. `text` is folded, and offsets are its own. */
export interface NumbersRead {
  readonly text: string;
  readonly numbers: readonly WrittenNumber[];
  /** Dates and times as written; they are compared as text. */
  readonly dates: readonly { readonly text: string; readonly at: number }[];
  /** Numbers in words or in digits that cannot be checked, such as "three percent" or "½". */
  readonly unreadable: readonly { readonly text: string; readonly at: number }[];
  /** The text with all of these blanked. */
  readonly left: string;
}

const scales: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mn: 1e6,
  mm: 1e6,
  million: 1e6,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
  t: 1e12,
  tn: 1e12,
  trillion: 1e12,
};

/** Names and units with digits, which state nothing. */
const NAMES =
  /\b(?:0dte|s&p ?500|russell[ -]2000|nasdaq[ -]100|gen(?:eration)?[ -][123]|per \+?1 ?(?:%|percent))(?!\w)/g;
const CITATION = /\[\d{1,3}\]/g;
const DATE = /\b\d{4}-\d{2}-\d{2}(?:t[\d:.]+z?)?\b|\b\d{1,2}:\d{2}(?::\d{2})?\b/g;
const NUMBER =
  /(?<sign>(?<![\w)])[+-] ?)?(?<dollar>\$ ?)?(?<minus>-)?(?<digits>\d+(?:,\d{3})*(?:\.\d+)?|\.\d+)(?<exponent>e[+-]?\d+)?(?: ?(?<scale>thousand|million|billion|trillion|mn|mm|bn|tn|k|m|b|t)\b)?(?<percent> ?(?:%|percent\b|pct\b))?/g;
const WORDS =
  /\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|dozen|half|quarter)(?:[ -](?:a|and|[a-z]+teen|one|two|three|four|five|six|seven|eight|nine|ten|hundred))*[ -](?:percent|%|pct|thousand|million|billion|trillion|dollars?|points?|contracts?|shares?|basis|bps?|times|sigma)/g;
const NEGATIVE =
  /\b(?:down|below zero|negative|short|fell|falls?|drop(?:s|ped)?|los[est]+|loss|sells?|selling|sold|minus|lower|declin(?:e|es|ed)|decrease[sd]?|offer)\b/;
/** Distance before a number within which a word gives it its sign, in characters. */
const REACH = 40;

/** Every number of a text, with how exactly it is written. Markers such as [3] and names such as 0DTE are none. */
export function readNumbers(original: string): NumbersRead {
  const text = foldText(original);
  const dates: { text: string; at: number }[] = [];
  const blank = (match: string) => ' '.repeat(match.length);
  let rest = text.replaceAll(CITATION, blank).replaceAll(NAMES, blank);
  rest = rest.replaceAll(DATE, (match: string, at: number) => {
    dates.push({ text: match, at });
    return blank(match);
  });
  const unreadable: { text: string; at: number }[] = [];
  rest = rest.replaceAll(WORDS, (match: string, at: number) => {
    unreadable.push({ text: match, at });
    return blank(match);
  });
  const numbers: WrittenNumber[] = [];
  const left = rest.replaceAll(NUMBER, (match: string, ...more: unknown[]) => {
    const at = more.at(-3) as number;
    numbers.push(writtenNumber(match, at, more.at(-1) as Record<string, string | undefined>, rest));
    return blank(match);
  });
  // Digits of other scripts, fractions and circled figures are numbers that cannot be checked.
  for (const match of left.matchAll(/\p{N}+/gu)) unreadable.push({ text: match[0], at: match.index });
  return { text, numbers, dates, unreadable, left };
}

function writtenNumber(
  text: string,
  at: number,
  { sign, minus, digits = '', exponent = '', scale, percent }: Record<string, string | undefined>,
  whole: string,
): WrittenNumber {
  const plain = digits.replaceAll(',', '');
  const factor = scale === undefined ? 1 : scales[scale]!;
  const power = Number(exponent.slice(1));
  const decimals = plain.includes('.') ? plain.length - plain.indexOf('.') - 1 : 0;
  const negative = minus !== undefined || sign?.startsWith('-') === true;
  const before = whole.slice(Math.max(0, at - REACH), at);
  return {
    text: text.trim(),
    at,
    value: (negative ? -1 : 1) * Number(`${plain}${exponent}`) * factor,
    halfUnit: Number(`0.5e${power - decimals}`) * factor,
    percent: percent !== undefined,
    saidNegative: NEGATIVE.test(before.slice(before.lastIndexOf('. ') + 1)),
  };
}
