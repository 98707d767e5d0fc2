import { Link } from 'wouter';
import type { Asset } from '#console/pages/studio/parts/studio-types.ts';
import { formatSize } from '#console/pages/studio/parts/words.ts';
import { Icon } from '#console/ui/icon.tsx';
import classes from './asset-grid.module.css';

/** Assets at a glance, each leading to itself. Pictures that only show others at a glance are left out. */
export function AssetGrid({ assets, most = 100 }: { readonly assets: readonly Asset[]; readonly most?: number }) {
  const thumbnails = new Set(assets.map(({ thumbnail }) => thumbnail));
  return (
    <ul className={classes['grid']}>
      {assets
        .filter(({ id }) => !thumbnails.has(id))
        .slice(0, most)
        .map((asset) => (
          <li key={asset.id}>
            <Link href={`/studio/assets/${asset.id}`} className={classes['asset']}>
              <span className={classes['picture']}>
                <Glance asset={asset} all={assets} />
              </span>
              <span className={classes['name']}>{asset.name}</span>
              <span className={classes['more']}>
                {[
                  asset.duration === null ? null : `${Math.round(asset.duration * 10) / 10} s`,
                  asset.width && asset.height ? `${asset.width} × ${asset.height}` : null,
                  formatSize(asset.size),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </Link>
          </li>
        ))}
    </ul>
  );
}

function Glance({ asset, all }: { readonly asset: Asset; readonly all: readonly Asset[] }) {
  const shown = asset.kind === 'image' ? asset : all.find(({ id }) => id === asset.thumbnail);
  if (!shown || shown.status === 'erased') return <span className={classes['kind']}>{kindOf(asset)}</span>;
  return (
    <>
      <img src={shown.links.content} alt="" loading="lazy" />
      {asset.kind === 'video' && (
        <span className={classes['play']}>
          <Icon name="play" size={14} />
        </span>
      )}
    </>
  );
}

function kindOf({ status, kind, mediaType }: Asset): string {
  if (status === 'erased') return 'erased';
  return kind === 'package' ? 'ZIP' : (mediaType.split('/')[1]?.split(';')[0] ?? kind);
}
