import type { Context } from '#src/system/context.ts';
import type { Produced } from './adapter.ts';
import { type Asset, type AssetOrigin, keepAsset } from './assets.ts';

/**
 * Keeps all that one call has produced, those that others have as their thumbnail first.
 *
 * @param nameOf what each is called within its job
 */
export async function keepAssets(
  context: Context,
  origin: AssetOrigin,
  produced: readonly Produced[],
  nameOf: (name: string) => string = String,
): Promise<readonly Asset[]> {
  const shown = new Set(produced.map(({ thumbnail }) => thumbnail));
  const kept = new Map<string, Asset>();
  // in order, as what comes later names what came before
  for (const one of produced.toSorted((left, right) => Number(shown.has(right.name)) - Number(shown.has(left.name)))) {
    const thumbnailId = one.thumbnail === undefined ? null : (kept.get(one.thumbnail)?.id ?? null);
    kept.set(one.name, await keepAsset(context, { ...origin, name: nameOf(one.name), produced: one, thumbnailId }));
  }
  return produced.map(({ name }) => kept.get(name)).filter((asset) => asset !== undefined);
}
