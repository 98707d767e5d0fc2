import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '#src/lib/errors.ts';

/**
 * Reads a file that only its owner may read; undefined when there is none.
 *
 * @throws AppError `invalid_configuration` when others may read it, or it cannot be read.
 */
export function readPrivateFile(path: string): string | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new AppError('invalid_configuration', `${path}: expected a file that can be read, got ${codeOf(error)}.`);
  }
  try {
    const mode = fstatSync(file).mode & 0o777;
    if ((mode & 0o077) === 0) return readFileSync(file, 'utf8');
    throw new AppError(
      'invalid_configuration',
      `${path}: expected a file that its owner alone may read (mode 600), got mode ${mode.toString(8)}; run chmod 600 on it.`,
    );
  } finally {
    closeSync(file);
  }
}

/** Makes a private file, whole or not at all; false when there is one already. Its folder is made as well. */
export function createPrivateFile(path: string, text: string): boolean {
  const part = writePart(path, text);
  try {
    // a link never replaces what another process has made meanwhile
    linkSync(part, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(part);
  }
}

/** Puts a private file in the place of the one there was: readers see the old or the new one, whole. */
export function replacePrivateFile(path: string, text: string): void {
  renameSync(writePart(path, text), path);
}

function writePart(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const part = `${path}.${randomBytes(8).toString('hex')}.part`;
  const file = openSync(part, 'wx', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return part;
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);
