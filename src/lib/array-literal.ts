/**
 * A Postgres array of what needs no quotes (uuids, numbers, booleans), as text; null where every value is null: `unnest`
 * gives nulls for it beside longer arrays, and neither side writes or reads any. Half the cost of the driver's own.
 */
export function plainArray(values: readonly (string | number | boolean | null)[]): string | null {
  return isNothing(values) ? null : `{${values.map((value) => value ?? 'NULL').join(',')}}`;
}

/** A Postgres array of texts, as text; null where every value is null. */
export function textArray(values: readonly (string | null)[]): string | null {
  if (isNothing(values)) return null;
  return `{${values.map((value) => (value === null ? 'NULL' : `"${value.replace(/[\\"]/g, '\\$&')}"`)).join(',')}}`;
}

/** True of values of which none says anything; an empty array is a value of its own. */
function isNothing(values: readonly unknown[]): boolean {
  return values.length > 0 && values.every((value) => value === null);
}
