import type { MediaCapability } from '#queues/providers.ts';

/** Optional packages, and what the local provider cannot make without them. */
const needed = {
  'node-av': [
    'image.upscale',
    'video.generate',
    'video.from-image',
    'video.cinematic-shot',
    'video.edit',
    'avatar.talking-head-text',
  ],
  '@echogarden/espeak-ng-emscripten': ['tts.synthesize', 'avatar.talking-head-text'],
} as const satisfies Readonly<Record<string, readonly MediaCapability[]>>;

/**
 * What the local provider cannot make on this machine, and the optional package that is missing for it.
 *
 * @param resolve throws where there is no such package
 */
export function missingLocally(
  resolve: (name: string) => unknown = (name) => import.meta.resolve(name),
): ReadonlyMap<MediaCapability, string> {
  const missing = Object.entries(needed).filter(([name]) => !isThere(name, resolve));
  return new Map(missing.flatMap(([name, capabilities]) => capabilities.map((capability) => [capability, name])));
}

function isThere(name: string, resolve: (name: string) => unknown): boolean {
  try {
    resolve(name);
    return true;
  } catch {
    // whatever the reason, it cannot be loaded
    return false;
  }
}
