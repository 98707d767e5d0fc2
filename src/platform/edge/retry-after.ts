/**
 * Returns the detail that becomes `Retry-After`: whole seconds until the shortest of these waits is over, at least one;
 * nothing where none is known.
 *
 * @param waitsMs waits of the providers that cannot be called now
 */
export function retryAfter(waitsMs: readonly (number | undefined)[]): { readonly retry_after_seconds?: number } {
  const known = waitsMs.filter((waitMs) => waitMs !== undefined);
  if (known.length === 0) return {};
  return { retry_after_seconds: Math.max(1, Math.ceil(Math.min(...known) / 1_000)) };
}
