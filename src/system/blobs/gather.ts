import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { AppError } from '#src/lib/errors.ts';

const DAY_MS = 86_400_000;
/** There is no room: on the disk, for this user, or in this process. */
const fullCodes: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** Content that lies in a file of its own, where no reader finds it yet. */
export interface Gathered {
  readonly path: string;
  readonly sha256: string;
  readonly size: number;
}

/** Folder for contents that are not whole, inside a folder of contents. */
const partsOf = (folder: string): string => join(folder, 'parts');

/** A path in `folder` that no other writer has. */
export async function newPart(folder: string): Promise<string> {
  await mkdir(partsOf(folder), { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw storageError(error);
  });
  return join(partsOf(folder), randomBytes(16).toString('hex'));
}

/**
 * Writes a source to a new file and on to the disk, and takes its digest on the way. What was written is removed when it
 * fails.
 *
 * @throws AppError `payload_too_large` above `maxBytes`, `storage_full`, or `unavailable`; what the source throws goes on.
 */
export async function gather(path: string, source: Uint8Array | Readable, maxBytes: number): Promise<Gathered> {
  const stream = source instanceof Uint8Array ? Readable.from([source]) : source;
  try {
    await using file = await opened(path);
    const hash = createHash('sha256');
    let size = 0;
    for await (const chunk of stream) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Uint8Array);
      size += bytes.byteLength;
      if (size > maxBytes) throw tooLarge(maxBytes);
      hash.update(bytes);
      await file.writeFile(bytes).catch((error: unknown) => {
        throw storageError(error);
      });
    }
    await file.sync().catch((error: unknown) => {
      throw storageError(error);
    });
    return { path, sha256: hash.digest('hex'), size };
  } catch (error) {
    stream.destroy();
    await rm(path, { force: true });
    throw error;
  }
}

/** Removes files that no process has written to for a day. @returns how many */
export async function tidyParts(folder: string, now: number = Date.now()): Promise<number> {
  let removed = 0;
  for (const name of await readdir(partsOf(folder)).catch(noneIfMissing)) {
    const path = join(partsOf(folder), name);
    const known = await stat(path).catch(() => null);
    if (known === null || now - known.mtimeMs < DAY_MS) continue;
    await rm(path, { force: true });
    removed++;
  }
  return removed;
}

/** Describes an error of the storage, in words that name no path. */
export function storageError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (fullCodes.includes(code)) {
    const message = 'expected room for what was made in the artefact storage, got none: it is full.';
    return new AppError('storage_full', message, {}, error);
  }
  const message =
    'expected the artefact storage to answer, got an error; it has been logged, and trying again may help.';
  return new AppError('unavailable', message, {}, error);
}

async function opened(path: string): Promise<Awaited<ReturnType<typeof open>>> {
  return await open(path, 'w', 0o600).catch((error: unknown) => {
    throw storageError(error);
  });
}

function tooLarge(maxBytes: number): AppError {
  const message = `expected at most ${maxBytes} bytes (ARTEFACT_MAX_BYTES), got more.`;
  return new AppError('payload_too_large', message, { limit_bytes: maxBytes });
}

function noneIfMissing(error: unknown): string[] {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
  throw storageError(error);
}
