import type { MediaCapability } from '#queues/providers.ts';
import { localProvider } from '#src/providers/catalogue/local-provider.ts';
import type { PackageName } from '#src/providers/local/media/media-packages.ts';
import { runMedia } from './run-media.ts';

/** Without any of these, nothing comes of it. Films are made without speech where there is none. */
const needed: Partial<Record<MediaCapability, readonly PackageName[]>> = {
  'image.generate': ['@resvg/resvg-js', 'dejavu-fonts-ttf'],
  'image.upscale': ['node-av'],
  'tts.synthesize': ['@echogarden/espeak-ng-emscripten'],
  'music.generate': [],
  'video.generate': ['node-av', '@resvg/resvg-js', 'dejavu-fonts-ttf'],
  'video.from-image': ['node-av', '@resvg/resvg-js', 'dejavu-fonts-ttf'],
  'video.edit': ['node-av'],
  'avatar.talking-head-text': ['node-av', '@resvg/resvg-js', 'dejavu-fonts-ttf', '@echogarden/espeak-ng-emscripten'],
};

export type LocalHealth = Partial<Record<MediaCapability, string | null>>;

/** Reports what can be made with these packages: for each capability null, or why not. */
export function healthWith(reasons: Readonly<Record<PackageName, string | null>>): LocalHealth {
  const names = Object.keys(localProvider.capabilities) as MediaCapability[];
  return Object.fromEntries(
    names.map((name) => [name, needed[name]?.map((one) => reasons[one]).find((reason) => reason !== null) ?? null]),
  );
}

type Reasons = Readonly<Record<PackageName, string | null>>;
let known: Promise<Reasons> | undefined;

/**
 * Why a capability of the local provider cannot be used on this machine; null where it can. Found once, in a process of
 * its own, so that asking loads nothing into this one: packages do not come and go while we run.
 */
export async function localHealth(): Promise<LocalHealth> {
  return healthWith(await packagesHere());
}

/**
 * Returns the reason why FFmpeg cannot be used on this machine, whichever provider's files it would convert; null where
 * it can.
 */
export async function ffmpegReason(): Promise<string | null> {
  return (await packagesHere())['node-av'];
}

function packagesHere(): Promise<Reasons> {
  known ??= runMedia({ kind: 'check' }, 'checked').then(({ reasons }) => reasons);
  // a process that could not start says nothing about the next one
  known.catch(() => {
    known = undefined;
  });
  return known;
}
