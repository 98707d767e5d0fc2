import type { Asset } from '#console/pages/studio/parts/studio-types.ts';
import { Empty } from '#console/ui/states/empty.tsx';
import classes from './asset-player.module.css';

interface Props {
  readonly asset: Asset;
  /** Assets made with it: its captions, and its poster. */
  readonly beside?: readonly Asset[];
}

/** An asset as it is: played, shown, or to be taken. */
export function AssetPlayer({ asset, beside = [] }: Props) {
  const { kind, status, name, links, thumbnail, width, height } = asset;
  if (status === 'erased')
    return <Empty title="Its bytes were erased">Retention forgot them; what is said of it stays.</Empty>;
  if (kind === 'video') {
    const captions = captionsOf(asset, beside);
    const poster = beside.find(({ id }) => id === thumbnail)?.links.content;
    return (
      <video
        key={asset.id}
        className={classes['media']}
        controls
        playsInline
        preload="metadata"
        src={links.content}
        aria-label={name}
        {...(poster !== undefined && { poster })}
        {...(width && height && { style: { aspectRatio: `${width} / ${height}` } })}
      >
        <track kind="captions" srcLang="en" label="Captions" src={captions?.links.content} />
      </video>
    );
  }
  if (kind === 'audio') {
    return (
      <audio className={classes['sound']} controls preload="metadata" src={links.content} aria-label={name}>
        <track kind="captions" srcLang="en" label="Captions" src={captionsOf(asset, beside)?.links.content} />
      </audio>
    );
  }
  if (kind === 'image') return <img className={classes['media']} src={links.content} alt={name} />;
  return <Empty title="Nothing to play">Take it to look into it.</Empty>;
}

/** Captions come of the same call. */
function captionsOf({ job }: Asset, beside: readonly Asset[]): Asset | undefined {
  return beside.find((one) => one.job === job && one.mediaType.startsWith('text/vtt') && one.status === 'kept');
}
