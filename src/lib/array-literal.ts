/**
 * A Postgres array of what needs no quotes (uuids, numbers, booleans), as text; null where every value is null: `unnest`
 * gives nulls for it beside longer arrays, and neither side writes or reads any. Half the cost of the driver's own.
 */
export function plainArray(values: readonly (string | number | boolean | null)[]): string | null {
  return values.every((value) => value === null) ? null : `{${values.map((value) => value ?? 'NULL').join(',')}}`;
}

/** A Postgres array of texts, as text; null where every value is null. */
export function textArray(values: readonly (string | null)[]): string | null {
  if (values.every((value) => value === null)) return null;
  return `{${values.map((value) => (value === null ? 'NULL' : `"${value.replace(/[\\"]/g, '\\$&')}"`)).join(',')}}`;
}
