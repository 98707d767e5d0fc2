import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Blobs } from './blob-store.ts';
import { gather, newPart, storageError, tidyParts } from './gather.ts';

export interface DiskOptions {
  readonly folder: string;
  readonly maxBytes: number;
}

/**
 * Content in a folder: `ab/cd/<sha256>`. A file is written under another name, brought to the disk, and renamed, so that
 * its name is the digest of what it holds whatever ends the writer.
 */
export function diskBlobs({ folder, maxBytes }: DiskOptions): Blobs {
  const pathOf = (sha256: string) => join(folder, sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  return {
    put: async (source) => {
      const { path, sha256, size } = await gather(await newPart(folder), source, maxBytes);
      try {
        await moveInto(path, pathOf(sha256));
      } catch (error) {
        await rm(path, { force: true });
        throw storageError(error);
      }
      return { sha256, size };
    },
    open: async (sha256, range) => {
      const file = await open(pathOf(sha256), 'r').catch(nullIfMissing);
      if (file === null) return null;
      try {
        const { size } = await file.stat();
        return { stream: file.createReadStream({ ...range }), size };
      } catch (error) {
        await file.close();
        throw storageError(error);
      }
    },
    remove: async (sha256) => {
      await rm(pathOf(sha256), { force: true }).catch((error: unknown) => {
        throw storageError(error);
      });
    },
    holds: async (sha256) => (await stat(pathOf(sha256)).catch(nullIfMissing)) !== null,
    tidy: async () => await tidyParts(folder),
  };
}

async function moveInto(part: string, path: string): Promise<void> {
  const home = dirname(path);
  await mkdir(home, { recursive: true, mode: 0o700 });
  await rename(part, path);
  // the name is in the folder, which has to reach the disk as well
  await using directory = await open(home, 'r');
  await directory.sync();
}

function nullIfMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
  throw storageError(error);
}
