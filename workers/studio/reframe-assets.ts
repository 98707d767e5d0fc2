import { generate } from '#queues/providers.ts';
import type { publish } from '#queues/studio.ts';
import { openBudget } from '#src/governance/budgets/budgets.ts';
import type { Job } from '#src/jobs/model/job.ts';
import { StopReason } from '#src/jobs/model/stop-reason.ts';
import { awaitJobs } from '#src/jobs/read/await-jobs.ts';
import { clearSuspicion } from '#src/jobs/run/clear-suspect.ts';
import { submit } from '#src/jobs/submit/submit.ts';
import { type ErrorCode, errorCodes } from '#src/lib/error-codes.ts';
import { AppError, knownDetails } from '#src/lib/errors.ts';
import { type Asset, assetBytes, keepAsset, readAsset } from '#src/providers/assets/assets.ts';
import { localProvider } from '#src/providers/catalogue/local-provider.ts';
import { channelFormats } from '#src/studio/domain/channel-formats.ts';
import { nameOf } from '#src/studio/domain/shape-steps.ts';
import type { Channel } from '#src/studio/domain/words.ts';
import { insertStudioJob } from '#src/studio/model/store.ts';
import { chooseMedia, type MediaMisfit, misfitOf } from '#src/studio/packages/choose-media.ts';
import { type Reframed, type ReframedAssets, reframeKey } from '#src/studio/packages/compose-package.ts';
import type { Run } from '#workers/run/processor.ts';
import { cancelAll } from './child-jobs.ts';
import type { ReframedPicture, ReframePictureTask } from './reframe-picture.thread.ts';

const pictureThread = new URL('./reframe-picture.thread.ts', import.meta.url);
const drawable: readonly string[] = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];
/** Held in memory several times while it is drawn. */
const MOST_PICTURE_BYTES = 32 * 1_048_576;
const MOST_PICTURE_PIXELS = 50_000_000;
/** Longest film that a request can ask for, in seconds. */
const MOST_SECONDS = 300;
const MOST_SHORT_SIDE = 1_080;
/** Short side of a film whose size is not known. */
const USUAL_SHORT_SIDE = 720;

/** Failures after which the original goes into the package instead; any other ends the publication. */
const replaceable: ReadonlySet<ErrorCode> = new Set([
  'media_unavailable',
  'provider_refused',
  'provider_failed',
  'providers_exhausted',
]);

export type Reframing = Pick<Run<typeof publish>, 'context' | 'job' | 'signal' | 'threads'> & {
  readonly plan: string | null;
  readonly assets: readonly Asset[];
};

interface Need {
  readonly asset: Asset;
  readonly misfit: MediaMisfit;
  /** Names what comes of it, among the assets of its job. */
  readonly name: string;
}

/**
 * Brings what does not fit these channels into their shapes and lengths, each shape once: films by child jobs of the
 * local provider, side by side, under a budget of nothing; pictures here. Run again, it finds what it has made.
 *
 * @throws AppError `cancelled` for a child that was cancelled, or of a child that failed for a reason of our own
 */
export async function reframeAssets(reframing: Reframing, channels: readonly Channel[]): Promise<ReframedAssets> {
  const needs = needsOf(reframing.assets, channels);
  const made = new Map<string, Reframed>();
  const films = needs.filter(({ asset }) => asset.kind === 'video');
  if (films.length > 0) await openBudget(reframing.context.db, `job:${reframing.job.id}`, 0);
  await reframeFilms(reframing, films, made);
  for (const need of needs) {
    if (need.asset.kind === 'image') made.set(keyOf(need), await reframePicture(reframing, need));
  }
  return made;
}

const keyOf = ({ asset, misfit }: Need): string => reframeKey(asset, misfit);

function needsOf(assets: readonly Asset[], channels: readonly Channel[]): readonly Need[] {
  const needs = new Map<string, Need>();
  for (const channel of channels) {
    const format = channelFormats[channel];
    const { film, pictures } = chooseMedia(assets, format);
    for (const asset of [...(film ? [film] : []), ...pictures]) {
      const misfit = misfitOf(asset, format);
      if (!misfit) continue;
      const what = `${asset.kind === 'video' ? 'film' : 'picture'}-${assets.indexOf(asset) + 1}`;
      const length = misfit.seconds === null ? '' : `-${misfit.seconds}s`;
      needs.set(reframeKey(asset, misfit), { asset, misfit, name: `${what}-${nameOf(misfit.aspect)}${length}` });
    }
  }
  return [...needs.values()];
}

