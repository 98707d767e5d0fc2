/** RFC 3339 with a `T`; other checks also take a space, which no other parser does. */
const dateTime = /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

const EARLIEST = Date.parse('0001-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/** The parser takes the 30th of February for the 2nd of March; a day that does not exist is none. */
const isDay = (text: string) => {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
};

/**
 * Checks whether a text is an instant that `Date` and Postgres both know: RFC 3339, from the year 1 to 9999 in UTC, and no
 * leap second, which neither can hold.
 */
export function isInstant(text: string): boolean {
  if (!dateTime.test(text) || !isDay(text.slice(0, 10))) return false;
  const at = Date.parse(text);
  return at >= EARLIEST && at <= LATEST;
}
