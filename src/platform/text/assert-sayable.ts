import { AppError } from '#src/lib/errors.ts';

/**
 * Refuses a body with a text that cannot be stored or passed on: with `\u0000`, or half a character.
 *
 * @throws AppError `invalid_request` naming its place (`body.messages[0].content`)
 */
export function assertSayable(body: unknown): void {
  // a list and no recursion: the client decides how deep a body is
  const waiting: (readonly [path: string, value: unknown])[] = [['body', body]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [path, value] = next;
    if (typeof value === 'string') assertText(path, value);
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, member] of Object.entries(value)) {
      assertText(path, name);
      waiting.push([Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`, member]);
    }
  }
}

function assertText(path: string, text: string): void {
  if (text.isWellFormed() && !text.includes('\u0000')) return;
  const got = text.isWellFormed() ? 'one with U+0000' : 'one with half a character';
  throw new AppError(
    'invalid_request',
    `${path}: expected text without the character U+0000 and lone surrogates, got ${got}.`,
    { field: path },
  );
}
