import { sum } from './shares.ts';

/** A group with less in the window than this share of what is due to it there goes before the others. */
const SHARE = 1 / 8;
/** Most jobs of a group that go before the others. */
const MOST = 16;

/**
 * Places up to which a group goes before the others, by name: far fewer than its weight gives it in a window of `most`, so
 * that who has little to do does not wait behind all that others have there. None where a whole window holds less than
 * one job of each: then all wait their turn.
 */
export function quietPlaces(
  names: readonly string[],
  weightOf: (name: string) => number,
  sizeOf: (name: string) => number,
  most: number,
): ReadonlyMap<string, number> {
  const all = sum(names.map(weightOf));
  return new Map(
    names.flatMap((name) => {
      const due = (most * weightOf(name)) / all;
      const places = due < 1 ? 0 : Math.max(1, Math.min(MOST, Math.floor(due * SHARE))) - sizeOf(name);
      return places > 0 ? [[name, places]] : [];
    }),
  );
}

/** Shares of such groups: the places that are left to each, together no more than `free`. */
export function quietShares(
  groups: readonly { readonly name: string; readonly most?: number }[],
  quiet: ReadonlyMap<string, number>,
  free: number,
): ReadonlyMap<string, number> {
  const shares = new Map<string, number>();
  let left = Math.max(0, free);
  for (const { name, most = Infinity } of groups) {
    const share = Math.max(0, Math.min(quiet.get(name) ?? 0, most, left));
    shares.set(name, share);
    left -= share;
  }
  return shares;
}
