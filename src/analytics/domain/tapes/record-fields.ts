/** Instants a tape may name, 2000 to 2100: seconds or microseconds taken for milliseconds fall outside. */
const EPOCH = [946_684_800_000, 4_102_444_800_000] as const;
const ISO = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;
const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** A finite number, or one written as a decimal; NaN for anything else. */
export function fieldNumber(value: unknown): number {
  if (typeof value === 'number') return Number.isFinite(value) ? value : Number.NaN;
  if (typeof value !== 'string' || !DECIMAL.test(value)) return Number.NaN;
  const number = Number(value);
  return Number.isFinite(number) ? number : Number.NaN;
}

/** Checks whether a field is left out: absent, null or empty. */
export function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** Text of 1 to `most` characters, or a whole number as text; null for anything else. */
export function fieldText(value: unknown, most: number): string | null {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === 'string' && text.length > 0 && text.length <= most ? text : null;
}

/** Epoch milliseconds from those, or from an ISO instant with its zone, years 2000 to 2100; NaN for anything else. */
export function fieldInstant(value: unknown): number {
  const parts = typeof value === 'string' ? ISO.exec(value) : null;
  const instant = parts ? isoInstant(parts) : fieldNumber(value);
  return instant >= EPOCH[0] && instant < EPOCH[1] ? instant : Number.NaN;
}

function isoInstant(parts: RegExpExecArray): number {
  const [text, year, month, day, hour] = parts;
  // Date.parse takes 31 February for 3 March, and 24:00 for the next day.
  const exists = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day);
  return exists && Number(hour) < 24 ? Date.parse(text) : Number.NaN;
}

/** Words of a list, or of text with spaces or bars between them, lower case; null if it is neither. */
export function fieldWords(value: unknown): string[] | null {
  if (isBlank(value)) return [];
  const list = typeof value === 'string' ? value.split(/[\s|]+/) : value;
  if (!Array.isArray(list) || list.length > 20) return null;
  const words: string[] = [];
  for (const word of list as unknown[]) {
    if (typeof word !== 'string') return null;
    if (word !== '') words.push(word.toLowerCase());
  }
  return words;
}
