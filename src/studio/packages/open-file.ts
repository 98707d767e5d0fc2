import { AppError } from '#src/lib/errors.ts';
import { blobsOf } from '#src/system/blobs/blobs.ts';
import type { Context } from '#src/system/context.ts';
import type { OpenFile } from './write-zip.ts';

/** Reads files of packages from the artefact storage. @throws AppError `not_found` for one that is no longer stored */
export function openFileOf(context: Context): OpenFile {
  return async ({ path, sha256 }) => {
    const opened = await blobsOf(context).open(sha256);
    if (opened) return opened.stream;
    throw new AppError('not_found', `expected the bytes of ${path} in the artefact storage, got none.`, { sha256 });
  };
}
