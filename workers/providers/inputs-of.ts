import type { GenerationRequest } from '#queues/providers.ts';
import { AppError } from '#src/lib/errors.ts';
import { signedLink } from '#src/providers/assets/asset-links.ts';
import { assetBytes, readAsset } from '#src/providers/assets/assets.ts';
import type { InputAsset } from '#src/providers/catalogue/adapter.ts';
import type { Context } from '#src/system/context.ts';

/** A provider has so long to fetch an input: its task may wait in a queue there. */
const LINK_SECONDS = 6 * 3_600;

/** The assets that a request starts from, each once. */
export function inputIds({ inputs = {} }: GenerationRequest): readonly string[] {
  const { images = [], ...single } = inputs;
  return [...new Set([...images, ...Object.values(single)])];
}

/**
 * The assets of these ids, for providers to start from.
 *
 * @throws AppError `not_found` for one that this owner does not have.
 */
export async function inputsOf(
  context: Context,
  owner: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, InputAsset>> {
  const inputs = ids.map(async (id) => [id, await inputOf(context, owner, id)] as const);
  return new Map(await Promise.all(inputs));
}

async function inputOf(context: Context, owner: string, id: string): Promise<InputAsset> {
  const { config } = context;
  const asset = await readAsset(context, id, owner);
  if (!asset || asset.erasedAt)
    throw new AppError('not_found', `expected the id of an asset that is still there, got ${id}.`, { asset: id });
  return {
    id: asset.id,
    mediaType: asset.mediaType,
    bytes: async () => await assetBytes(context, asset),
    url: async () =>
      `${(config.PUBLIC_URL ?? '').replace(/\/+$/, '')}${signedLink(config, asset, { seconds: LINK_SECONDS })}`,
  };
}
