import { parse } from 'csv-parse/sync';
import { readDecimal } from '#src/lib/decimal.ts';
import { invalidChain, type RawChain, type RawContract } from './raw-chain.ts';
import type { MarketSymbol } from './symbols.ts';

const MONTHS = 'january february march april may june july august september october november december'.split(' ');
/** Both wordings of the export: `September 14, 2023 at 4:31 PM EDT` and `February 5 2022, 8:09 PM EST`. */
const STAMP = /([a-z]+) (\d{1,2}),? (\d{4})(?: at|,)? (\d{1,2}):(\d{2}) ([ap])m (edt|est)\b/i;

/** `Fri Nov 20 2026`, with or without the day of the week. */
const DAY = /^(?:[a-z]{3},? )?([a-z]{3}) (\d{1,2}),? (\d{4})$/i;

/** Columns of the fields of one side, counted from the column that holds its contract symbol. */
interface SideColumns {
  readonly symbol: number;
  readonly bid: number;
  readonly ask: number;
  readonly volume: number;
  readonly iv: number;
  readonly openInterest: number;
}

/**
 * Reads the CSV that Cboe's quote page exports: a name line, a date line, a heading, one row per strike with the call
 * left and the put right. A bad number becomes NaN and is dropped in cleaning; a row of another width means a file cut
 * short and is refused.
 *
 * @throws AppError `invalid_chain` naming the field and its value.
 */
export function readCboeCsv(text: string, symbol: MarketSymbol): RawChain {
  const rows = parseRows(text);
  const [title, dates, heading, ...lines] = rows;
  if (!title || !dates || !heading) throw invalidChain('lines', 'a title, a date and a heading', rows.length);
  const strike = heading.indexOf('Strike');
  const calls = sideColumns(heading, 'Calls', 0);
  const puts = sideColumns(heading, 'Puts', strike);
  const expiry = heading.indexOf('Expiration Date');
  const contracts: RawContract[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.length !== heading.length) {
      throw invalidChain(`row ${index + 1}`, `${heading.length} columns (is the file cut short?)`, line.length);
    }
    const stated = { strike: line[strike] ? readNumber(line[strike]) : null, date: readDay(line[expiry]) };
    contracts.push(readSide(line, calls, stated), readSide(line, puts, stated));
  }
  return {
    symbol,
    name: title[0]?.slice(0, 80) ?? '',
    source: 'cboe_csv',
    asOf: readStamp(dates),
    spot: readSpot(title),
    contracts,
  };
}

function parseRows(text: string): string[][] {
  try {
    return parse(text, { relaxColumnCount: true, skipEmptyLines: true, trim: true, bom: true });
  } catch (cause) {
    throw invalidChain('file', 'comma-separated values', cause instanceof Error ? cause.message : 'unreadable text');
  }
}

function sideColumns(heading: readonly string[], side: 'Calls' | 'Puts', from: number): SideColumns {
  const column = (name: string): number => {
    const found = from < 0 ? -1 : heading.indexOf(name, from);
    if (found < 0) throw invalidChain('heading', `a column "${name}" for ${side.toLowerCase()}`, heading.join(','));
    return found;
  };
  return {
    symbol: column(side),
    bid: column('Bid'),
    ask: column('Ask'),
    volume: column('Volume'),
    iv: column('IV'),
    openInterest: column('Open Interest'),
  };
}

function readSide(line: readonly string[], at: SideColumns, stated: RawContract['stated']): RawContract {
  return {
    symbol: line[at.symbol] ?? '',
    bid: readNumber(line[at.bid]),
    ask: readNumber(line[at.ask]),
    volume: readNumber(line[at.volume]),
    iv: readNumber(line[at.iv]),
    openInterest: readNumber(line[at.openInterest]),
    stated,
  };
}

/** The day as `YYYY-MM-DD`; null for any other wording. */
function readDay(text = ''): string | null {
  const parts = DAY.exec(text);
  const month = MONTHS.findIndex((name) => name.slice(0, 3) === parts?.[1]?.toLowerCase()) + 1;
  if (!parts || month === 0) return null;
  return `${parts[3]}-${String(month).padStart(2, '0')}-${parts[2]?.padStart(2, '0')}`;
}

/** A number with or without thousands separators; NaN for text that writes none in decimal. */
function readNumber(text: string | undefined): number {
  return readDecimal(text?.replaceAll(',', '') ?? '') ?? Number.NaN;
}

function readSpot(title: readonly string[]): number {
  const cell = title.find((text) => text.startsWith('Last:'));
  const spot = readNumber(cell?.slice(5).trim());
  if (!(spot > 0 && spot < Infinity)) throw invalidChain('Last', 'a positive number', cell ?? null);
  return spot;
}

/** EDT and EST are taken at their word: at the hour the clocks go back, the wall time alone would be ambiguous. */
function readStamp(dates: readonly string[]): number {
  const text = dates.join(', ');
  const parts = STAMP.exec(text);
  const month = MONTHS.indexOf(parts?.[1]?.toLowerCase() ?? '');
  const [day, year, hour, minute] = [2, 3, 4, 5].map((index) => Number(parts?.[index]));
  const exists = new Date(Date.UTC(Number(year), month, Number(day))).getUTCDate() === day;
  const valid =
    parts && month >= 0 && exists && day && year && hour && hour <= 12 && minute !== undefined && minute < 60;
  if (!valid) throw invalidChain('Date', 'a date such as "September 14, 2023 at 4:31 PM EDT"', dates[0] ?? null);
  const offset = parts[7]?.toUpperCase() === 'EDT' ? 4 : 5;
  const local = (hour % 12) + (parts[6]?.toLowerCase() === 'p' ? 12 : 0);
  return Date.UTC(year, month, day, local + offset, minute);
}
