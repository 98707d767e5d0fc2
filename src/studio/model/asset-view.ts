import { signedLink } from '#src/providers/assets/asset-links.ts';
import type { Asset } from '#src/providers/assets/assets.ts';
import { publicUrlOf } from '#src/system/config/public-url.ts';
import type { Context } from '#src/system/context.ts';

const LINK_SECONDS = 3_600;

/** An asset as its owner sees it. */
export function assetView({ owner: _owner, createdAt, erasedAt, ...asset }: Asset) {
  return {
    ...asset,
    status: erasedAt ? 'erased' : 'kept',
    createdAt: createdAt.toISOString(),
    erasedAt: erasedAt?.toISOString() ?? null,
    links: { content: `/v1/artefacts/${asset.sha256}?asset=${asset.id}`, job: `/v1/jobs/${asset.job}` },
  };
}

/** Builds the same view with an address that anybody may fetch it from for an hour: for players and downloads. */
export function linkedAsset({ config }: Pick<Context, 'config'>, asset: Asset) {
  const view = assetView(asset);
  if (asset.erasedAt) return { ...view, url: null, urlExpiresAt: null };
  const now = Date.now();
  return {
    ...view,
    url: `${publicUrlOf(config, 'studio')}${signedLink(config, asset, { seconds: LINK_SECONDS, now })}`,
    urlExpiresAt: new Date(now + LINK_SECONDS * 1_000).toISOString(),
  };
}
