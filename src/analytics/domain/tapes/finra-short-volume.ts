import { newYorkInstant } from '#src/analytics/domain/calendar/time.ts';
import { AppError } from '#src/lib/errors.ts';
import { fieldNumber } from './record-fields.ts';

/** Off-exchange short-sale volume of one security on one day. It is what was sold short, not what stays short. */
export interface ShortVolumeRow {
  readonly symbol: string;
  /** Shares, with decimals since fractional shares are reported. */
  readonly shortVolume: number;
  /** The part of it exempt from the short-sale price test. */
  readonly shortExemptVolume: number;
  readonly totalVolume: number;
  /** Codes of the reporting facilities, e.g. B, Q, N. */
  readonly markets: readonly string[];
}

export interface ShortVolumeFile {
  /** Trading day, `YYYY-MM-DD`. */
  readonly date: string;
  /** Epoch milliseconds from which the file may be used: 18:00 in New York, by when FINRA says it is posted. */
  readonly knowledgeTime: number;
  readonly rows: ReadonlyMap<string, ShortVolumeRow>;
  /** Rows left out, by reason. */
  readonly dropped: Readonly<Partial<Record<ShortVolumeDropReason, number>>>;
  /** True where the trailer's count is that of the rows; null without a trailer, as of a file cut short. */
  readonly complete: boolean | null;
}

export type ShortVolumeDropReason = 'malformed' | 'other_date' | 'bad_symbol' | 'bad_volume' | 'duplicate';

const HEADING = ['date', 'symbol', 'shortvolume', 'shortexemptvolume', 'totalvolume', 'market'];
const SYMBOL = /^[A-Za-z][A-Za-z0-9./+=^\- ]{0,15}$/;
const MAX_CHARACTERS = 16 * 1024 * 1024;
const MAX_LINES = 100_000;
/** No security trades this many shares in a day. */
const MAX_SHARES = 1e12;

/**
 * Reads a consolidated daily file (`CNMSshvol<yyyymmdd>.txt`): a heading, one row per security, a trailer with their
 * count. The day is that of the first row that names one; bad rows are dropped and counted.
 *
 * @throws AppError `payload_too_large`; `invalid_payload` where the heading is another or no row names a day.
 * @see https://www.finra.org/finra-data/browse-catalog/short-sale-volume-data/daily-short-sale-volume-files
 */
export function readShortVolume(text: string): ShortVolumeFile {
  if (text.length > MAX_CHARACTERS) throw tooLarge('characters', MAX_CHARACTERS, text.length);
  const lines = text.split('\n').map((line) => line.trim());
  if (lines.length > MAX_LINES) throw tooLarge('lines', MAX_LINES, lines.length);
  const body = lines.filter((line) => line !== '');
  const heading = (body[0] ?? '').replace(/^\uFEFF/, '');
  const names = heading.toLowerCase().split('|');
  if (!HEADING.every((name, i) => names[i] === name)) throw invalid('the heading', HEADING.join('|'), heading);
  const last = body.length > 1 ? body.at(-1)! : '';
  const trailer = /^\d+$/.test(last) ? Number(last) : null;
  const rest = body.slice(1, trailer === null ? undefined : -1);
  const date = rest.map((line) => readDay(line.split('|', 1)[0]!)).find((day) => day !== null);
  if (date === undefined || date === null) throw invalid('a first column', 'a day such as 20260925', rest[0] ?? '');
  return {
    date,
    knowledgeTime: newYorkInstant(`${date}T18:00`),
    ...readRows(rest, date),
    complete: trailer === null ? null : trailer === rest.length,
  };
}

function readRows(lines: readonly string[], date: string): Pick<ShortVolumeFile, 'rows' | 'dropped'> {
  const rows = new Map<string, ShortVolumeRow>();
  const dropped: Partial<Record<ShortVolumeDropReason, number>> = {};
  for (const line of lines) {
    let row = readRow(line, date);
    if (typeof row !== 'string' && rows.has(row.symbol)) row = 'duplicate';
    if (typeof row === 'string') dropped[row] = (dropped[row] ?? 0) + 1;
    else rows.set(row.symbol, row);
  }
  return { rows, dropped };
}

function readRow(line: string, date: string): ShortVolumeRow | ShortVolumeDropReason {
  const cells = line.split('|');
  if (cells.length !== HEADING.length) return 'malformed';
  const [day, symbol, short, exempt, total, facilities] = cells as [string, string, string, string, string, string];
  if (readDay(day) !== date) return 'other_date';
  if (!SYMBOL.test(symbol)) return 'bad_symbol';
  const [shortVolume, shortExemptVolume, totalVolume] = [short, exempt, total].map(fieldNumber) as [
    number,
    number,
    number,
  ];
  const possible =
    shortVolume >= 0 && shortExemptVolume >= 0 && totalVolume >= shortVolume && shortExemptVolume <= shortVolume;
  if (!(possible && totalVolume <= MAX_SHARES)) return 'bad_volume';
  return { symbol, shortVolume, shortExemptVolume, totalVolume, markets: facilities.split(',').filter(Boolean) };
}

/** `20260925` as `2026-09-25`; null where that is no day. */
function readDay(text: string): string | null {
  const parts = /^(\d{4})(\d{2})(\d{2})$/.exec(text);
  if (!parts) return null;
  const day = `${parts[1]}-${parts[2]}-${parts[3]}`;
  const instant = Date.parse(`${day}T00:00:00Z`);
  return Number.isFinite(instant) && new Date(instant).toISOString().startsWith(day) ? day : null;
}

function invalid(what: string, expected: string, got: string): AppError {
  const shown = got.length > 80 ? `${got.slice(0, 80)}…` : got;
  return new AppError('invalid_payload', `Short-volume file: expected ${what} ${expected}, got "${shown}".`, { shown });
}

function tooLarge(what: string, most: number, got: number): AppError {
  return new AppError('payload_too_large', `Short-volume file: expected at most ${most} ${what}, got ${got}.`, {
    [`max_${what}`]: most,
  });
}
