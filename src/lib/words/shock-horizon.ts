import type { Token } from './tokens.ts';

/** Most days of a stress test. */
const MOST_DAYS = 3_650;
const daysOf: Readonly<Record<string, number>> = { day: 1, days: 1, week: 7, weeks: 7, month: 30, months: 30 };
const before = new Set(['in', 'after', 'over', 'within', 'for']);
const between = new Set(['the', 'next', 'a', 'calendar', 'following']);

/** Time that passes with a shock. */
export interface ShockHorizon {
  /** Calendar days. */
  readonly days: number;
  /** Places of its tokens: the first, and the one after the last. */
  readonly from: number;
  readonly to: number;
  /** Assumption that was made; null for none. */
  readonly note: string | null;
}

/** Reads how much time passes with shocks: "in 3 days", "over a week", "2 weeks later", "overnight". */
export function readHorizons(tokens: readonly Token[]): readonly ShockHorizon[] {
  const found: ShockHorizon[] = [];
  for (let place = 0; place < tokens.length; place++) {
    const read = oneDay(tokens, place) ?? spanAt(tokens, place);
    if (!read || read.days > MOST_DAYS) continue;
    found.push({ days: read.days, from: place, to: place + read.length, note: read.note });
    place += read.length - 1;
  }
  return found;
}

interface Span {
  readonly days: number;
  readonly length: number;
  readonly note: string | null;
}

function oneDay(tokens: readonly Token[], place: number): Span | null {
  const { low = '' } = tokens[place] ?? {};
  if (low === 'overnight') return { days: 1, length: 1, note: null };
  return low === 'tomorrow' ? { days: 1, length: 1, note: '“tomorrow” is taken as one day that passes' } : null;
}

function spanAt(tokens: readonly Token[], place: number): Span | null {
  const first = tokens[place];
  if (!first) return null;
  const hasBefore = before.has(first.low);
  let at = place + (hasBefore ? 1 : 0);
  const start = at;
  while (between.has(tokens[at]?.low ?? '')) at++;
  const isOne = at > start && tokens[at]?.kind !== 'number';
  const number = tokens[at];
  const said = number?.kind === 'number' && number.sign === '' ? number.value : Number.NaN;
  const count = isOne ? 1 : said;
  if (!isOne) at++;
  while (tokens[at]?.low === '-' || between.has(tokens[at]?.low ?? '')) at++;
  const unit = daysOf[tokens[at]?.low ?? ''];
  if (unit === undefined || !(count > 0)) return null;
  const word = tokens[at]?.low ?? '';
  const after = tokens[at + 1]?.low;
  const isLater = after === 'later' || after === 'pass' || after === 'passing';
  if (!hasBefore && !isLater) return null;
  const note = word.startsWith('month') ? 'a month is taken as 30 days' : null;
  return { days: count * unit, length: at - place + 1 + (isLater ? 1 : 0), note };
}
