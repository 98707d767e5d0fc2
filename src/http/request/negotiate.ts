/**
 * Returns the weight of a media type in a client's `Accept`, 0 to 1 (RFC 9110, 12.5.1): 0 for one that is not named, as
 * a wildcard leaves the choice to the server.
 */
export function wishFor(type: string, header: string | undefined): number {
  for (const range of (header ?? '').toLowerCase().split(',')) {
    const [name, ...parameters] = range.split(';').map((part) => part.trim());
    if (name !== type) continue;
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    if (weight === undefined) return 1;
    return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0;
  }
  return 0;
}

/** Wish of a client in `Prefer` (RFC 7240): an answer at once, or a wait of so many milliseconds at most. */
interface Preference {
  readonly waitMs: number;
  /** Value of `Preference-Applied`; null when no preference was sent that we honour. */
  readonly applied: string | null;
}

/**
 * Reads `Prefer`. `mostMs` is our wait without a preference, and the longest one that a client gets. Preferences we do
 * not know are ignored, as the RFC wants.
 */
export function parsePrefer(header: string | undefined, mostMs: number): Preference {
  const wishes = (header ?? '')
    .toLowerCase()
    .split(',')
    .map((wish) => wish.split(';')[0]?.trim() ?? '');
  const seconds = wishes
    .map((wish) => /^wait\s*=\s*"?(\d{1,6})"?$/.exec(wish)?.[1])
    .find((found) => found !== undefined);
  if (seconds !== undefined) return { waitMs: Math.min(Number(seconds) * 1_000, mostMs), applied: `wait=${seconds}` };
  if (wishes.includes('respond-async')) return { waitMs: 0, applied: 'respond-async' };
  return { waitMs: mostMs, applied: null };
}
