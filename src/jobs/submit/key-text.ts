import { AppError } from '#src/lib/errors.ts';

/**
 * Refuses a key that Postgres would keep as another text: it is stored once and never found again.
 *
 * @throws AppError `invalid_request`
 */
export function assertKeyText(name: string, key: string, most: number): void {
  if (key.length > 0 && key.length <= most && key.isWellFormed() && !key.includes('\0')) return;
  throw new AppError(
    'invalid_request',
    `${name}: expected 1 to ${most} characters without \\u0000 and lone surrogates, got ${JSON.stringify(key.slice(0, 80))}.`,
  );
}
