import { AppError } from '#src/lib/errors.ts';

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

function assertText(field: string, text: string): void {
  if (text.isWellFormed() && !text.includes('\0')) return;
  throw new AppError(
    'invalid_request',
    `${field || 'body'}: expected text without the character U+0000 and lone surrogates, got ${JSON.stringify(text.slice(0, 80))}.`,
    { field: field || 'body' },
  );
}
