/** A JSON object whose members are not known. */
export type ResultRow = Readonly<Record<string, unknown>>;

/** Checks whether a value is an object with members by name. */
export function isRecord(value: unknown): value is ResultRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects of a list; none of what is no list. */
export function rowsOf(value: unknown): readonly ResultRow[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** The objects of a list by the text that one of their members holds. */
export function byName(value: unknown, name: string): ResultRow {
  return Object.fromEntries(rowsOf(value).map((row) => [String(row[name]), row]));
}
