import { type Static, Type } from 'typebox';
import type { Result } from '#queues/define.ts';
import type { generate } from '#queues/providers.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { lifecycle, lifecycleOf } from '#src/platform/edge/lifecycle.ts';
import { signedLink } from '#src/providers/assets/asset-links.ts';
import { type Asset, assetBytes, assetKinds, readAsset } from '#src/providers/assets/assets.ts';
import { publicUrlOf } from '#src/system/config/public-url.ts';
import type { Context } from '#src/system/context.ts';

const LINK_SECONDS = 3_600;
const nullable = <S extends Type.TSchema>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description });

/** An asset as answers of the platform show it. */
export const AssetView = Type.Object(
  {
    id: Type.String({ description: 'Names the asset; other requests can start from it' }),
    name: Type.String({ description: 'Name within its job' }),
    kind: Type.Enum([...assetKinds], { type: 'string', description: 'Kind of asset' }),
    media_type: Type.String({ description: 'Type of its bytes' }),
    bytes: Type.Integer({ minimum: 0, description: 'Number of bytes' }),
    sha256: Type.String({ description: 'SHA-256 of its bytes, lower-case hexadecimal' }),
    width: nullable(Type.Integer(), 'Pixels'),
    height: nullable(Type.Integer(), 'Pixels'),
    duration: nullable(Type.Number(), 'Seconds'),
    url: nullable(
      Type.String(),
      'Address at which anybody can fetch it until `url_expires_at`; null once its bytes are erased',
    ),
    url_expires_at: nullable(Type.Integer(), 'Seconds since 1970'),
  },
  { title: 'MediaAsset', description: 'Something that was made' },
);

/** The answer of work that makes films or sound. */
export const MadeAnswer = Type.Object(
  {
    created: Type.Integer({ description: 'Time at which it was ready, in seconds since 1970' }),
    data: Type.Array(AssetView, { description: 'Requested assets' }),
    attachments: Type.Array(AssetView, { description: 'Assets that came with them: thumbnails, captions' }),
    ...lifecycle,
  },
  { title: 'MadeMedia' },
);

export const ImagesAnswer = Type.Object(
  {
    created: Type.Integer({ description: 'Time at which they were ready, in seconds since 1970' }),
    data: Type.Array(
      Type.Object({
        url: Type.Optional(Type.String({ description: 'Address at which anybody can fetch it for an hour' })),
        b64_json: Type.Optional(Type.String({ description: 'The bytes in base64, unless `response_format` is `url`' })),
        asset: AssetView,
      }),
      { description: 'The pictures' },
    ),
    size: Type.Optional(Type.String({ description: 'Size of the first picture, as `WIDTHxHEIGHT`' })),
    output_format: Type.Optional(Type.String({ description: 'Format of the first picture: `png`, `jpeg`, `webp`' })),
    ...lifecycle,
  },
  { title: 'MadeImages' },
);

export const TranscriptAnswer = Type.Object(
  {
    text: Type.String({ description: 'Text of the recording' }),
    usage: Type.Optional(
      Type.Object({
        type: Type.Enum(['duration'], { type: 'string' }),
        seconds: Type.Number({ description: 'Length of the recording' }),
      }),
    ),
    ...lifecycle,
  },
  { title: 'Transcript' },
);

export type MadeResult = Result<typeof generate>;

export function mediaAssetView({ config }: Pick<Context, 'config'>, asset: Asset): Static<typeof AssetView> {
  const { id, name, kind, mediaType, size, sha256, width, height, duration, erasedAt } = asset;
  const now = Date.now();
  const link = `${publicUrlOf(config, 'platform')}${signedLink(config, asset, { seconds: LINK_SECONDS, now })}`;
  return {
    id: `asset-${id}`,
    name,
    kind,
    media_type: mediaType,
    bytes: size,
    sha256,
    width,
    height,
    duration,
    url: erasedAt ? null : link,
    url_expires_at: erasedAt ? null : Math.floor(now / 1_000) + LINK_SECONDS,
  };
}

/** Reads the assets that a job has made, in the order in which it made them. */
export async function madeAssets(context: Context, { owner }: Job, { assets }: MadeResult): Promise<readonly Asset[]> {
  const found = await Promise.all(assets.map(async ({ id }) => await readAsset(context, id, owner)));
  return found.filter((asset) => asset !== null);
}

const createdOf = ({ finishedAt }: Job): number => Math.floor((finishedAt ?? new Date()).getTime() / 1_000);

/** Presents films or sound: `main` is the requested kind, the other assets came with it. */
export const presentMade = (main: Asset['kind']) => async (context: Context, job: Job, result: MadeResult) => {
  const assets = await madeAssets(context, job, result);
  const views = (isMain: boolean) =>
    assets.filter(({ kind }) => (kind === main) === isMain).map((asset) => mediaAssetView(context, asset));
  return {
    created: createdOf(job),
    data: views(true),
    attachments: views(false),
    ...lifecycleOf(context, job),
  } satisfies Static<typeof MadeAnswer>;
};

/** Presents pictures, with their bytes unless `body` requests addresses alone, or without a known body. */
export async function presentImages(
  context: Context,
  job: Job,
  result: MadeResult,
  body?: { readonly response_format?: string },
): Promise<Static<typeof ImagesAnswer>> {
  const images = (await madeAssets(context, job, result)).filter(({ kind }) => kind === 'image');
  const isInline = body !== undefined && body.response_format !== 'url';
  const data = images.map(async (image) => {
    const asset = mediaAssetView(context, image);
    const bytes = isInline && !image.erasedAt ? Buffer.from(await assetBytes(context, image)) : null;
    return {
      ...(asset.url !== null && { url: asset.url }),
      ...(bytes && { b64_json: bytes.toString('base64') }),
      asset,
    };
  });
  const [first] = images;
  return {
    created: createdOf(job),
    data: await Promise.all(data),
    ...(first?.width && first.height && { size: `${first.width}x${first.height}` }),
    ...(first && { output_format: first.mediaType.replace('image/', '') }),
    ...lifecycleOf(context, job),
  };
}

/** Answers what was said in a recording. */
export async function presentTranscript(
  context: Context,
  job: Job,
  { text = '' }: MadeResult,
): Promise<Static<typeof TranscriptAnswer>> {
  const { request } = job.payload as { readonly request: { readonly inputs?: { readonly audio?: string } } };
  const recording = await readAsset(context, request.inputs?.audio ?? '', job.owner);
  const seconds = recording?.duration;
  return {
    text,
    ...(typeof seconds === 'number' && { usage: { type: 'duration' as const, seconds } }),
    ...lifecycleOf(context, job),
  };
}