async function reframeFilms(
  { context, job, signal, plan }: Reframing,
  needs: readonly Need[],
  made: Map<string, Reframed>,
): Promise<void> {
  const children = new Map<string, Need>();
  try {
    for (const need of needs) {
      const id = await startFilm({ context, job, plan }, need);
      if (id === null) made.set(keyOf(need), { reason: `only ${MOST_SECONDS} s at most can be re-framed here.` });
      else children.set(id, need);
    }
    // as of a render: its calls may be suspects as well
    if (children.size > 0 && (await clearSuspicion(context, job))) throw new StopReason('drain');
    const ended = await awaitJobs(context, [...children.keys()], signal);
    for (const [id, need] of children) made.set(keyOf(need), await outcomeOf(context, job.owner, ended.get(id)));
  } catch (error) {
    // the next attempt goes on with the children it finds; of a publication that failed for good the studio ends them
    if (isCancelled(signal))
      await cancelAll(context, [...children.keys()], 'the publication it belongs to was cancelled');
    throw error;
  }
}

function isCancelled({ reason }: AbortSignal): boolean {
  return reason instanceof StopReason && reason.why === 'cancelled';
}

/** Submits a film to be re-framed; null for one that is too long. */
async function startFilm(
  { context, job, plan }: Pick<Reframing, 'context' | 'job' | 'plan'>,
  { asset, misfit, name }: Need,
): Promise<string | null> {
  const { aspect } = misfit;
  const seconds = misfit.seconds ?? asset.duration;
  if (seconds !== null && seconds > MOST_SECONDS) return null;
  const { job: child } = await submit(context, generate, {
    principal: { owner: job.owner },
    parentId: job.id,
    idempotencyKey: `${job.id}.${name}`,
    payload: {
      capability: 'video.edit',
      request: {
        prompt: `The same film in ${aspect}.`,
        aspect,
        resolution: shortSideOf(asset),
        ...(seconds !== null && { seconds }),
        inputs: { video: asset.id },
        options: { fit: 'blur' },
      },
      route: [{ provider: localProvider.id, quoted: 0 }],
      budgets: [`job:${job.id}`],
      surface: 'studio',
      keyId: null,
      name,
    },
  });
  await insertStudioJob(context.db, { id: child.id, owner: job.owner, kind: 'call', plan, parent: job.id });
  return child.id;
}

async function outcomeOf(context: Reframing['context'], owner: string, job: Job | undefined): Promise<Reframed> {
  if (job?.state === 'succeeded') {
    const { assets } = job.result as { readonly assets: readonly { readonly id: string; readonly kind: string }[] };
    const film = assets.find(({ kind }) => kind === 'video');
    const asset = film ? await readAsset(context, film.id, owner) : null;
    return asset ? { asset } : { reason: 'what came of it was no film.' };
  }
  if (job?.state === 'cancelled') throw new AppError('cancelled', 'Re-framing a film was cancelled.', { job: job.id });
  const code = job?.error && Object.hasOwn(errorCodes, job.error.code) ? (job.error.code as ErrorCode) : 'internal';
  const message = job?.error?.message ?? 'its job is gone.';
  if (replaceable.has(code)) return { reason: message };
  const details = knownDetails({ ...(job?.error?.details as object | undefined), job: job?.id });
  throw new AppError(code, `Re-framing a film failed: ${message}`, details);
}

async function reframePicture(
  { context, job, signal, threads }: Reframing,
  { asset, misfit, name }: Need,
): Promise<Reframed> {
  const reason = whyNot(asset);
  if (reason !== null) return { reason };
  const task: ReframePictureTask = {
    bytes: await assetBytes(context, asset),
    mediaType: asset.mediaType,
    aspect: misfit.aspect,
    shortSide: shortSideOf(asset),
  };
  try {
    const { bytes, width, height } = await threads.run<ReframedPicture>(pictureThread, task, signal);
    const kept = await keepAsset(context, {
      owner: job.owner,
      job: job.id,
      name,
      produced: { kind: 'image', mediaType: 'image/png', bytes, width, height },
      provider: localProvider.id,
      capability: 'image.edit',
      surface: 'studio',
      // another shape does not change how that came about
      madeFrom: [asset.id],
    });
    return { asset: kept };
  } catch (error) {
    if (error instanceof AppError && replaceable.has(error.code)) return { reason: error.message };
    throw error;
  }
}

/** Why a picture is not drawn again; null where it is. */
function whyNot({ mediaType, size, width, height }: Asset): string | null {
  if (!drawable.includes(mediaType)) return `${mediaType} is not re-framed here.`;
  if (width === null || height === null) return 'how large it is is not known.';
  if (size <= MOST_PICTURE_BYTES && width * height <= MOST_PICTURE_PIXELS) return null;
  return `it is larger than ${MOST_PICTURE_BYTES} bytes or ${MOST_PICTURE_PIXELS} pixels.`;
}

/** Pixels of the short side: as many as there are, within what the local provider makes; even. */
function shortSideOf({ width, height }: Asset): number {
  const short = width === null || height === null ? USUAL_SHORT_SIDE : Math.min(width, height);
  return Math.min(MOST_SHORT_SIDE, Math.max(64, short));
}
