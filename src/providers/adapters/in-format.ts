import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '#src/lib/errors.ts';
import type { Generated, Produced } from '#src/providers/catalogue/adapter.ts';
import type { SoundType } from '#src/providers/catalogue/sound-formats.ts';
import { runMedia } from '#src/providers/local/run-media.ts';
import { makeTemporaryFolder } from '#src/system/temporary-folders.ts';

/**
 * Returns the sound of a result in the requested format: unchanged where it has that format, else converted by FFmpeg.
 *
 * @throws AppError `media_unavailable` without FFmpeg, the conversion's own errors; the signal's reason
 */
export async function soundsIn(
  { produced, ...rest }: Generated,
  mediaType: SoundType,
  signal: AbortSignal,
): Promise<Generated> {
  const converted: Produced[] = [];
  // one after the other: each is a process
  for (const one of produced)
    converted.push(one.kind === 'audio' && one.mediaType !== mediaType ? await convert(one, mediaType, signal) : one);
  return { ...rest, produced: converted };
}

async function convert(sound: Produced, mediaType: SoundType, signal: AbortSignal): Promise<Produced> {
  const folder = makeTemporaryFolder('media');
  try {
    const path = join(folder, 'sound');
    await writeFile(path, sound.bytes);
    const { files } = await runMedia({ kind: 'convert', folder, sound: path, mediaType }, 'made', { signal });
    const [file] = files;
    if (!file || !('file' in file.content))
      throw new AppError('provider_failed', `expected the sound as ${mediaType}, got nothing.`);
    return { ...sound, mediaType, bytes: await readFile(file.content.file) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
