import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unpackDebian } from '#src/system/embedded/debian.ts';
import { programOnPath, succeeds } from '#src/system/embedded/programs.ts';

/** A browser, and the environment it needs to find its libraries. */
export interface Chromium {
  readonly path: string;
  readonly env: Record<string, string>;
}

const folder = join(import.meta.dirname, '../../.proofline/programs/chromium');

// the browser, and those of its libraries that a small image lacks
const packages =
  'chromium-headless-shell chromium-common libdouble-conversion3 libflac12 libharfbuzz-subset0 libmp3lame0 libasyncns0 libogg0 libsndfile1 libvorbis0a libvorbisenc2 libminizip1 libmpg123-0 libopenh264-7 libopus0 libpulse0 libxnvctrl0'.split(
    ' ',
  );

/** The Chromium of this machine, else Debian's unpacked into our own folder without root; undefined where none can be had. */
export function chromiumProgram(): Chromium | undefined {
  const here = programOnPath(['chromium', 'chromium-browser', 'google-chrome', 'chromium-headless-shell']);
  if (here !== undefined && succeeds(here, ['--version'])) return { path: here, env: {} };
  const kept = unpacked();
  if (kept) return kept;
  return unpackDebian({ packages, folder, isUsable: () => unpacked() !== undefined }) ? unpacked() : undefined;
}

function unpacked(): Chromium | undefined {
  const path = join(folder, 'usr/lib/chromium/chromium-headless-shell');
  if (!existsSync(path)) return undefined;
  const libraries = globSync('usr/lib/*/{libpulse.so.0,pulseaudio/libpulsecommon-*.so}', { cwd: folder });
  const env = { LD_LIBRARY_PATH: libraries.map((file) => join(folder, dirname(file))).join(':') };
  return succeeds(path, ['--version'], { ...process.env, ...env }) ? { path, env } : undefined;
}
