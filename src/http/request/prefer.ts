/** What a client asks with `Prefer` (RFC 7240): an answer at once, or a wait of so many milliseconds at most. */
export interface Preference {
  readonly waitMs: number;
  /** For `Preference-Applied`; null when nothing was asked that we honour. */
  readonly applied: string | null;
}

/** `mostMs` is what we wait without being asked, and the longest that we can be asked for. Preferences we do not know are ignored, as the RFC wants. */
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
