import type { Aspect } from '#queues/providers.ts';
import type { Asset } from '#src/providers/assets/assets.ts';
import type { ChannelFormat } from '#src/studio/domain/channel-formats.ts';

/** Approved assets that go into a channel's package. */
export interface ChosenMedia {
  /** The one film of the post. */
  readonly film: Asset | null;
  readonly pictures: readonly Asset[];
  /** Sound and texts, where there is nothing to see; they go in as they are. */
  readonly others: readonly Asset[];
  readonly leftOut: readonly { readonly asset: Asset; readonly why: string }[];
}

/** Changes that a film or picture needs for a channel. */
export interface MediaMisfit {
  readonly aspect: Aspect;
  /** Length that it is cut to; null where it stays. Seconds. */
  readonly seconds: number | null;
}

/** Two shapes are the same where they differ by less: a pixel more or less of a small picture is none. */
const SAME_SHAPE = 0.01;

/**
 * One film, that which needs the least change, and the pictures in the channel's shape, or all of them where none has
 * it. What shows another asset at a glance is its thumbnail and no picture of its own. What is not taken is named, and
 * why.
 */
export function chooseMedia(assets: readonly Asset[], format: ChannelFormat): ChosenMedia {
  const thumbnails = new Set(assets.map(({ thumbnail }) => thumbnail));
  const films = assets.filter(({ kind }) => kind === 'video').toSorted(byChange(format));
  const all = assets.filter(({ kind, id }) => kind === 'image' && !thumbnails.has(id));
  const shaped = all.filter((asset) => hasShape(asset, format.aspect));
  const pictures = shaped.length > 0 ? shaped : all;
  const [film = null] = films;
  const rest = assets.filter((asset) => asset.kind !== 'video' && asset.kind !== 'image' && !isCaptions(asset));
  const isSeen = film !== null || pictures.length > 0;
  return {
    film,
    pictures,
    others: isSeen ? [] : rest,
    leftOut: [
      ...films.slice(1).map((asset) => ({ asset, why: 'another film needs less change for this channel' })),
      ...(shaped.length > 0 ? all.filter((asset) => !shaped.includes(asset)) : []).map((asset) => ({
        asset,
        why: 'there are pictures in the shape of this channel',
      })),
      ...(isSeen ? rest : []).map((asset) => ({ asset, why: 'the channel takes what can be seen' })),
    ],
  };
}

export function isCaptions({ mediaType }: Pick<Asset, 'mediaType'>): boolean {
  return /^text\/vtt\b/.test(mediaType);
}

/** Computes the changes that a film or picture needs; null where it fits. One whose size is not known does not. */
export function misfitOf(asset: Asset, { aspect, seconds }: ChannelFormat): MediaMisfit | null {
  const tooLong = seconds !== null && (asset.duration ?? 0) > seconds;
  if (hasShape(asset, aspect) && !tooLong) return null;
  return { aspect, seconds: tooLong ? seconds : null };
}

export function hasShape({ width, height }: Pick<Asset, 'width' | 'height'>, aspect: Aspect): boolean {
  return width !== null && height !== null && Math.abs(Math.log(width / height / ratioOf(aspect))) < SAME_SHAPE;
}

function ratioOf(aspect: Aspect): number {
  const [width = 1, height = 1] = aspect.split(':').map(Number);
  return width / height;
}

/** Orders assets by fit, then by nearness in shape, then by more pixels, then by age. */
function byChange(format: ChannelFormat) {
  const change = (asset: Asset): readonly number[] => [
    misfitOf(asset, format) === null ? 0 : 1,
    Math.round(Math.abs(Math.log((asset.width ?? 1) / (asset.height ?? 1) / ratioOf(format.aspect))) * 100),
    -(asset.width ?? 0) * (asset.height ?? 0),
  ];
  return (left: Asset, right: Asset): number => {
    const [a, b] = [change(left), change(right)];
    const differing = a.findIndex((value, index) => value !== b[index]);
    if (differing >= 0) return (a[differing] ?? 0) - (b[differing] ?? 0);
    return left.id < right.id ? -1 : Number(left.id > right.id);
  };
}
