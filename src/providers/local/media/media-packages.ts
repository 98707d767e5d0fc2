import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type * as api from 'node-av/api';
import type * as constants from 'node-av/constants';
import type * as lib from 'node-av/lib';
import { AppError } from '#src/lib/errors.ts';

/** FFmpeg, as far as it is used here. */
export type Av = typeof api & typeof lib & typeof constants;

/** Loaded when first used: each of them is optional, has parts of other platforms, or is large. */
const loaders = {
  'node-av': async (): Promise<Av> => {
    const [high, low, names] = await Promise.all([
      import('node-av/api'),
      import('node-av/lib'),
      import('node-av/constants'),
    ]);
    low.Log.setLevel(names.AV_LOG_ERROR);
    return { ...high, ...low, ...names };
  },
  '@echogarden/espeak-ng-emscripten': async () => (await import('@echogarden/espeak-ng-emscripten')).default,
  '@resvg/resvg-js': async () => (await import('@resvg/resvg-js')).Resvg,
  'dejavu-fonts-ttf': async (): Promise<readonly string[]> => {
    const require = createRequire(import.meta.url);
    const folder = dirname(require.resolve('dejavu-fonts-ttf/package.json'));
    const files = ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map((name) => join(folder, 'ttf', name));
    const missing = files.find((file) => !existsSync(file));
    if (missing !== undefined) throw new Error(`there is no ${missing}`);
    return files;
  },
};

export type Loaders = typeof loaders;
export type PackageName = keyof Loaders;
const packageNames = Object.keys(loaders) as readonly PackageName[];

/**
 * A package that local media are made with.
 *
 * @throws AppError `media_unavailable`, which names it, where it is not installed or does not run on this platform
 */
export async function mediaPackage<N extends PackageName>(
  name: N,
  from: Loaders = loaders,
): Promise<Awaited<ReturnType<Loaders[N]>>> {
  try {
    return (await from[name]()) as Awaited<ReturnType<Loaders[N]>>;
  } catch (error) {
    throw new AppError(
      'media_unavailable',
      `expected the package ${name}, got none that runs on ${process.platform} ${process.arch}; install it (npm install ${name}), or let another provider make this.`,
      { package: name },
      error,
    );
  }
}

/** Why a package cannot be used; null where it can. */
export async function packageReason(name: PackageName, from: Loaders = loaders): Promise<string | null> {
  try {
    await mediaPackage(name, from);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The same of all of them. */
export async function packageReasons(from: Loaders = loaders): Promise<Readonly<Record<PackageName, string | null>>> {
  const reasons = await Promise.all(packageNames.map(async (name) => [name, await packageReason(name, from)] as const));
  return Object.fromEntries(reasons) as Record<PackageName, string | null>;
}
