import { AppError } from '#src/lib/errors.ts';

/** What the first request under a key failed with, told again: the same request will never end otherwise. */
export class ReplayedFailure extends AppError {}

/**
 * What an answer says of when to come again: whole seconds until the first of these is over, at least one; nothing where
 * none is known.
 *
 * @param waitsMs of whoever could not be asked
 */
export function retryAfter(waitsMs: readonly (number | undefined)[]): { readonly retry_after_seconds?: number } {
  const known = waitsMs.filter((waitMs) => waitMs !== undefined);
  if (known.length === 0) return {};
  return { retry_after_seconds: Math.max(1, Math.ceil(Math.min(...known) / 1_000)) };
}
