import { AppError } from '#src/lib/errors.ts';

/** A row by the names of its columns; values are text in CSV and JSON values in NDJSON. */
export type RecordFields = Readonly<Record<string, unknown>>;

export interface RecordLimits {
  /** Characters of the whole text. */
  readonly characters: number;
  readonly rows: number;
  /** Characters of one line; a longer one is malformed. */
  readonly line: number;
}

export const tapeLimits: RecordLimits = { characters: 128 * 1024 * 1024, rows: 2_000_000, line: 2000 };

/**
 * The rows of a tape, one after the other: NDJSON where the first character is `{`, else CSV with a heading. A row that
 * cannot be read is null. CSV is plain: no quotes, no commas within a field. Blank lines are no rows.
 *
 * @throws AppError `payload_too_large` past the limits, `invalid_payload` where the heading lacks a needed column.
 */
export function* readRecords(
  text: string,
  needed: readonly string[],
  limits: RecordLimits = tapeLimits,
): Generator<RecordFields | null> {
  if (text.length > limits.characters) throw tooLarge('characters', limits.characters, text.length);
  const lines = linesOf(text);
  const first = lines.next();
  if (first.done) return;
  const json = first.value.trimStart().startsWith('{');
  const heading = json ? [] : readHeading(first.value, needed);
  const read = (line: string): RecordFields | null => (json ? readJson(line) : readCells(line, heading));
  let rows = 0;
  if (json) {
    rows++;
    yield first.value.length > limits.line ? null : read(first.value);
  }
  for (const line of lines) {
    if (++rows > limits.rows) throw tooLarge('rows', limits.rows, rows);
    yield line.length > limits.line ? null : read(line);
  }
}

function tooLarge(what: string, most: number, got: number): AppError {
  return new AppError('payload_too_large', `Expected at most ${most} ${what}, got ${got}. Split the tape by time.`, {
    [`max_${what}`]: most,
  });
}

/** Lines that are not blank. One at a time: splitting a long text at once would hold it twice. */
function* linesOf(text: string): Generator<string> {
  let from = text.startsWith('\uFEFF') ? 1 : 0;
  while (from < text.length) {
    const found = text.indexOf('\n', from);
    const end = found < 0 ? text.length : found;
    const line = text.slice(from, text[end - 1] === '\r' ? end - 1 : end);
    if (line.trim() !== '') yield line;
    from = end + 1;
  }
}

function readHeading(line: string, needed: readonly string[]): string[] {
  const names = line.split(',', 100).map((name) => name.trim().toLowerCase());
  const missing = needed.filter((name) => !names.includes(name));
  if (missing.length > 0) {
    const got = line.length > 200 ? `${line.slice(0, 200)}…` : line;
    throw new AppError(
      'invalid_payload',
      `Expected a heading with the columns ${needed.join(', ')}, got "${got}": ${missing.join(', ')} missing.`,
      { missing },
    );
  }
  return names;
}

function readCells(line: string, heading: readonly string[]): RecordFields | null {
  if (line.includes('"')) return null;
  const cells = line.split(',');
  if (cells.length !== heading.length) return null;
  const fields: Record<string, unknown> = Object.create(null);
  for (const [i, name] of heading.entries()) fields[name] = cells[i]!.trim();
  return fields;
}

function readJson(line: string): RecordFields | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as RecordFields) : null;
  } catch {
    return null;
  }
}
