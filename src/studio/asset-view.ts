import type { Asset } from '#src/providers/assets.ts';

/** An asset as its owner sees it. */
export function assetView({ owner: _owner, createdAt, erasedAt, ...asset }: Asset) {
  return {
    ...asset,
    status: erasedAt ? 'erased' : 'kept',
    createdAt: createdAt.toISOString(),
    erasedAt: erasedAt?.toISOString() ?? null,
    links: { content: `/v1/artefacts/${asset.sha256}`, job: `/v1/jobs/${asset.job}` },
  };
}
