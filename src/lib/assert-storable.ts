import { AppError } from '#src/lib/errors.ts';
import { escapeStep } from '#src/lib/json-pointer.ts';

/**
 * Refuses what JSON can say and Postgres cannot keep: the character U+0000 and lone surrogates, in texts and in names at
 * any depth.
 *
 * @throws AppError `invalid_request` naming the field that it is in
 */
export function assertStorable(input: unknown): void {
  // a list and no recursion: how deep an input goes is up to the client that sends it
  const waiting: (readonly [field: string, value: unknown])[] = [['', input]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [field, value] = next;
    if (typeof value === 'string') assertText(field, value);
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, inner] of Object.entries(value)) {
      assertText(field, name);
      waiting.push([field || name, inner]);
    }
  }
}

/**
 * Finds what Postgres cannot keep in a value of JSON: U+0000 or a lone surrogate, in a text or a name.
 *
 * @returns its JSON pointer, null where there is none
 */
export function unstorableAt(input: unknown): string | null {
  const waiting: (readonly [pointer: string, value: unknown])[] = [['', input]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [pointer, value] = next;
    if (typeof value === 'string' && !isStorable(value)) return pointer;
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, inner] of Object.entries(value)) {
      if (!isStorable(name)) return pointer;
      waiting.push([`${pointer}/${escapeStep(name)}`, inner]);
    }
  }
  return null;
}

/** Checks whether Postgres can keep a text as it is. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

function assertText(field: string, text: string): void {
  if (isStorable(text)) return;
  throw new AppError(
    'invalid_request',
    `${field || 'body'}: expected text without the character U+0000 and lone surrogates, got ${JSON.stringify(text.slice(0, 80))}.`,
    { field: field || 'body' },
  );
}
