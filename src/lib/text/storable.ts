/** A text as Postgres can keep it: without U+0000 and lone surrogates, which are shown as replaced. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\u{FFFD}').toWellFormed();
}

/** The same of every text in a value of JSON. */
export function storableJson(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_name, one: unknown) => (typeof one === 'string' ? storableText(one) : one)),
  );
}
