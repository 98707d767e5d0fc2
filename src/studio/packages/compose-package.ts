import { type Asset, assetBytes, listAssetsOfJobs, readAsset } from '#src/providers/assets/assets.ts';
import { type ChannelFormat, channelFormats } from '#src/studio/domain/channel-formats.ts';
import { cutCaptions } from '#src/studio/domain/cut-captions.ts';
import type { Channel } from '#src/studio/domain/words.ts';
import type { Context } from '#src/system/context.ts';
import { type ChosenMedia, chooseMedia, isCaptions, type MediaMisfit, misfitOf } from './choose-media.ts';
import { assetFile, type PackageFile, textFile } from './package-files.ts';
import { manifestOf, type PackageManifest, type Publication } from './package-manifest.ts';
import { readMe } from './read-me.ts';

/** Result of re-framing an asset: another one, or why there is none. */
export type Reframed = { readonly asset: Asset } | { readonly reason: string };

/** Every re-framing that a publication needs, by {@link reframeKey}. */
export type ReframedAssets = ReadonlyMap<string, Reframed>;

/** Names a re-framing: channels with the same shape and length share it. */
export function reframeKey({ id }: Pick<Asset, 'id'>, { aspect, seconds }: MediaMisfit): string {
  return `${id} ${aspect} ${seconds ?? 'whole'}`;
}

export interface ComposedPackage {
  readonly manifest: PackageManifest;
  /** In the order in which they are packed, without the checksums. */
  readonly files: readonly PackageFile[];
}

/** All files of a channel's package, and what is said of them. */
export async function composePackage(
  context: Context,
  publication: Publication,
  channel: Channel,
  reframed: ReframedAssets,
): Promise<ComposedPackage> {
  const format = channelFormats[channel];
  const chosen = chooseMedia(publication.assets, format);
  const media = placeMedia(chosen, format, reframed);
  const [film] = media.files.filter(({ role }) => role === 'film');
  const files = [...media.files, ...(film ? await besideFilm(context, film) : [])];
  const manifest = manifestOf(publication, channel, { files, leftOut: chosen.leftOut, warnings: media.warnings });
  const alt = manifest.files.flatMap(({ path, altText }) => (altText === null ? [] : [`${path}: ${altText}\n`]));
  return {
    manifest,
    files: [
      ...files,
      textFile('caption.txt', 'caption', 'text/plain; charset=utf-8', `${manifest.caption}\n`),
      ...(manifest.title === null
        ? []
        : [textFile('title.txt', 'title', 'text/plain; charset=utf-8', `${manifest.title}\n`)]),
      ...(alt.length === 0 ? [] : [textFile('alt-text.txt', 'alt-text', 'text/plain; charset=utf-8', alt.join(''))]),
      textFile('manifest.json', 'manifest', 'application/json', `${JSON.stringify(manifest, null, 2)}\n`),
      textFile('README.txt', 'read-me', 'text/plain; charset=utf-8', readMe(manifest)),
    ],
  };
}

function placeMedia(
  { film, pictures, others }: ChosenMedia,
  format: ChannelFormat,
  reframed: ReframedAssets,
): { readonly files: readonly PackageFile[]; readonly warnings: readonly string[] } {
  const warnings: string[] = [];
  const place = (stem: string, role: 'film' | 'picture', asset: Asset): PackageFile => {
    const misfit = misfitOf(asset, format);
    if (!misfit) return assetFile(stem, role, asset);
    const made = reframed.get(reframeKey(asset, misfit));
    if (made && 'asset' in made) {
      if (misfit.seconds !== null)
        warnings.push(`${stem}: cut to its first ${misfit.seconds} s, which is the most that ${format.title} takes.`);
      return assetFile(stem, role, made.asset, asset);
    }
    warnings.push(
      `${stem}: this is the original, which does not fit ${format.title} (${format.aspect}${misfit.seconds === null ? '' : `, at most ${misfit.seconds} s`}): ${made?.reason ?? 'it was not re-framed.'}`,
    );
    return assetFile(stem, role, asset);
  };
  const files = [
    ...(film ? [place('media/film', 'film', film)] : []),
    ...pictures.map((asset, index) => place(`media/picture-${index + 1}`, 'picture', asset)),
    ...others.map((asset, index) => assetFile(`media/file-${index + 1}`, 'other', asset)),
  ];
  if (!film && pictures.length === 0)
    warnings.push(`There is no film and no picture among what was approved, which is what ${format.title} shows.`);
  return { files, warnings };
}

/** Finds the thumbnail of a film and its captions. Both are of the film, so approving it approves them. */
async function besideFilm(context: Context, { asset, source }: PackageFile): Promise<PackageFile[]> {
  if (!asset) return [];
  const { owner } = asset;
  const shown = asset.thumbnail === null ? null : await readAsset(context, asset.thumbnail, owner);
  const beside = await listAssetsOfJobs(context, [(source ?? asset).job]);
  const captions = beside.find((one) => isCaptions(one) && one.owner === owner && one.erasedAt === null);
  return [
    ...(shown && shown.erasedAt === null ? [assetFile('thumbnail', 'thumbnail', shown)] : []),
    ...(captions ? [await captionsFile(context, captions, asset)] : []),
  ];
}

async function captionsFile(context: Context, captions: Asset, film: Asset): Promise<PackageFile> {
  const text = new TextDecoder().decode(await assetBytes(context, captions));
  const cut = film.duration === null ? text : cutCaptions(text, film.duration);
  // the stored file where nothing changes
  if (cut.trimEnd() === text.trimEnd()) return assetFile('captions', 'captions', captions);
  return textFile('captions.vtt', 'captions', captions.mediaType, cut);
}
